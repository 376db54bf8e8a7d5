#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/analysis/kernels/op_arguments.h"

namespace warpwalk::analysis {

/// The rule that gave FLOPs and bytes. Its name is a key of the narration, [kernels_page.rule].
enum class WorkRule : std::uint8_t {
  none,
  recorded,         ///< a copy or fill: bytes as recorded
  product,          ///< mm: 2·M·N·K
  batched_product,  ///< bmm: 2·B·M·N·K
  vector_product,   ///< mv, dot: 2·M·K
  linear,           ///< 2 · elements of the input · columns of the result
  convolution,      ///< 2 · positions of the result · elements of the weight
  convolution_backward,
  attention,         ///< 2·B·H·S·S·(D + D'), which is 4·B·H·S·S·D if values are as wide as keys
  attention_causal,  ///< the same for the pairs that the causal mask leaves
  attention_backward,
  attention_backward_causal,
  elementwise,  ///< bytes alone
  arithmetic,   ///< add, sub, mul, div: one FLOP per element
  softmax,
  normalisation,  ///< layer, RMS, group and batch norm: bytes alone
  lookup,         ///< rows of a table (embedding): bytes alone
  dropout,
  copy,
  fill,
};

/// "product", "attention_causal" ...
std::string_view name_of(WorkRule rule);

/// The type of the arithmetic, by the type of the elements.
enum class MathType : std::uint8_t { unknown, f64, f32, f16, f8 };
/// float16 and bfloat16 are both f16: tensor cores compute them equally fast.
MathType math_type(std::string_view type);

/// What one call of an op has to do on the GPU.
struct OpWork {
  /// Floating-point operations; a multiply-add counts as two. What is added to a product (bias, accumulation into the
  /// result) is not counted, as in PyTorch's FlopCounterMode.
  std::optional<double> flops;
  /// Compulsory traffic: each input is read once, each output is written once.
  std::optional<double> bytes;
  WorkRule rule = WorkRule::none;
  MathType math = MathType::unknown;
  int products = 1;  ///< independent products of equal size: 2 for the gradients of a convolution's input and weight

  bool known() const { return rule != WorkRule::none; }
};

/// The work of an op ("aten::mm"), from the shapes and types of its arguments. WorkRule::none for any other op, for
/// shapes that do not fit the op's schema, and for complex numbers.
OpWork op_work(std::string_view op, const OpArguments& arguments);

/// Whether op_work() may know this op; cheap.
bool has_work_rule(std::string_view op);

}  // namespace warpwalk::analysis
