#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/definitions/accuracy.h"
#include "core/ops/definitions/float_format.h"

namespace warpwalk::run {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// The allowed difference between a GPU's result of an op and the cpu backend's, which rounds the exact result once.
struct CheckRule {
  using Kind = ops::Accuracy::Kind;
  Kind kind = Kind::exact;
  std::uint64_t ulps = 0;
  double share = 0;     ///< factor of sum |a||b|
  double rounding = 0;  ///< factor of |result|
  double smallest = 0;  ///< maximum error from underflow
  double largest = 0;   ///< above this sum |a||b|, an intermediate infinity or NaN is accepted
  std::string allowed;  ///< the tolerance as text
  std::string reason;   ///< reason for it, one sentence
};

/// The rule for an op (e.g. "aten::mm") whose result has elements of `dtype`, each a sum of `terms` products or values.
CheckRule rule_of(std::string_view op, ops::DType dtype, std::int64_t terms);

/// The number of terms that are summed for each element of the result: the inner dimension of a product; 1 for ops that
/// do not sum.
std::int64_t terms_of(std::string_view op, std::span<const ops::Argument> arguments, std::int64_t results);

struct Judged {
  std::uint64_t mismatches = 0;
  double max_abs_error = 0;
  double max_error_share = 0;  ///< relative to the allowed error of the element; infinite if that is 0
};
/// `sizes`: for Kind::sums, the sum |a||b| of each element; for Kind::bounds, the allowed error of each element.
Judged judge(const CheckRule& rule, ops::DType dtype, std::span<const std::uint8_t> got,
             std::span<const std::uint8_t> want, std::span<const double> sizes);

using ops::Approximate;

/// The largest difference between two backends' results of an elementwise op, given the differences of their inputs.
/// Each backend rounds to `dtype` as check_rule.h allows. 0 means the same bits. `tensors`: the op's tensors in order.
/// `number`: its first number after them (add and sub: the factor of the second tensor; threshold_backward: the
/// threshold). Throws ops::OpError if the op's definition does not specify how errors propagate.
double elementwise_error(std::string_view op, ops::DType dtype, std::span<const Approximate> tensors, double number);

/// The error of a value after a cast to `dtype`.
double cast_error(ops::DType dtype, const Approximate& x);

}  // namespace warpwalk::run
