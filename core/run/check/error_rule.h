#pragma once

#include <span>
#include <string_view>

#include "core/ops/definitions/accuracy.h"

namespace warpwalk::run {

using ops::Approximate;

/// The largest difference between two backends' results of an elementwise op, given the differences of their inputs.
/// Each backend rounds to `dtype` as check_rule.h allows. 0 means the same bits. `tensors`: the op's tensors in order.
/// `number`: its first number after them (add and sub: the factor of the second tensor; threshold_backward: the
/// threshold). Throws ops::OpError if the op's definition does not specify how errors propagate.
double elementwise_error(std::string_view op, ops::DType dtype, std::span<const Approximate> tensors, double number);

/// The error of a value after a cast to `dtype`.
double cast_error(ops::DType dtype, const Approximate& x);

}  // namespace warpwalk::run
