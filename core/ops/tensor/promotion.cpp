#include "core/ops/tensor/promotion.h"

#include <algorithm>
#include <array>
#include <optional>

namespace warpwalk::ops {
namespace {

/// torch.promote_types for the types of tensors: the wider of one category; f16 with bf16 is f32.
DType wider(DType a, DType b) {
  if (is_float(a) != is_float(b)) return is_float(a) ? a : b;
  if ((a == DType::f16 && b == DType::bf16) || (a == DType::bf16 && b == DType::f16)) return DType::f32;
  return std::max(a, b);  // both lists rise in DType's order
}

}  // namespace

DType floating(DType dtype) { return is_float(dtype) ? dtype : DType::f32; }

DType promoted(const std::vector<PromotionOperand>& operands) {
  // By rank: tensors with dimensions, tensors without, numbers. A lower rank counts only where its category is higher
  // than that of all ranks above (torch.result_type).
  std::array<std::optional<DType>, 3> ranks;
  for (const PromotionOperand& operand : operands) {
    // A number in Python is a float of the default type, or an i64.
    const DType dtype = operand.number && is_float(operand.dtype) ? DType::f32 : operand.dtype;
    std::optional<DType>& rank = ranks[operand.number ? 2 : operand.zero_dim ? 1 : 0];
    rank = rank ? wider(*rank, dtype) : dtype;
  }
  std::optional<DType> result;
  for (const std::optional<DType>& rank : ranks)
    if (rank && (!result || (is_float(*rank) && !is_float(*result)))) result = rank;
  return result.value_or(DType::f32);
}

}  // namespace warpwalk::ops
