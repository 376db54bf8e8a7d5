#include "core/run/launch/compare.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace warpwalk::run {
namespace {

template <class T>
std::span<const std::uint8_t> bytes_in(const std::vector<T>& values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
Comparison compared(ops::DType dtype, const std::vector<T>& got, const std::vector<T>& want, Tolerance tolerance = {}) {
  return compare(dtype, bytes_in(got), bytes_in(want), tolerance);
}

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(Compare, WithoutTolerancesTheBitsCount) {
  EXPECT_TRUE(compared<float>(ops::DType::f32, {1, 2, inf, -inf}, {1, 2, inf, -inf}).match);
  const Comparison zeros = compared<float>(ops::DType::f32, {0.0F}, {-0.0F});
  EXPECT_FALSE(zeros.match);
  EXPECT_EQ(zeros.mismatches, 1u);
  EXPECT_EQ(zeros.max_abs_error, 0);
  EXPECT_EQ(zeros.max_ulp, 0u);
  EXPECT_EQ(zeros.first->want, "-0");
  EXPECT_TRUE(compared<float>(ops::DType::f32, {0.0F}, {-0.0F}, {0, 1e-30}).match);
}

TEST(Compare, NotANumberMatchesItsLike) {
  EXPECT_TRUE(compared<float>(ops::DType::f32, {nan, -nan}, {-nan, std::nanf("1")}).match);
  const Comparison one = compared<float>(ops::DType::f32, {nan, 1}, {1, nan}, {1e9, 1e9});
  EXPECT_EQ(one.mismatches, 2u);
  EXPECT_EQ(one.max_abs_error, 0);
}

TEST(Compare, AnInfinityMatchesOnlyItself) {
  const Tolerance loose{1, 1};
  EXPECT_EQ(compared<float>(ops::DType::f32, {inf, 1, inf, inf}, {-inf, inf, 1, inf}, loose).mismatches, 3u);
  EXPECT_EQ(compared<std::uint16_t>(ops::DType::f16, {0x7c00}, {0x7bff}, loose).mismatches, 1u);
}

TEST(Compare, TheToleranceIsOfWhatIsWanted) {
  // |got - want| <= atol + rtol |want|, exactly at the limit and one step beyond
  EXPECT_TRUE(compared<double>(ops::DType::f64, {1.5}, {1}, {0.25, 0.25}).match);
  EXPECT_FALSE(compared<double>(ops::DType::f64, {std::nextafter(1.5, 2)}, {1}, {0.25, 0.25}).match);
  EXPECT_TRUE(compared<double>(ops::DType::f64, {-1.25}, {-1}, {0.25, 0}).match);
  EXPECT_FALSE(compared<double>(ops::DType::f64, {1}, {1.25 + 0.125}, {0.25, 0}).match);
  EXPECT_TRUE(compared<double>(ops::DType::f64, {1}, {1.25}, {0.25, 0}).match);  // 0.25 <= 0.25 * 1.25
}

TEST(Compare, TellsTheFirstAndTheLargest) {
  const Comparison c = compared<float>(ops::DType::f32, {1, 2, 3.5F, 9}, {1, 2, 3, 4});
  EXPECT_EQ(c.mismatches, 2u);
  ASSERT_TRUE(c.first);
  EXPECT_EQ(c.first->index, 2u);
  EXPECT_EQ(c.first->got, "3.5");
  EXPECT_EQ(c.first->want, "3");
  EXPECT_EQ(c.max_abs_error, 5);
  EXPECT_EQ(c.max_ulp, 9437184u);  // from 4.0 (0x40800000) to 9.0 (0x41100000)
}

TEST(Compare, UlpCountsValuesBetween) {
  EXPECT_EQ(compared<float>(ops::DType::f32, {1}, {std::nextafter(1.0F, 2.0F)}).max_ulp, 1u);
  const float least = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(compared<float>(ops::DType::f32, {least}, {-least}).max_ulp, 2u);
  EXPECT_EQ(compared<std::uint16_t>(ops::DType::f16, {0x3c01}, {0x3bff}).max_ulp, 2u);
  EXPECT_EQ(compared<std::uint16_t>(ops::DType::bf16, {0x3f81}, {0x3f80}).max_abs_error, 0.0078125);
  // matching elements count too
  EXPECT_EQ(compared<float>(ops::DType::f32, {1}, {std::nextafter(1.0F, 2.0F)}, {1, 1}).max_ulp, 1u);
}

TEST(Compare, WholeNumbers) {
  EXPECT_EQ(compared<std::int8_t>(ops::DType::i8, {-128}, {127}).max_abs_error, 255);
  EXPECT_EQ(compared<std::uint64_t>(ops::DType::u64, {~std::uint64_t{0}}, {0}).max_ulp, ~std::uint64_t{0});
  EXPECT_EQ(compared<std::int64_t>(ops::DType::i64, {std::numeric_limits<std::int64_t>::min()},
                                   {std::numeric_limits<std::int64_t>::max()})
                .max_ulp,
            ~std::uint64_t{0});
  EXPECT_TRUE(compared<std::int32_t>(ops::DType::i32, {-11}, {-10}, {0.1, 0}).match);
  EXPECT_FALSE(compared<std::int32_t>(ops::DType::i32, {-12}, {-10}, {0.1, 0}).match);
}

TEST(Compare, ErrorsStayFinite) {
  const double maximum = std::numeric_limits<double>::max();
  EXPECT_EQ(compared<double>(ops::DType::f64, {maximum}, {-maximum}).max_abs_error, maximum);
}

}  // namespace
}  // namespace warpwalk::run
