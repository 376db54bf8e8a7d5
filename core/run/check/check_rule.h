#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/definitions/accuracy.h"
#include "core/ops/definitions/float_format.h"

namespace warpwalk::run {

/// How far a GPU's result of an op may lie from the cpu backend's, which rounds the exact result once.
struct CheckRule {
  using Kind = ops::Accuracy::Kind;
  Kind kind = Kind::exact;
  std::uint64_t ulps = 0;
  double share = 0;     ///< of sum |a||b|
  double rounding = 0;  ///< of |result|
  double smallest = 0;  ///< what underflow may take away
  double largest = 0;   ///< if sum |a||b| exceeds this, an intermediate infinity or NaN is no mistake
  std::string allowed;  ///< for people
  std::string reason;   ///< one sentence
};

/// For an op ("aten::mm") that gives elements of `dtype`, each the sum of `terms` products or values.
CheckRule rule_of(std::string_view op, ops::DType dtype, std::int64_t terms);

/// How many terms each element of the result is the sum of: the inner dimension of a product; 1 if it is no sum.
std::int64_t terms_of(std::string_view op, std::span<const ops::Argument> arguments, std::int64_t results);

struct Judged {
  std::uint64_t mismatches = 0;
  double max_abs_error = 0;
  double max_error_share = 0;  ///< of what is allowed for the element; infinite if nothing is
};
/// `sizes`: for the kind sums the sum |a||b| of each element, for the kind bounds what is allowed for it.
Judged judge(const CheckRule& rule, ops::DType dtype, std::span<const std::uint8_t> got,
             std::span<const std::uint8_t> want, std::span<const double> sizes);

}  // namespace warpwalk::run
