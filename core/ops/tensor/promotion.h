#pragma once

#include <vector>

#include "core/ops/tensor/dtype.h"

namespace warpwalk::ops {

/// One operand of an op, as far as the type of the result depends on it.
struct PromotionOperand {
  DType dtype = DType::f32;
  bool number = false;    ///< a Python number
  bool zero_dim = false;  ///< a tensor without dimensions
};
/// The dtype of a result by PyTorch's rules of promotion (torch.result_type): category first (floats above integers),
/// tensors with dimensions before those without, those before numbers.
DType promoted(const std::vector<PromotionOperand>& operands);

/// The types that tensors have; the others appear in launch files only.
constexpr bool is_tensor_dtype(DType d) {
  return d == DType::f16 || d == DType::bf16 || d == DType::f32 || d == DType::f64 || d == DType::i32 ||
         d == DType::i64;
}

/// f32 for integers (true division, exp, sqrt), else the same type.
DType floating(DType dtype);

}  // namespace warpwalk::ops
