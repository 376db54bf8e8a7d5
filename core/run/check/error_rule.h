#pragma once

#include <string_view>

#include "core/ops/tensor/dtype.h"

namespace warpwalk::run {

/// A backend's value of an element, and how far another backend's may lie from it; an infinite error: anywhere.
struct Approximate {
  double value = 0;
  double error = 0;
};

/// How far two backends' results of an op on single elements may lie apart where their inputs may, each rounding to
/// `dtype` as check_rule.h allows it. The derivation is at each op; 0 says: the same bits. `y`: the second operand,
/// where there is one. `number`: of add and sub the factor of y, of threshold_backward the threshold. Throws
/// ops::OpError for an op that has no rule here.
double elementwise_error(std::string_view op, ops::DType dtype, const Approximate& x, const Approximate& y,
                         double number);

/// What a cast to `dtype` makes of an error.
double cast_error(ops::DType dtype, const Approximate& x);

}  // namespace warpwalk::run
