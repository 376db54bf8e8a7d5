#pragma once

#include "core/ops/dispatch/dispatcher.h"

namespace warpwalk::ops {

// The ops that exist, by the part that registers them. Names and schemas are PyTorch's (library.cpp has them all):
//   views, any dense backend   view _unsafe_view transpose.int permute t slice.Tensor select.int expand squeeze.dim
//                              unsqueeze detach
//   any dense backend, made    zeros ones zero_ zeros_like ones_like clone _to_copy sum rsub.Scalar reciprocal
//   of others below autograd   slice_backward select_backward
//   composite                  matmul reshape contiguous numpy_T to.dtype
//   by a backend               empty.memory_format fill_.Scalar copy_ add.Tensor sub.Tensor mul.Tensor div.Tensor neg
//                              relu exp sqrt mm bmm mv dot sum.dim_IntList threshold_backward add_.Tensor mul_.Tensor
//                              relu_
// A binary op takes a Python number for its second tensor (wrapped: it does not promote a tensor of the same category).

/// Defines all ops and registers views and composite ops.
void register_library(Dispatcher& dispatcher);
/// Functions under CPU: plain loops, the reference. Sums and products of f16, bf16 and f32 are kept in double and
/// rounded once.
void register_cpu(Dispatcher& dispatcher);
/// Functions under AutogradCPU and AutogradCUDA for everything that has a derivative, and ADInplaceOrView.
void register_autograd(Dispatcher& dispatcher);
/// Functions under AutocastCPU and AutocastCUDA: inputs of matrix products are cast to `low` (f16 or bf16), those of
/// exp, reciprocal and sum to f32. They are met while a Dispatcher::Guard includes one of those keys.
void register_autocast(Dispatcher& dispatcher, DType low);

/// The dtype of a result by PyTorch's rules of promotion (torch.result_type): category first (floats above integers),
/// tensors with dimensions before those without, those before numbers.
struct PromotionOperand {
  DType dtype = DType::f32;
  bool number = false;    ///< a Python number
  bool zero_dim = false;  ///< a tensor without dimensions
};
DType promoted(const std::vector<PromotionOperand>& operands);
constexpr bool is_tensor_dtype(DType d) {
  return d == DType::f16 || d == DType::bf16 || d == DType::f32 || d == DType::f64 || d == DType::i32 ||
         d == DType::i64;
}
/// f32 for integers (true division, exp, sqrt), else the same.
DType floating(DType dtype);

}  // namespace warpwalk::ops
