#pragma once

#include <array>
#include <vector>

#include "core/run/catalogue/plan.h"

namespace warpwalk::testing {

inline constexpr std::array tensor_dtypes = {ops::DType::f16, ops::DType::bf16, ops::DType::f32,
                                             ops::DType::f64, ops::DType::i32,  ops::DType::i64};

run::Operand row_major(ops::DType dtype, const ops::Sizes& sizes);
/// The transpose of a row-major matrix.
run::Operand turned(ops::DType dtype, const ops::Sizes& sizes);

/// Plans that together use every kernel in every type.
std::vector<run::Plan> plans_of_every_kernel();

}  // namespace warpwalk::testing
