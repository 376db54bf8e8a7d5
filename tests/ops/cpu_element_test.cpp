// Compares the fast element conversions with those in dtype.h, which are tested against Python's.
#include <random>

#include <gtest/gtest.h>

#include "core/ops/cpu/element.h"

namespace warpwalk::ops {
namespace {

template <class T>
void expect_widened(DType dtype) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const double want = float_value(dtype, bits), got = widened(T{static_cast<std::uint16_t>(bits)});
    ASSERT_TRUE(std::bit_cast<std::uint64_t>(got) == std::bit_cast<std::uint64_t>(want) ||
                (std::isnan(got) && std::isnan(want)))
        << std::hex << bits;
  }
}

template <class T>
void expect_narrowed(DType dtype, float value) {
  const std::uint64_t want = float_bits(dtype, value);
  if (std::isnan(value))
    ASSERT_TRUE(std::isnan(widened(narrowed<T>(value))));
  else
    ASSERT_EQ(narrowed<T>(value).bits, want) << value;
}

TEST(CpuElement, EveryShortFloatIsWidenedExactly) {
  expect_widened<Half>(DType::f16);
  expect_widened<BFloat>(DType::bf16);
}

TEST(CpuElement, FloatsAreNarrowedToNearestEven) {
  std::mt19937 random(7);
  for (int i = 0; i < 100000; ++i) {
    const auto any = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    expect_narrowed<Half>(DType::f16, any);
    expect_narrowed<BFloat>(DType::bf16, any);
    // Most floats are outside f16's range. These are inside, at or next to midpoints between two f16 values.
    const float within = std::ldexp(static_cast<float>(random() % 8192), -static_cast<int>(random() % 30));
    const std::uint32_t beside = std::bit_cast<std::uint32_t>(within) + random() % 3 - 1;
    expect_narrowed<Half>(DType::f16, std::bit_cast<float>(beside));
    expect_narrowed<BFloat>(DType::bf16, std::bit_cast<float>(beside));
  }
  for (const float value : {65504.0f, 65519.996f, 65520.0f, 0x1p-24f, 0x1p-25f, 0x1.000002p-25f, 0x1.ffcp-15f, 0x1p-14f,
                            std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()})
    for (const float signed_value : {value, -value}) {
      expect_narrowed<Half>(DType::f16, signed_value);
      expect_narrowed<BFloat>(DType::bf16, signed_value);
    }
}

TEST(CpuElement, ASumIsRoundedOnce) {
  // If rounded to f32 first, these would become midpoints between two f16 (bf16) values and then round to even.
  EXPECT_EQ(from_sum<Half>(1 + 0x1p-11 + 0x1p-40).bits, 0x3c01);
  EXPECT_EQ(from_sum<BFloat>(1 + 0x1p-8 + 0x1p-40).bits, 0x3f81);
  EXPECT_EQ(from_sum<std::int32_t>((std::uint64_t{1} << 40) + 5), 5);
}

TEST(CpuElement, FloatsBeyondAnIntegerBecomeItsEnds) {
  EXPECT_EQ((converted<std::int32_t>(3e9f)), std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ((converted<std::int32_t>(-3e9)), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ((converted<std::int32_t>(-2147483648.9)), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ((converted<std::int32_t>(2147483647.5)), 2147483647);
  EXPECT_EQ((converted<std::int64_t>(9.3e18f)), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ((converted<std::int64_t>(std::nan(""))), 0);
  EXPECT_EQ((converted<std::int64_t>(-2.9)), -2);
}

}  // namespace
}  // namespace warpwalk::ops
