#include "core/ops/definitions/function.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/ops/tensor/error.h"
#include "core/ops/tensor/promotion.h"

namespace warpwalk::ops {
namespace {

PromotionOperand promotion_of(const CheckedArgument& argument) {
  if (const auto* const tensor = std::get_if<TensorType>(&argument))
    return {.dtype = tensor->dtype, .zero_dim = tensor->sizes.empty()};
  return {.dtype = std::holds_alternative<double>(argument) ? DType::f64 : DType::i64, .number = true};
}

Sizes sizes_of(const CheckedArgument& argument) {
  const auto* const tensor = std::get_if<TensorType>(&argument);
  return tensor == nullptr ? Sizes() : tensor->sizes;
}

}  // namespace

TensorType same_type(std::span<const CheckedArgument> arguments) { return tensor_type(arguments); }

TensorType floating_type(std::span<const CheckedArgument> arguments) {
  return {floating(tensor_type(arguments).dtype), tensor_type(arguments).sizes};
}

TensorType float_type_only(std::span<const CheckedArgument> arguments) {
  const TensorType& type = tensor_type(arguments);
  if (!is_float(type.dtype))
    throw ArgumentFault{
        0, fmt::format("{{}} is {}: only f16, bf16, f32 and f64 tensors are accepted", name_of(type.dtype)),
        "give it a floating-point type: --dtype f32"};
  return type;
}

TensorType promoted_type(std::span<const CheckedArgument> arguments) {
  TensorType result{promoted({promotion_of(arguments[0]), promotion_of(arguments[1])}), {}};
  const Sizes a = sizes_of(arguments[0]), b = sizes_of(arguments[1]);
  try {
    result.sizes = broadcast(a, b);
  } catch (const OpError&) {
    throw ArgumentFault{1,
                        fmt::format("{{}} is {} and the first argument is {}: they cannot be broadcast to common sizes",
                                    shape_text(b), shape_text(a)),
                        "counted from the last dimension, the sizes must be equal, or one must be 1"};
  }
  return result;
}

std::size_t checked_dim(std::int64_t dim, const Sizes& sizes, std::size_t parameter) {
  const auto reach = std::max<std::int64_t>(static_cast<std::int64_t>(sizes.size()), 1);
  if (dim >= -reach && dim < reach) return static_cast<std::size_t>(dim < 0 ? dim + reach : dim);
  const std::string has = sizes.empty()       ? "no dimensions"
                          : sizes.size() == 1 ? "1 dimension"
                                              : fmt::format("{} dimensions", sizes.size());
  throw ArgumentFault{
      parameter, fmt::format("{{}} has {}: there is no dimension {}", has, dim),
      reach == 1 ? "0 (or -1) is the only one" : fmt::format("dimensions go from {} to {}", -reach, reach - 1)};
}

Sizes reduced_sizes(std::span<const CheckedArgument> arguments) {
  constexpr std::size_t dims = 1, keepdim = 2;
  const auto* const flag = std::get_if<bool>(&arguments[keepdim]);
  if (flag != nullptr && std::holds_alternative<None>(arguments[dims]))
    throw ArgumentFault{keepdim, "keepdim needs a dimension", "write dim=0, keepdim=True"};
  const bool keep = flag != nullptr && *flag;
  const Sizes& sizes = tensor_type(arguments).sizes;
  const auto* const list = std::get_if<Sizes>(&arguments[dims]);
  std::vector<bool> reduced(std::max<std::size_t>(sizes.size(), 1), list == nullptr || list->empty());
  if (list != nullptr)
    for (const std::int64_t dim : *list) {
      const std::size_t d = checked_dim(dim, sizes, dims);
      if (reduced[d]) throw ArgumentFault{dims, fmt::format("dimension {} is named twice", dim), "name it once"};
      reduced[d] = true;
    }
  Sizes result;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (!reduced[d] || keep) result.push_back(reduced[d] ? 1 : sizes[d]);
  return result;
}

}  // namespace warpwalk::ops
