// Work of ops on rows of their input: norms, and rows that are looked up in a table. Only bytes: PyTorch's
// FlopCounterMode has no FLOPs for them either. The schemas are those of PyTorch 2.11 (native_functions.yaml).
#include <algorithm>

#include "core/analysis/kernels/op_rules.h"

namespace warpwalk::analysis {
namespace {

// Means, variances and their like are float, but double for a double input.
double statistic_bytes(const OpArgument& input) { return input.element == 8 ? 8 : 4; }

double tensor_bytes(const OpArguments& arguments, std::size_t place) {
  const OpArgument* const tensor = arguments.tensor(place);
  return tensor == nullptr ? 0 : tensor->bytes();
}

double result_bytes(const OpArgument& like) { return like.count() * static_cast<double>(like.element); }

OpWork norm_work(const OpArgument& input, double bytes) {
  OpWork work;
  if (math_type(input.type) == MathType::unknown) return work;
  work.rule = WorkRule::normalisation;
  work.math = math_type(input.type) == MathType::f64 ? MathType::f64 : MathType::f32;
  work.bytes = bytes;
  return work;
}

// Elements of the dimensions that are normalised together, which are those of the weight; 0: not recorded.
double elements_of_row(const OpArguments& arguments, std::size_t shape, std::size_t weight) {
  const auto sizes = arguments.numbers(shape);
  if (const OpArgument* const like = arguments.tensor(weight); !sizes && like != nullptr) return like->count();
  if (!sizes || sizes->empty()) return 0;
  double elements = 1;
  for (const std::int64_t size : *sizes) elements *= static_cast<double>(std::max<std::int64_t>(size, 0));
  return elements;
}

// native_layer_norm(input, normalized_shape, weight, bias, eps) -> (result, mean, rstd)
// _fused_rms_norm(input, normalized_shape, weight, eps) -> (result, rstd)
OpWork layer_norm_work(const OpArguments& arguments, double statistics) {
  const OpArgument* const input = arguments.tensor(0);
  const double row = elements_of_row(arguments, 1, 2);
  if (input == nullptr || row <= 0) return {};
  const double rows = input->count() / row;
  return norm_work(*input, input->bytes() + result_bytes(*input) + tensor_bytes(arguments, 2) +
                               (statistics == 2 ? tensor_bytes(arguments, 3) : 0) +
                               statistics * rows * statistic_bytes(*input));
}

// native_layer_norm_backward(grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask): reads all of
// them but the bias, writes the gradients of input, weight and bias that the mask asks for.
OpWork layer_norm_backward_work(const OpArguments& arguments) {
  const OpArgument *const gradient = arguments.tensor(0), *const input = arguments.tensor(1);
  const auto mask = arguments.flags(7);
  if (gradient == nullptr || input == nullptr || !mask || mask->size() != 3) return {};
  double bytes = gradient->bytes() + input->bytes();
  for (const std::size_t place : {3u, 4u, 5u}) bytes += tensor_bytes(arguments, place);
  if ((*mask)[0]) bytes += result_bytes(*input);
  if ((*mask)[1]) bytes += tensor_bytes(arguments, 5);
  if ((*mask)[2]) bytes += tensor_bytes(arguments, 6);
  return norm_work(*input, bytes);
}

// native_group_norm(input, weight, bias, N, C, HxW, group, eps) -> (result, mean, rstd), two figures of each group
OpWork group_norm_work(const OpArguments& arguments) {
  const OpArgument* const input = arguments.tensor(0);
  const auto batch = arguments.number(3), groups = arguments.number(6);
  if (input == nullptr || !batch || !groups) return {};
  return norm_work(*input, input->bytes() + result_bytes(*input) + tensor_bytes(arguments, 1) +
                               tensor_bytes(arguments, 2) + 2 * *batch * *groups * statistic_bytes(*input));
}

// native_batch_norm(input, weight, bias, running_mean, running_var, training, ...), and cuDNN's and MIOpen's with the
// same arguments. In training, the running figures are also written, and those of the batch are saved: two of each
// channel.
OpWork batch_norm_work(const OpArguments& arguments) {
  const OpArgument* const input = arguments.tensor(0);
  const auto training = arguments.flag(5);
  if (input == nullptr || input->sizes.size() < 2 || !training) return {};
  const double running = tensor_bytes(arguments, 3) + tensor_bytes(arguments, 4);
  double bytes =
      input->bytes() + result_bytes(*input) + tensor_bytes(arguments, 1) + tensor_bytes(arguments, 2) + running;
  if (*training) bytes += running + 2 * static_cast<double>(input->sizes[1]) * statistic_bytes(*input);
  return norm_work(*input, bytes);
}

// Rows of a table by number: each is written once, and read once unless that is more than the table has.
OpWork lookup_work(const OpArgument* table, const OpArgument* index, std::size_t along) {
  if (table == nullptr || index == nullptr || along >= table->sizes.size() || table->sizes[along] <= 0) return {};
  const double rows = table->count() / static_cast<double>(table->sizes[along]) * index->count();
  const double written = rows * static_cast<double>(table->element);
  OpWork work;
  work.rule = WorkRule::lookup;
  work.math = math_type(table->type);
  work.bytes = index->bytes() + written + std::min(written, table->bytes());
  return work;
}

// index_select(self, dim, index), which embedding(weight, indices, ...) calls on a GPU.
OpWork index_select_work(const OpArguments& arguments) {
  const OpArgument* const self = arguments.tensor(0);
  const auto along = arguments.number(1);
  if (self == nullptr || !along) return {};
  const double dimension = *along < 0 ? *along + static_cast<double>(self->sizes.size()) : *along;
  return dimension < 0 ? OpWork{} : lookup_work(self, arguments.tensor(2), static_cast<std::size_t>(dimension));
}

}  // namespace

WorkFunction row_rule(std::string_view op) {
  if (op == "aten::native_layer_norm") return [](const OpArguments& all) { return layer_norm_work(all, 2); };
  if (op == "aten::_fused_rms_norm") return [](const OpArguments& all) { return layer_norm_work(all, 1); };
  if (op == "aten::native_layer_norm_backward") return layer_norm_backward_work;
  if (op == "aten::native_group_norm") return group_norm_work;
  if (op == "aten::native_batch_norm" || op == "aten::cudnn_batch_norm" || op == "aten::miopen_batch_norm")
    return batch_norm_work;
  if (op == "aten::index_select") return index_select_work;
  if (op == "aten::embedding")
    return [](const OpArguments& all) { return lookup_work(all.tensor(0), all.tensor(1), 0); };
  return {};
}

}  // namespace warpwalk::analysis
