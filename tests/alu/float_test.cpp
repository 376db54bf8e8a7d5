#include <cfenv>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/alu/reference.h"
#include "tests/alu/warp.h"

namespace warpwalk::gpu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Rounding;
using ptx::Type;
using reference::rounding_directions;
using reference::Wide;

/// Numbers with `precision` bits that are integers times 2^-scale, so that exact results fit into 128 bits.
template <class T>
struct Scaled {
  int precision, scale, spread;

  Wide integer(std::uint64_t& state) const {
    const std::uint64_t random = next_random(state);
    const std::uint64_t how = next_random(state);
    Wide value = static_cast<Wide>(random >> (64 - precision));
    if (how % 3 == 0) value = value >> (how >> 8) % static_cast<unsigned>(precision);  // few bits, so that ties occur
    value <<= (how >> 16) % static_cast<unsigned>(spread);
    return (how >> 32 & 1) != 0 ? -value : value;
  }
  T number(Wide value) const { return static_cast<T>(std::ldexp(static_cast<long double>(value), -scale)); }
};

constexpr Scaled<float> scaled_f32 = {24, 20, 14};
constexpr Scaled<double> of_f64 = {53, 30, 8};

template <class T>
void expect_rounded(Type type, const Scaled<T>& scaled) {
  const int precision = scaled.precision;
  for (const Rounding rounding : rounding_directions)
    for (const Isa isa : {Isa::baseline, host_isa()}) {
      const auto of = [&](Opcode opcode, int operands) {
        return alu_of({.opcode = opcode, .types = {type}, .rounding = rounding, .operands = operands}, isa);
      };
      const Alu add = of(Opcode::add, 3), sub = of(Opcode::sub, 3), mul = of(Opcode::mul, 3), fma = of(Opcode::fma, 4);
      std::uint64_t state = 23;
      for (int round = 0; round < 200; ++round) {
        std::array<Wide, lanes_per_warp> x, y, z;
        std::array<T, lanes_per_warp> a, b, c;
        for (std::size_t i = 0; i < lanes_per_warp; ++i) {
          x[i] = scaled.integer(state), y[i] = scaled.integer(state), z[i] = scaled.integer(state);
          // For some lanes, a sum that nearly cancels, in units of the product.
          if (i % 4 == 0) z[i] = -(x[i] * y[i]) >> scaled.scale;
          a[i] = scaled.number(x[i]), b[i] = scaled.number(y[i]), c[i] = scaled.number(z[i]);
          z[i] = static_cast<Wide>(std::ldexp(static_cast<long double>(c[i]), scaled.scale));
        }
        const auto sums = ran<T>(add, a, b), differences = ran<T>(sub, a, b), products = ran<T>(mul, a, b),
                   fused = ran<T>(fma, a, b, c);
        for (std::size_t i = 0; i < lanes_per_warp; ++i) {
          const auto want = [&](Wide exact, int scale) {
            return static_cast<T>(reference::rounded(exact, scale, precision, rounding));
          };
          ASSERT_EQ(sums[i], want(x[i] + y[i], scaled.scale)) << a[i] << " + " << b[i];
          ASSERT_EQ(differences[i], want(x[i] - y[i], scaled.scale)) << a[i] << " - " << b[i];
          ASSERT_EQ(products[i], want(x[i] * y[i], 2 * scaled.scale)) << a[i] << " * " << b[i];
          ASSERT_EQ(fused[i], want(x[i] * y[i] + (z[i] << scaled.scale), 2 * scaled.scale))
              << a[i] << " * " << b[i] << " + " << c[i];
        }
      }
    }
}

TEST(AluFloat, SumsAndProductsAreTheExactOnesRoundedOnce) {
  expect_rounded<float>(Type::f32, scaled_f32);
  expect_rounded<double>(Type::f64, of_f64);
}

