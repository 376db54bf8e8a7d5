#pragma once

#include <span>
#include <string_view>

#include "core/ops/definitions/accuracy.h"

namespace warpwalk::run {

using ops::Approximate;

/// How far two backends' results of an elementwise op may lie apart if their inputs may, each rounding to `dtype` as
/// check_rule.h allows. 0: the same bits. `tensors`: the op's tensors in order; `number`: its first number after them
/// (of add and sub the factor of the second, of threshold_backward the threshold). Throws ops::OpError if the op's
/// definition does not say how errors go through it.
double elementwise_error(std::string_view op, ops::DType dtype, std::span<const Approximate> tensors, double number);

/// The error of a value after a cast to `dtype`.
double cast_error(ops::DType dtype, const Approximate& x);

}  // namespace warpwalk::run
