#include "core/run/check/error_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/float_format.h"
#include "core/ops/tensor/error.h"
#include "core/run/check/check_rule.h"

namespace warpwalk::run {
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