/// Checks |q b - a| against one unit of q. This is exact in long double for f32.
TEST(AluFloat, QuotientsAndRootsLieOnTheRightSideOfTheExactOnes) {
  for (const Rounding rounding : rounding_directions) {
    const Alu divide = alu_of({.opcode = Opcode::div, .types = {Type::f32}, .rounding = rounding, .operands = 3});
    const Alu root = alu_of({.opcode = Opcode::sqrt, .types = {Type::f32}, .rounding = rounding});
    std::uint64_t state = 29;
    for (int round = 0; round < 200; ++round) {
      std::array<float, lanes_per_warp> a, b;
      for (std::size_t i = 0; i < lanes_per_warp; ++i)
        a[i] = scaled_f32.number(scaled_f32.integer(state)), b[i] = scaled_f32.number(scaled_f32.integer(state) | 1);
      const auto q = ran<float>(divide, a, b);
      std::array<float, lanes_per_warp> positive;
      for (std::size_t i = 0; i < lanes_per_warp; ++i) positive[i] = std::fabs(a[i]);
      const auto r = ran<float>(root, positive);
      for (std::size_t i = 0; i < lanes_per_warp; ++i) {
        const auto unit = [](float x) {
          return static_cast<long double>(std::nextafter(std::fabs(x), HUGE_VALF)) - std::fabs(x);
        };
        // The distance to the exact quotient, times |b|.
        const long double over = (static_cast<long double>(q[i]) * b[i] - a[i]) * (b[i] < 0 ? -1 : 1);
        const long double step = unit(q[i]) * std::fabs(static_cast<long double>(b[i]));
        const bool towards_zero = over * (q[i] < 0 ? -1 : 1) <= 0;
        const bool quotient_fits = rounding == Rounding::rn   ? std::fabs(over) * 2 <= step
                                   : rounding == Rounding::rm ? over <= 0 && -over < step
                                   : rounding == Rounding::rp ? over >= 0 && over < step
                                                              : towards_zero && std::fabs(over) < step;
        ASSERT_TRUE(quotient_fits) << a[i] << " / " << b[i] << " = " << q[i];
        const long double square = static_cast<long double>(r[i]) * r[i] - positive[i];
        const long double wide = 2 * static_cast<long double>(r[i]) * unit(r[i]) + unit(r[i]) * unit(r[i]);
        const bool root_fits = rounding == Rounding::rn   ? std::fabs(square) <= wide / 2
                               : rounding == Rounding::rp ? square >= 0 && square < wide
                                                          : square <= 0 && -square < wide;
        ASSERT_TRUE(root_fits) << "root of " << positive[i] << " = " << r[i];
      }
    }
  }
}

TEST(AluFloat, DirectedRoundingLeavesTheHostsModeAlone) {
  const Alu alu = alu_of({.opcode = Opcode::add, .types = {Type::f32}, .rounding = Rounding::rp, .operands = 3});
  std::array<float, lanes_per_warp> one, tiny;
  one.fill(1.0F);
  tiny.fill(0x1p-60F);
  EXPECT_EQ(ran<float>(alu, one, tiny)[5], std::nextafter(1.0F, 2.0F));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(AluFloat, NumbersWinAgainstNaNUnlessNaNIsAskedFor) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::array<float, lanes_per_warp> a, b;
  a.fill(nan);
  b.fill(-3.0F);
  a[1] = -0.0F, b[1] = 0.0F;
  a[2] = 0.0F, b[2] = -0.0F;
  a[3] = -5.0F, b[3] = 2.0F;
  b[4] = nan;
  const auto of = [&](Opcode opcode, std::vector<Modifier> modifiers) {
    return ran<float>(
        alu_of({.opcode = opcode, .types = {Type::f32}, .modifiers = std::move(modifiers), .operands = 3}), a, b);
  };
  const auto least = of(Opcode::min, {}), greatest = of(Opcode::max, {}), strict = of(Opcode::min, {Modifier::nan}),
             product = of(Opcode::max, {Modifier::xorsign, Modifier::abs});
  EXPECT_EQ(least[0], -3.0F);
  EXPECT_TRUE(std::signbit(least[1]) && std::signbit(least[2]));
  EXPECT_FALSE(std::signbit(greatest[1]) || std::signbit(greatest[2]));
  EXPECT_EQ(least[3], -5.0F);
  EXPECT_EQ(product[3], -5.0F);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(least[4]), 0x7fffffffU);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(strict[0]), 0x7fffffffU);
}

TEST(AluFloat, FtzAndSatChangeTheEnds) {
  const auto of = [](std::vector<Modifier> modifiers) {
    return alu_of({.opcode = Opcode::mul, .types = {Type::f32}, .modifiers = std::move(modifiers), .operands = 3});
  };
  std::array<float, lanes_per_warp> a, b;
  a.fill(-0x1p-130F), b.fill(1.0F);
  a[1] = 0x1p-100F, b[1] = -0x1p-30F;
  a[2] = 3.0F, b[2] = 5.0F;
  a[3] = -3.0F, b[3] = 5.0F;
  a[4] = std::numeric_limits<float>::quiet_NaN();
  a[5] = 0x1.fffffep-1F, b[5] = 0x1p-126F;  // flushed, because it is below the least normal with 24 bits
  const auto exact = ran<float>(of({}), a, b), flushed = ran<float>(of({Modifier::ftz}), a, b),
             clamped = ran<float>(of({Modifier::sat}), a, b);
  EXPECT_EQ(exact[0], -0x1p-130F);
  EXPECT_TRUE(flushed[0] == 0 && std::signbit(flushed[0]));
  EXPECT_TRUE(flushed[1] == 0 && std::signbit(flushed[1]));
  EXPECT_EQ(exact[5], 0x1p-126F);
  EXPECT_EQ(flushed[5], 0.0F);
  EXPECT_EQ(clamped[2], 1.0F);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(clamped[3]), 0U);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(clamped[4]), 0U);
}

}  // namespace
}  // namespace warpwalk::gpu
