#include "core/run/check/error_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/ops/tensor/error.h"
#include "core/run/check/check_rule.h"
#include "core/run/expression/walk_recorder_inputs.h"

namespace warpwalk::run {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// For the roundings of the bounds themselves, and for an op that rounds to f32 before it rounds to less.
constexpr double slack = 1 + 0x1p-7;

/// An error as it is before rounding: `spread`, of results no larger than `size`, each rounded so many times.
struct Spread {
  double spread = 0;
  double size = 0;
  double roundings = 1;
};

double rounded(const Spread& of, ops::DType dtype) {
  if (of.roundings == 0) return of.spread;
  const FloatFormat format = format_of(dtype);
  if (!(of.size * slack <= format.largest)) return infinite;  // one of the two may have overflown
  // Either side's rounding is at most 2^-digits of the result, or half of the smallest value.
  const double each = 2 * std::ldexp(of.size, -format.digits) + std::ldexp(1.0, format.lowest);
  return slack * (of.spread + of.roundings * each);
}

double size_of(const Approximate& x) { return std::abs(x.value) + x.error; }

Spread sum(const Approximate& x, const Approximate& y, double factor) {
  const double scale = std::abs(factor);
  return {x.error + scale * y.error, size_of(x) + scale * size_of(y), scale == 1 ? 1.0 : 2.0};
}

// x'y' - xy = x (y' - y) + y (x' - x) + (x' - x)(y' - y)
Spread product(const Approximate& x, const Approximate& y) {
  return {std::abs(x.value) * y.error + std::abs(y.value) * x.error + x.error * y.error, size_of(x) * size_of(y)};
}

// x'/y' - x/y = ((x' - x) - (y' - y) x/y) / y', and y' is no nearer to 0 than |y| - its error.
Spread quotient(const Approximate& x, const Approximate& y) {
  const double nearest = std::abs(y.value) - y.error;
  if (!(nearest > 0)) return {infinite, infinite};
  return {(x.error + std::abs(x.value / y.value) * y.error) / nearest, size_of(x) / nearest};
}

// sqrt(x') - sqrt(x) = (x' - x) / (sqrt(x') + sqrt(x)); below 0 there is no root.
Spread root(const Approximate& x) {
  const double least = x.value - x.error;
  if (least < 0) return {infinite, infinite};
  return {x.error / (std::sqrt(least) + std::sqrt(x.value)), std::sqrt(size_of(x))};
}

// exp(x') - exp(x) is at most exp(x) (exp(error) - 1); the reference's own rounding counts where the inputs differ.
Spread exponential(const Approximate& x, ops::DType dtype) {
  const double value = std::exp(x.value), spread = x.error == 0 ? 0 : value * std::expm1(x.error);
  const auto ulps = static_cast<double>(rule_of("aten::exp", dtype, 1).ulps);
  return {spread, value + spread, ulps + (x.error == 0 ? 0 : 2)};
}

double relu_error(const Approximate& x) { return std::clamp(x.value + x.error, 0.0, x.error); }

// The gradient passes or not; where the two may stand on different sides of the threshold, all of it may be missing.
double threshold_error(const Approximate& gradient, const Approximate& x, double threshold) {
  if (x.error > 0 && std::abs(x.value - threshold) <= x.error) return size_of(gradient);
  return x.value <= threshold ? 0 : gradient.error;
}

bool known(const Approximate& x) { return std::isfinite(x.value) && std::isfinite(x.error); }

}  // namespace

double cast_error(ops::DType dtype, const Approximate& x) {
  if (x.error == 0) return 0;
  return known(x) && is_float(dtype) ? rounded({x.error, size_of(x)}, dtype) : infinite;
}

double elementwise_error(std::string_view op, ops::DType dtype, const Approximate& x, const Approximate& y,
                         double number) {
  const std::string_view name = without_overload(op);
  const bool exp = name == "aten::exp";
  if (x.error == 0 && y.error == 0 && (!exp || !std::isfinite(x.value))) return 0;
  if (!known(x) || !known(y) || !is_float(dtype)) return infinite;
  if (exp) return rounded(exponential(x, dtype), dtype);
  if (name == "aten::neg") return x.error;
  if (name == "aten::relu" || name == "aten::relu_") return relu_error(x);
  if (name == "aten::threshold_backward") return threshold_error(x, y, number);
  if (name == "aten::sqrt") return rounded(root(x), dtype);
  if (name == "aten::add" || name == "aten::add_" || name == "aten::sub") return rounded(sum(x, y, number), dtype);
  if (name == "aten::mul" || name == "aten::mul_") return rounded(product(x, y), dtype);
  if (name == "aten::div") return rounded(quotient(x, y), dtype);
  throw ops::OpError(
      fmt::format("{}: no rule says how errors go through it; add one to core/run/check/error_rule.cpp", op));
}

}  // namespace warpwalk::run
