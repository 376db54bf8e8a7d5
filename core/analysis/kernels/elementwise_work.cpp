// Work of ops that compute each element of their result by itself, and of softmax and dropout.
#include <algorithm>
#include <array>

#include "core/analysis/kernels/op_rules.h"

namespace warpwalk::analysis {
namespace {

using Sizes = std::vector<std::int64_t>;

enum class ResultType : std::uint8_t {
  same,      // as wide as the widest input
  floating,  // the same, but inputs of whole numbers have a result of another type
  truth,     // one byte
};

struct ElementwiseOp {
  std::string_view name;  // without "aten::" and the underscore of ops that write into their first argument
  ResultType result = ResultType::same;
  bool arithmetic = false;  // one FLOP per element
};

constexpr auto floating = ResultType::floating;
constexpr auto truth = ResultType::truth;

// Sorted by name.
constexpr std::array elementwise_ops = {
    ElementwiseOp{"abs"},
    ElementwiseOp{"add", ResultType::same, true},
    ElementwiseOp{"addcdiv", floating},
    ElementwiseOp{"addcmul"},
    ElementwiseOp{"bitwise_and"},
    ElementwiseOp{"bitwise_not"},
    ElementwiseOp{"bitwise_or"},
    ElementwiseOp{"bitwise_xor"},
    ElementwiseOp{"ceil"},
    ElementwiseOp{"clamp"},
    ElementwiseOp{"clamp_max"},
    ElementwiseOp{"clamp_min"},
    ElementwiseOp{"cos", floating},
    ElementwiseOp{"div", floating, true},
    ElementwiseOp{"elu", floating},
    ElementwiseOp{"eq", truth},
    ElementwiseOp{"erf", floating},
    ElementwiseOp{"exp", floating},
    ElementwiseOp{"floor"},
    ElementwiseOp{"ge", truth},
    ElementwiseOp{"gelu", floating},
    ElementwiseOp{"gelu_backward", floating},
    ElementwiseOp{"gt", truth},
    ElementwiseOp{"hardswish", floating},
    ElementwiseOp{"hardtanh", floating},
    ElementwiseOp{"isfinite", truth},
    ElementwiseOp{"isnan", truth},
    ElementwiseOp{"le", truth},
    ElementwiseOp{"leaky_relu", floating},
    ElementwiseOp{"leaky_relu_backward", floating},
    ElementwiseOp{"lerp", floating},
    ElementwiseOp{"log", floating},
    ElementwiseOp{"log1p", floating},
    ElementwiseOp{"log2", floating},
    ElementwiseOp{"logical_and", truth},
    ElementwiseOp{"logical_not", truth},
    ElementwiseOp{"logical_or", truth},
    ElementwiseOp{"lt", truth},
    ElementwiseOp{"masked_fill"},
    ElementwiseOp{"maximum"},
    ElementwiseOp{"minimum"},
    ElementwiseOp{"mul", ResultType::same, true},
    ElementwiseOp{"ne", truth},
    ElementwiseOp{"neg"},
    ElementwiseOp{"pow"},
    ElementwiseOp{"reciprocal", floating},
    ElementwiseOp{"relu"},
    ElementwiseOp{"rsqrt", floating},
    ElementwiseOp{"rsub"},
    ElementwiseOp{"sigmoid", floating},
    ElementwiseOp{"sigmoid_backward", floating},
    ElementwiseOp{"silu", floating},
    ElementwiseOp{"silu_backward", floating},
    ElementwiseOp{"sin", floating},
    ElementwiseOp{"sqrt", floating},
    ElementwiseOp{"sub", ResultType::same, true},
    ElementwiseOp{"tanh", floating},
    ElementwiseOp{"tanh_backward", floating},
    ElementwiseOp{"threshold_backward"},
    ElementwiseOp{"where"},
};

// The common sizes of the tensors: matched from the last dimension on, and a size of 1 matches any.
std::optional<Sizes> broadcast_sizes(const OpArguments& arguments) {
  Sizes common;
  for (const OpArgument& argument : arguments.all()) {
    if (!argument.tensor) continue;
    const Sizes& sizes = argument.sizes;
    if (sizes.size() > common.size()) common.insert(common.begin(), sizes.size() - common.size(), 1);
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      std::int64_t& size = common[common.size() - sizes.size() + d];
      if (size != 1 && sizes[d] != 1 && size != sizes[d]) return {};
      if (sizes[d] != 1) size = sizes[d];
    }
  }
  return common;
}

// The tensor whose type the result has: the widest one. Tensors without dimensions count only among themselves, as in
// PyTorch's type promotion. Null if there is none, or if two types are equally wide.
const OpArgument* widest(const OpArguments& arguments) {
  const OpArgument* widest = nullptr;
  bool several = false;
  for (const OpArgument& argument : arguments.all()) {
    if (!argument.tensor) continue;
    const bool better = widest == nullptr || (widest->sizes.empty() && !argument.sizes.empty()) ||
                        (widest->sizes.empty() == argument.sizes.empty() && argument.element > widest->element);
    if (better) {
      widest = &argument;
      several = false;
    } else if (widest->sizes.empty() == argument.sizes.empty() && argument.element == widest->element) {
      several = several || argument.type != widest->type;
    }
  }
  return several ? nullptr : widest;
}

double count_of_sizes(const Sizes& sizes) {
  double count = 1;
  for (const std::int64_t size : sizes) count *= static_cast<double>(size);
  return count;
}

// PyTorch computes half precision in float.
MathType elementwise_math(const OpArgument& argument) {
  const MathType type = math_type(argument.type);
  return type == MathType::f16 || type == MathType::f8 ? MathType::f32 : type;
}

OpWork elementwise_work(const OpArguments& arguments, const ElementwiseOp& op, bool in_place) {
  const OpArgument* const wide = widest(arguments);
  const auto sizes = broadcast_sizes(arguments);
  if (wide == nullptr || !sizes) return {};
  if (op.result == ResultType::floating && math_type(wide->type) == MathType::unknown) return {};
  const OpArgument* const first = arguments.tensor(0);
  if (in_place && (first == nullptr || first->sizes != *sizes)) return {};
  const std::int64_t element = in_place ? first->element : op.result == ResultType::truth ? 1 : wide->element;
  OpWork work;
  work.rule = op.arithmetic ? WorkRule::arithmetic : WorkRule::elementwise;
  work.math = elementwise_math(*wide);
  const double count = count_of_sizes(*sizes);
  double bytes = count * static_cast<double>(element);
  for (const OpArgument& argument : arguments.all()) bytes += argument.bytes();
  work.bytes = bytes;
  if (op.arithmetic && work.math != MathType::unknown) work.flops = count;
  return work;
}

// copy_(self, src): reads src, writes self.
OpWork copy_work(const OpArguments& arguments) {
  const OpArgument *const to = arguments.tensor(0), *const from = arguments.tensor(1);
  if (to == nullptr || from == nullptr) return {};
  OpWork work;
  work.rule = WorkRule::copy;
  work.bytes = from->bytes() + to->bytes();
  return work;
}

OpWork fill_work(const OpArguments& arguments) {
  const OpArgument* const to = arguments.tensor(0);
  if (to == nullptr) return {};
  OpWork work;
  work.rule = WorkRule::fill;
  work.bytes = to->bytes();
  return work;
}

// _softmax(self, dim, half_to_float)
OpWork softmax_work(const OpArguments& arguments) {
  const OpArgument* const self = arguments.tensor(0);
  const auto to_float = arguments.flag(2);
  if (self == nullptr || !to_float) return {};
  OpWork work;
  work.rule = WorkRule::softmax;
  work.math = elementwise_math(*self);
  work.bytes = self->bytes() + self->count() * (*to_float ? 4.0 : static_cast<double>(self->element));
  return work;
}

// native_dropout(input, p, train): writes the result and a mask of one byte per element.
OpWork dropout_work(const OpArguments& arguments) {
  const OpArgument* const self = arguments.tensor(0);
  if (self == nullptr) return {};
  OpWork work;
  work.rule = WorkRule::dropout;
  work.math = elementwise_math(*self);
  work.bytes = self->bytes() + self->count() * (static_cast<double>(self->element) + 1);
  return work;
}

}  // namespace

WorkFunction elementwise_rule(std::string_view op) {
  constexpr std::string_view prefix = "aten::";
  if (!op.starts_with(prefix)) return {};
  std::string_view name = op.substr(prefix.size());
  if (name == "copy_") return copy_work;
  if (name == "fill_" || name == "zero_") return fill_work;
  if (name == "_softmax" || name == "_log_softmax") return softmax_work;
  if (name == "native_dropout") return dropout_work;
  const bool in_place = name.ends_with('_');
  if (in_place) name.remove_suffix(1);
  const auto at = std::ranges::lower_bound(elementwise_ops, name, {}, &ElementwiseOp::name);
  if (at == elementwise_ops.end() || at->name != name) return {};
  return [at, in_place](const OpArguments& arguments) { return elementwise_work(arguments, *at, in_place); };
}

}  // namespace warpwalk::analysis
