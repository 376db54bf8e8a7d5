#include "core/run/check/check_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/run/expression/walk_recorder_inputs.h"
#include "core/run/launch/compare.h"

namespace warpwalk::run {
namespace {

using ops::DType;

constexpr double infinite = std::numeric_limits<double>::infinity();

CheckRule exponential(DType dtype) {
  CheckRule rule;
  rule.kind = CheckRule::Kind::ulps;
  if (dtype == DType::f32 || dtype == DType::f64) {
    rule.ulps = 2;
    rule.reason =
        dtype == DType::f32
            ? "an H200's expf is 2 ulp from the rounded result for 95,287 of all 2^32 inputs and never more, as the "
              "CUDA C++ programming guide (mathematical functions) has it"
            : "the CUDA C++ programming guide (mathematical functions) puts exp within 1 ulp of the correctly "
              "rounded result, by NVIDIA's tests, and the C library is within 1 of it";
  } else {
    rule.ulps = 1;
    rule.reason = "the exponential in f32, within 2 of its ulp, is rounded once: to the nearest or its neighbour";
  }
  rule.allowed = fmt::format("{} ulp", rule.ulps);
  return rule;
}

CheckRule sums(DType dtype, std::int64_t terms) {
  const FloatFormat result = format_of(dtype);
  const FloatFormat sum = format_of(dtype == DType::f64 ? DType::f64 : DType::f32);
  // Higham, "Accuracy and stability of numerical algorithms", 3.1: n roundings, in any order, move a sum of products by
  // at most gamma(n) = n u / (1 - n u) of the sum of their sizes. Two more for the product of a sum not fused and for
  // the reference's own.
  const double nu = (static_cast<double>(terms) + 2) * std::ldexp(1.0, -sum.digits);
  CheckRule rule;
  rule.kind = CheckRule::Kind::sums;
  rule.share = nu < 1 ? nu / (1 - nu) : infinite;
  if (dtype == DType::f64) rule.share *= 2;  // the reference adds in f64 as well
  rule.rounding = 2 * std::ldexp(1.0, -result.digits);
  rule.smallest = (static_cast<double>(terms) + 2) * std::ldexp(1.0, sum.lowest) + std::ldexp(1.0, result.lowest);
  rule.largest = std::min(sum.largest, result.largest) / 2;
  rule.allowed = fmt::format("{}({} + 2) 2^-{} sum|terms| + 2^-{} |result|", dtype == DType::f64 ? "2 " : "", terms,
                             sum.digits, result.digits - 1);
  rule.reason = fmt::format(
      "{} terms added in {} in another order than the reference's: each rounding is at most 2^-{} of a partial sum, "
      "and "
      "both results are rounded to {}",
      terms, dtype == DType::f64 ? "f64" : "f32", sum.digits, name_of(dtype));
  return rule;
}

bool infinite_or_nan(double value) { return !std::isfinite(value); }

Judged judge_sums(const CheckRule& rule, DType dtype, std::span<const std::uint8_t> got,
                  std::span<const std::uint8_t> want, std::span<const double> sizes) {
  Judged judged;
  const std::size_t bytes = bytes_of(dtype);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double a = float_value(dtype, load_bits(dtype, got.data() + i * bytes));
    const double b = float_value(dtype, load_bits(dtype, want.data() + i * bytes));
    if ((std::isnan(a) && std::isnan(b)) || a == b) continue;
    const bool overflows = !(sizes[i] <= rule.largest);
    if (infinite_or_nan(a) || infinite_or_nan(b)) {
      if (overflows) continue;
      ++judged.mismatches;
      judged.max_error_share = infinite;
      continue;
    }
    const double error = std::abs(a - b);
    const double allowed = rule.share * sizes[i] + rule.rounding * std::abs(b) + rule.smallest;
    judged.max_abs_error = std::max(judged.max_abs_error, error);
    judged.max_error_share = std::max(judged.max_error_share, error / allowed);
    if (!(error <= allowed)) ++judged.mismatches;
  }
  return judged;
}

}  // namespace

FloatFormat format_of(DType dtype) {
  switch (dtype) {
    case DType::f16: return {11, -24, 65504};
    case DType::bf16: return {8, -133, 0x1.fep127};
    case DType::f32: return {24, -149, std::numeric_limits<float>::max()};
    default: return {};
  }
}

bool adds_up(std::string_view op) {
  const std::string_view name = without_overload(op);
  return name == "aten::mm" || name == "aten::bmm" || name == "aten::mv" || name == "aten::dot" || name == "aten::sum";
}

CheckRule rule_of(std::string_view op, DType dtype, std::int64_t terms) {
  const std::string_view name = without_overload(op);
  if (is_float(dtype) && name == "aten::exp") return exponential(dtype);
  if (is_float(dtype) && adds_up(name)) return sums(dtype, terms);
  CheckRule rule;
  rule.allowed = "to the bit";
  rule.reason = is_float(dtype) ? "each element takes operations that IEEE 754 rounds in one way only"
                                : "integers are exact, and wrap around in one way only";
  return rule;
}

std::int64_t terms_of(std::string_view op, std::span<const ops::Argument> arguments, std::int64_t results) {
  const std::string_view name = without_overload(op);
  if (!adds_up(name) || arguments.empty()) return 1;
  const auto* const first = std::get_if<ops::Tensor>(&arguments.front());
  if (first == nullptr || !first->defined() || results == 0) return 1;
  if (name == "aten::sum") return std::max<std::int64_t>(1, first->count() / results);
  return std::max<std::int64_t>(1, first->sizes().back());
}

Judged judge(const CheckRule& rule, DType dtype, std::span<const std::uint8_t> got, std::span<const std::uint8_t> want,
             std::span<const double> sizes) {
  if (rule.kind == CheckRule::Kind::sums) return judge_sums(rule, dtype, got, want, sizes);
  Judged judged;
  const Comparison compared = compare(dtype, got, want, {});
  judged.max_abs_error = compared.max_abs_error;
  if (rule.kind == CheckRule::Kind::exact) {
    judged.mismatches = compared.mismatches;
    judged.max_error_share = compared.match ? 0 : infinite;
    return judged;
  }
  const std::size_t bytes = bytes_of(dtype);
  for (std::size_t i = 0; i * bytes < got.size(); ++i) {
    const Comparison one = compare(dtype, got.subspan(i * bytes, bytes), want.subspan(i * bytes, bytes), {});
    if (one.match) continue;
    // Where the two differ and no distance was counted, one of them is infinite or not a number.
    const double share =
        one.max_ulp == 0 ? infinite : static_cast<double>(one.max_ulp) / static_cast<double>(rule.ulps);
    judged.max_error_share = std::max(judged.max_error_share, share);
    if (share > 1) ++judged.mismatches;
  }
  return judged;
}

}  // namespace warpwalk::run
