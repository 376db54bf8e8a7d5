#include <cmath>

#include <gtest/gtest.h>

#include "tests/alu/approximations.h"
#include "tests/alu/warp.h"

namespace warpwalk::gpu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

/// An H200 exceeds the manual's bound for cos slightly: cos.approx(4.8994951) is 0.18601563, off by 6.94e-7 instead of
/// 2^-20.5.
constexpr long double margin = 1.05L;

/// Compares every value from `first` to `last`, multiplied by `factor`, with <cmath> in long double. The error must be
/// within the manual's bound.
void expect_within(Opcode opcode, float first, float last, float factor, long double (*exact)(long double)) {
  const Alu alu = alu_of({.opcode = opcode, .types = {Type::f32}, .modifiers = {Modifier::approx}});
  const auto bound = approximation_bound(opcode, Type::f32);
  ASSERT_TRUE(bound);
  for (const float sign : {1.0F, -1.0F})
    for (float x = first; x < last;) {
      std::array<float, lanes_per_warp> a;
      for (float& value : a) {
        value = sign * x;
        x *= factor;
      }
      const auto d = ran<float>(alu, a);
      for (std::size_t i = 0; i < lanes_per_warp; ++i) {
        const long double want = exact(static_cast<long double>(a[i]));
        if (std::fabs(a[i]) > last || std::isnan(want) || std::fabs(want) > 3e38L) continue;
        const long double ulp = std::ldexp(1.0L, std::max(std::ilogb(want) - 23, -149));
        const long double error = std::fabs(static_cast<long double>(d[i]) - want);
        const long double allowed =
            std::max({bound->ulp * ulp, bound->relative * std::fabs(want), static_cast<long double>(bound->absolute)});
        ASSERT_LE(error, allowed * margin) << "of " << a[i] << ": " << d[i] << ", exactly " << static_cast<double>(want);
      }
    }
}

TEST(AluApproximate, EveryFunctionStaysWithinTheManualsBound) {
  expect_within(Opcode::ex2, 1e-8F, 130, 1.0003F, std::exp2);
  expect_within(Opcode::lg2, 1e-38F, 3e38F, 1.003F, std::log2);
  expect_within(Opcode::sin, 1e-6F, 6.28F, 1.0003F, std::sin);
  expect_within(Opcode::cos, 1e-6F, 6.28F, 1.0003F, std::cos);
  expect_within(Opcode::tanh, 1e-30F, 50, 1.003F, std::tanh);
  expect_within(Opcode::rcp, 1e-38F, 3e38F, 1.003F, [](long double x) { return 1 / x; });
  expect_within(Opcode::sqrt, 1e-38F, 3e38F, 1.003F, std::sqrt);
  expect_within(Opcode::rsqrt, 1e-38F, 3e38F, 1.003F, [](long double x) { return 1 / std::sqrt(x); });
}

TEST(AluApproximate, SpecialValuesAreTheManuals) {
  const float infinity = HUGE_VALF;
  std::array<float, lanes_per_warp> a{};
  const float values[] = {0.0F, -0.0F, infinity, -infinity, -1.0F, 1.0F};
  for (std::size_t i = 0; i < 6; ++i) a[i] = values[i];
  const auto of = [&](Opcode opcode) {
    return ran<float>(alu_of({.opcode = opcode, .types = {Type::f32}, .modifiers = {Modifier::approx}}), a);
  };
  const auto ex2 = of(Opcode::ex2), lg2 = of(Opcode::lg2), rcp = of(Opcode::rcp), rsqrt = of(Opcode::rsqrt),
             sine = of(Opcode::sin);
  EXPECT_TRUE(ex2[0] == 1 && ex2[1] == 1 && ex2[2] == infinity && ex2[3] == 0);
  EXPECT_TRUE(lg2[0] == -infinity && lg2[1] == -infinity && lg2[2] == infinity && std::isnan(lg2[3]) &&
              std::isnan(lg2[4]) && lg2[5] == 0);
  EXPECT_TRUE(rcp[0] == infinity && rcp[1] == -infinity && rcp[2] == 0 && std::signbit(rcp[3]));
  EXPECT_TRUE(rsqrt[0] == infinity && rsqrt[1] == -infinity && rsqrt[2] == 0 && std::isnan(rsqrt[4]));
  EXPECT_TRUE(std::isnan(sine[2]) && std::isnan(sine[3]) && std::signbit(sine[1]));
}

}  // namespace
}  // namespace warpwalk::gpu
