// How errors propagate through an op: compared with the op on perturbed inputs, and cases without a bound.
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "core/ops/tensor/dtype.h"
#include "core/ops/tensor/error.h"
#include "core/run/check/check_rule.h"

namespace warpwalk::testing {
namespace {

using ops::DType;
using run::Approximate;

constexpr double infinite = std::numeric_limits<double>::infinity();

double bound(std::string_view op, const Approximate& x, const Approximate& y = {}, double number = 1,
             DType dtype = DType::f32) {
  const std::array<Approximate, 2> tensors = {x, y};
  return run::elementwise_error(op, dtype, tensors, number);
}

double as(DType dtype, double value) { return ops::float_value(dtype, ops::float_bits(dtype, value)); }

struct RuleCase {
  std::string_view op;
  std::function<double(double, double)> exact;
  double lowest;  // both operands are in [lowest, 2]
  double number = 1;
};

// The other backend's inputs are random values within their error bounds. Its rounded result must be within the bound,
// and the bound must not be much larger than the worst error seen.
TEST(ErrorRule, HoldsWhateverTheInputsAreAndIsNotIdle) {
  const RuleCase cases[] = {
      {"aten::add.Tensor", [](double x, double y) { return x + y; }, -2},
      {"aten::sub.Tensor", [](double x, double y) { return x - 3 * y; }, -2, 3},
      {"aten::mul.Tensor", [](double x, double y) { return x * y; }, -2},
      {"aten::div.Tensor", [](double x, double y) { return x / y; }, 0.5},
      {"aten::neg", [](double x, double) { return -x; }, -2},
      {"aten::relu", [](double x, double) { return std::max(x, 0.0); }, -2},
      {"aten::exp", [](double x, double) { return std::exp(x); }, -2},
      {"aten::sqrt", [](double x, double) { return std::sqrt(x); }, 0.5},
      {"aten::threshold_backward", [](double x, double y) { return y <= 0.25 ? 0.0 : x; }, -2, 0.25},
  };
  std::mt19937 random(1);
  for (const DType dtype : {DType::f16, DType::bf16, DType::f32}) {
    const double step = dtype == DType::f32 ? 0x1p-18 : 0x1p-5;
    for (const RuleCase& one : cases) {
      double worst_share = 0;
      for (int i = 0; i < 4000; ++i) {
        std::uniform_real_distribution<double> values(one.lowest, 2), errors(0, step), within(-1, 1);
        const Approximate x{as(dtype, values(random)), errors(random)}, y{as(dtype, values(random)), errors(random)};
        const double here = as(dtype, one.exact(x.value, y.value));
        const auto other = [&](const Approximate& z) {
          const double value = as(dtype, z.value + z.error * within(random));
          return std::abs(value - z.value) <= z.error ? value : z.value;
        };
        const double there = as(dtype, one.exact(other(x), other(y)));
        const double allowed = bound(one.op, x, y, one.number, dtype);
        ASSERT_LE(std::abs(there - here), allowed) << one.op << " " << x.value << " " << y.value;
        if (allowed > 0) worst_share = std::max(worst_share, std::abs(there - here) / allowed);
      }
      EXPECT_GT(worst_share, 0.4) << one.op << " " << ops::name_of(dtype);
    }
  }
}

TEST(ErrorRule, WhatIsExactStaysSo) {
  for (const std::string_view op : {"aten::add.Tensor", "aten::mul_.Tensor", "aten::div.Tensor", "aten::neg",
                                    "aten::relu", "aten::sqrt", "aten::threshold_backward"})
    EXPECT_EQ(bound(op, {-3, 0}, {0, 0}), 0) << op;
  EXPECT_EQ(bound("aten::add.Tensor", {infinite, 0}, {1, 0}), 0);
  EXPECT_EQ(bound("aten::add.Tensor", {7, 0}, {1, 0}, 1, DType::i32), 0);
  EXPECT_EQ(run::cast_error(DType::f16, {3, 0}), 0);
  // Below 0 by more than the error: the result is 0 on both sides.
  EXPECT_EQ(bound("aten::relu", {-3, 0.5}), 0);
  EXPECT_EQ(bound("aten::threshold_backward", {7, 0.5}, {-3, 0.5}, 0), 0);
}

TEST(ErrorRule, TheExponentialErrsByItself) {
  // 2 ulp of 1 in f32, plus a margin for the bound's own rounding.
  EXPECT_GE(bound("aten::exp", {0, 0}), 2 * 0x1p-23);
  EXPECT_LE(bound("aten::exp", {0, 0}), 2.05 * 0x1p-23);
  EXPECT_EQ(bound("aten::exp", {-infinite, 0}), 0);
  EXPECT_EQ(bound("aten::exp", {89, 0}), infinite) << "beyond f32";
}

TEST(ErrorRule, HalfOfAGradientMayPassOrNot) {
  EXPECT_EQ(bound("aten::threshold_backward", {7, 0.5}, {0.25, 0.5}, 0), 7.5);
  EXPECT_EQ(bound("aten::threshold_backward", {7, 0.5}, {2, 0.5}, 0), 0.5);
}

TEST(ErrorRule, SomeHaveNoBound) {
  EXPECT_EQ(bound("aten::div.Tensor", {1, 0}, {0.25, 0.5}), infinite) << "the divisor may be 0";
  EXPECT_EQ(bound("aten::sqrt", {0.25, 0.5}), infinite) << "it may be negative";
  EXPECT_EQ(bound("aten::mul.Tensor", {60000, 1}, {1.1, 0}, 1, DType::f16), infinite) << "it may overflow";
  EXPECT_EQ(bound("aten::add.Tensor", {infinite, 0}, {1, 0.5}), infinite);
  EXPECT_EQ(bound("aten::add.Tensor", {1, infinite}, {1, 0}), infinite);
  EXPECT_EQ(run::cast_error(DType::i32, {1, 0.5}), infinite);
}

TEST(ErrorRule, AnOpWithoutARuleIsRefused) { EXPECT_THROW(bound("aten::sin", {1, 0.5}), ops::OpError); }

}  // namespace
}  // namespace warpwalk::testing
