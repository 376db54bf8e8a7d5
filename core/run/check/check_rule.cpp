#include "core/run/check/check_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/float_format.h"
#include "core/ops/tensor/error.h"
#include "core/run/launch/compare.h"

namespace warpwalk::run {
namespace {

using ops::Accuracy;
using ops::DType;

CheckRule ulps(const ops::Accuracy& accuracy, DType dtype) {
  CheckRule rule;
  rule.kind = Accuracy::Kind::ulps;
  const bool f32 = dtype == DType::f32, f64 = dtype == DType::f64;
  rule.ulps = f32 ? accuracy.ulps_f32 : f64 ? accuracy.ulps_f64 : accuracy.ulps_half;
  rule.reason = f32 ? accuracy.reason_f32 : f64 ? accuracy.reason_f64 : accuracy.reason_half;
  rule.allowed = fmt::format("{} ulp", rule.ulps);
  return rule;
}

CheckRule sums(DType dtype, std::int64_t terms) {
  const ops::FloatFormat result = ops::format_of(dtype);
  const ops::FloatFormat sum = ops::format_of(dtype == DType::f64 ? DType::f64 : DType::f32);
  // Higham, "Accuracy and stability of numerical algorithms", 3.1: n roundings, in any order, change a sum of products
  // by at most gamma(n) = n u / (1 - n u) times the sum of their magnitudes. Two more roundings: an unfused product,
  // and the reference's own rounding.
  const double nu = (static_cast<double>(terms) + 2) * std::ldexp(1.0, -sum.digits);
  CheckRule rule;
  rule.kind = Accuracy::Kind::sums;
  rule.share = nu < 1 ? nu / (1 - nu) : infinite;
  if (dtype == DType::f64) rule.share *= 2;  // the reference adds in f64 as well
  rule.rounding = 2 * std::ldexp(1.0, -result.digits);
  rule.smallest = (static_cast<double>(terms) + 2) * std::ldexp(1.0, sum.lowest) + std::ldexp(1.0, result.lowest);
  rule.largest = std::min(sum.largest, result.largest) / 2;
  rule.allowed = fmt::format("{}({} + 2) 2^-{} sum|terms| + 2^-{} |result|", dtype == DType::f64 ? "2 " : "", terms,
                             sum.digits, result.digits - 1);
  rule.reason = fmt::format(
      "{} terms are added in {}, in a different order than in the reference: each rounding is at most 2^-{} of a "
      "partial sum, and both results are rounded to {}",
      terms, dtype == DType::f64 ? "f64" : "f32", sum.digits, name_of(dtype));
  return rule;
}

bool infinite_or_nan(double value) { return !std::isfinite(value); }

/// `allowed(i, want)`: the allowed error of element i; infinite accepts any value.
template <class Allowed>
Judged judge_within(DType dtype, std::span<const std::uint8_t> got, std::span<const std::uint8_t> want,
                    Allowed allowed_of) {
  Judged judged;
  const std::size_t bytes = bytes_of(dtype);
  for (std::size_t i = 0; i * bytes < got.size(); ++i) {
    const double a = float_value(dtype, load_bits(dtype, got.data() + i * bytes));
    const double b = float_value(dtype, load_bits(dtype, want.data() + i * bytes));
    if ((std::isnan(a) && std::isnan(b)) || a == b) continue;
    const double allowed = allowed_of(i, b);
    if (infinite_or_nan(a) || infinite_or_nan(b)) {
      if (allowed == infinite) continue;
      ++judged.mismatches;
      judged.max_error_share = infinite;
      continue;
    }
    const double error = std::abs(a - b);
    judged.max_abs_error = std::max(judged.max_abs_error, error);
    judged.max_error_share = std::max(judged.max_error_share, allowed == infinite ? 0 : error / allowed);
    if (!(error <= allowed)) ++judged.mismatches;
  }
  return judged;
}

}  // namespace

CheckRule rule_of(std::string_view op, DType dtype, std::int64_t terms) {
  const ops::OpDefinition* const definition = ops::find_definition(op);
  const Accuracy accuracy = definition == nullptr ? Accuracy{} : definition->accuracy;
  if (is_float(dtype) && accuracy.kind == Accuracy::Kind::ulps) return ulps(accuracy, dtype);
  if (is_float(dtype) && accuracy.kind == Accuracy::Kind::sums) return sums(dtype, terms);
  CheckRule rule;
  if (is_float(dtype) && accuracy.kind == Accuracy::Kind::bounds) {
    rule.kind = Accuracy::Kind::bounds;
    rule.allowed = "the error bound of the element";
    rule.reason = accuracy.reason;
    return rule;
  }
  rule.allowed = "to the bit";
  rule.reason = is_float(dtype) ? "IEEE 754 defines exactly one rounding for each operation on an element"
                                : "integers are exact, and wrap around in exactly one way";
  return rule;
}

std::int64_t terms_of(std::string_view op, std::span<const ops::Argument> arguments, std::int64_t results) {
  const ops::OpDefinition* const definition = ops::find_definition(op);
  if (definition == nullptr || definition->accuracy.terms == nullptr) return 1;
  return definition->accuracy.terms(arguments, results);
}

Judged judge(const CheckRule& rule, DType dtype, std::span<const std::uint8_t> got, std::span<const std::uint8_t> want,
             std::span<const double> sizes) {
  if (rule.kind == Accuracy::Kind::bounds)
    return judge_within(dtype, got, want, [&](std::size_t i, double) { return sizes[i]; });
  if (rule.kind == Accuracy::Kind::sums)
    return judge_within(dtype, got, want, [&](std::size_t i, double value) {
      return sizes[i] <= rule.largest ? rule.share * sizes[i] + rule.rounding * std::abs(value) + rule.smallest
                                      : infinite;
    });
  Judged judged;
  const Comparison compared = compare(dtype, got, want, {});
  judged.max_abs_error = compared.max_abs_error;
  if (rule.kind == Accuracy::Kind::exact) {
    judged.mismatches = compared.mismatches;
    judged.max_error_share = compared.match ? 0 : infinite;
    return judged;
  }
  const std::size_t bytes = bytes_of(dtype);
  for (std::size_t i = 0; i * bytes < got.size(); ++i) {
    const Comparison one = compare(dtype, got.subspan(i * bytes, bytes), want.subspan(i * bytes, bytes), {});
    if (one.match) continue;
    // If the two differ but max_ulp is 0, one of them is infinite or NaN.
    const double share =
        one.max_ulp == 0 ? infinite : static_cast<double>(one.max_ulp) / static_cast<double>(rule.ulps);
    judged.max_error_share = std::max(judged.max_error_share, share);
    if (share > 1) ++judged.mismatches;
  }
  return judged;
}

namespace {

/// Margin for the rounding errors of the bounds themselves, and for ops that round to f32 before a shorter type.
constexpr double slack = 1 + 0x1p-7;

double rounded(const ops::Spread& of, ops::DType dtype) {
  if (of.roundings == 0) return of.difference;
  const ops::FloatFormat format = ops::format_of(dtype);
  if (!(of.size * slack <= format.largest)) return infinite;  // one of the two may have overflowed
  // Each side's rounding error is at most 2^-digits of the result, or half of the smallest value.
  const double each = 2 * std::ldexp(of.size, -format.digits) + std::ldexp(1.0, format.lowest);
  return slack * (of.difference + of.roundings * each);
}

bool known(const Approximate& x) { return std::isfinite(x.value) && std::isfinite(x.error); }

}  // namespace

double cast_error(ops::DType dtype, const Approximate& x) {
  if (x.error == 0) return 0;
  return known(x) && is_float(dtype) ? rounded({x.error, std::abs(x.value) + x.error}, dtype) : infinite;
}

double elementwise_error(std::string_view op, ops::DType dtype, std::span<const Approximate> tensors, double number) {
  const ops::OpDefinition* const definition = ops::find_definition(op);
  if (definition == nullptr || definition->accuracy.spread == nullptr)
    throw ops::OpError(
        fmt::format("{}: its definition does not say how errors propagate through it (Accuracy::spread)", op));
  const bool errs = definition->accuracy.kind == ops::Accuracy::Kind::ulps;
  const bool exact = std::ranges::all_of(tensors, [](const Approximate& x) { return x.error == 0; });
  const bool finite = std::ranges::all_of(tensors, [](const Approximate& x) { return std::isfinite(x.value); });
  if (exact && (!errs || !finite)) return 0;
  if (!std::ranges::all_of(tensors, known) || !is_float(dtype)) return infinite;
  ops::Spread spread = definition->accuracy.spread({tensors, number, dtype});
  // The op's own error; the reference's rounding counts only if the inputs differ.
  if (errs) spread.roundings = static_cast<double>(rule_of(op, dtype, 1).ulps) + (exact ? 0 : 2);
  return rounded(spread, dtype);
}

}  // namespace warpwalk::run
