// Work of convolutions, forward and backward.
#include <array>

#include "core/analysis/kernels/op_rules.h"

namespace warpwalk::analysis {
namespace {

// The places of an op's arguments. Input and weight are the first two.
struct ConvolutionSchema {
  std::string_view op;
  int bias, stride, padding, dilation;   // -1: the op has no such argument
  int transposed = -1;                   // a flag
  int output_padding = -1, groups = -1;  // of ops that can be transposed
  bool always_transposed = false;
};

constexpr std::array convolution_schemas = {
    ConvolutionSchema{"aten::conv1d", 2, 3, 4, 5},
    ConvolutionSchema{"aten::conv2d", 2, 3, 4, 5},
    ConvolutionSchema{"aten::conv3d", 2, 3, 4, 5},
    ConvolutionSchema{"aten::convolution", 2, 3, 4, 5, 6, 7, 8},
    ConvolutionSchema{"aten::_convolution", 2, 3, 4, 5, 6, 7, 8},
    ConvolutionSchema{"aten::convolution_overrideable", 2, 3, 4, 5, 6, 7, 8},
    ConvolutionSchema{"aten::cudnn_convolution", -1, 3, 2, 4},
    ConvolutionSchema{"aten::cudnn_convolution_relu", 2, 3, 4, 5},
    ConvolutionSchema{"aten::cudnn_convolution_transpose", -1, 4, 2, 5, -1, 3, 6, true},
    ConvolutionSchema{"aten::miopen_convolution", 2, 4, 3, 5},
    ConvolutionSchema{"aten::_conv_depthwise2d", 3, 4, 5, 6},
    ConvolutionSchema{"aten::conv_depthwise3d", 3, 4, 5, 6},
};

using Sizes = std::vector<std::int64_t>;

double product_of(const Sizes& sizes, std::size_t from) {
  double product = 1;
  for (std::size_t i = from; i < sizes.size(); ++i) product *= static_cast<double>(sizes[i]);
  return product;
}

// A list for each spatial dimension; a list of one number holds for all of them.
std::optional<Sizes> per_dimension(const OpArguments& arguments, int place, std::size_t dimensions,
                                   std::int64_t otherwise) {
  if (place < 0) return Sizes(dimensions, otherwise);
  std::optional<Sizes> numbers = arguments.numbers(static_cast<std::size_t>(place));
  if (numbers && numbers->size() == 1) numbers->resize(dimensions, numbers->front());
  if (!numbers || numbers->size() != dimensions) return {};
  return numbers;
}

// The sizes of the result: batch, channels, then the spatial ones. The formulas are those of torch.nn.Conv2d and
// torch.nn.ConvTranspose2d.
std::optional<Sizes> result_sizes(const OpArguments& arguments, const ConvolutionSchema& schema, bool transposed,
                                  const Sizes& input, const Sizes& weight) {
  const std::size_t dimensions = input.size() - 2;
  const auto stride = per_dimension(arguments, schema.stride, dimensions, 1);
  const auto padding = per_dimension(arguments, schema.padding, dimensions, 0);
  const auto dilation = per_dimension(arguments, schema.dilation, dimensions, 1);
  const auto more = per_dimension(arguments, transposed ? schema.output_padding : -1, dimensions, 0);
  if (!stride || !padding || !dilation || !more) return {};
  if (weight[0] <= 0 || weight[1] <= 0) return {};
  // Not transposed: the weight has output channels, then input channels per group. Transposed: input channels, then
  // output channels per group.
  const auto groups = per_dimension(arguments, transposed ? schema.groups : -1, 1, 1);
  if (!groups || groups->front() < 1 || input[1] % (transposed ? weight[0] : weight[1]) != 0) return {};
  Sizes result = {input[0], transposed ? weight[1] * groups->front() : weight[0]};
  for (std::size_t d = 0; d < dimensions; ++d) {
    if ((*stride)[d] < 1 || (*dilation)[d] < 1 || (*padding)[d] < 0) return {};
    const std::int64_t reach = (*dilation)[d] * (weight[d + 2] - 1);
    const std::int64_t size = transposed
                                  ? (input[d + 2] - 1) * (*stride)[d] - 2 * (*padding)[d] + reach + (*more)[d] + 1
                                  : (input[d + 2] + 2 * (*padding)[d] - reach - 1) / (*stride)[d] + 1;
    if (size < 1 || input[d + 2] + 2 * (*padding)[d] < (transposed ? 0 : reach + 1)) return {};
    result.push_back(size);
  }
  return result;
}

struct ConvolutionTensors {
  const OpArgument *input, *weight;
};

std::optional<ConvolutionTensors> tensors_at(const OpArguments& arguments, std::size_t first) {
  const OpArgument *const input = arguments.tensor(first), *const weight = arguments.tensor(first + 1);
  if (input == nullptr || weight == nullptr || math_type(input->type) == MathType::unknown) return {};
  const std::size_t rank = input->sizes.size();
  if (rank < 3 || rank > 5 || weight->sizes.size() != rank) return {};
  return ConvolutionTensors{input, weight};
}

// Each element of the weight is multiplied once for each position of the result; of a transposed convolution, for each
// position of the input.
double convolution_flops(const Sizes& positions, const OpArgument& weight) {
  return 2 * static_cast<double>(positions[0]) * product_of(positions, 2) * weight.count();
}

OpWork convolution_work(const OpArguments& arguments, const ConvolutionSchema& schema) {
  const auto tensors = tensors_at(arguments, 0);
  if (!tensors) return {};
  bool transposed = schema.always_transposed;
  if (schema.transposed >= 0) {
    const std::optional<bool> recorded = arguments.flag(static_cast<std::size_t>(schema.transposed));
    if (!recorded) return {};
    transposed = *recorded;
  }
  const auto& [input, weight] = *tensors;
  const std::optional<Sizes> result = result_sizes(arguments, schema, transposed, input->sizes, weight->sizes);
  if (!result) return {};
  OpWork work;
  work.rule = WorkRule::convolution;
  work.math = math_type(input->type);
  work.flops = convolution_flops(transposed ? input->sizes : *result, *weight);
  const OpArgument* const bias = schema.bias < 0 ? nullptr : arguments.tensor(static_cast<std::size_t>(schema.bias));
  work.bytes = input->bytes() + weight->bytes() + (bias != nullptr ? bias->bytes() : 0) +
               product_of(*result, 0) * static_cast<double>(input->element);
  return work;
}

// convolution_backward(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding,
// groups, output_mask): the mask says which of the gradients of input, weight and bias are computed.
OpWork convolution_backward_work(const OpArguments& arguments) {
  const OpArgument* const gradient = arguments.tensor(0);
  const auto tensors = tensors_at(arguments, 1);
  const auto transposed = arguments.flag(7);
  const auto mask = arguments.flags(10);
  if (gradient == nullptr || !tensors || !transposed || !mask || mask->size() != 3) return {};
  const auto& [input, weight] = *tensors;
  if (gradient->sizes.size() != input->sizes.size()) return {};
  OpWork work;
  work.products = static_cast<int>((*mask)[0]) + static_cast<int>((*mask)[1]);
  if (work.products == 0) return {};
  work.rule = WorkRule::convolution_backward;
  work.math = math_type(input->type);
  work.flops = work.products * convolution_flops(*transposed ? input->sizes : gradient->sizes, *weight);
  double bytes = 0;
  if ((*mask)[0]) bytes += gradient->bytes() + weight->bytes() + input->count() * static_cast<double>(input->element);
  if ((*mask)[1]) bytes += gradient->bytes() + input->bytes() + weight->count() * static_cast<double>(weight->element);
  work.bytes = bytes;
  return work;
}

}  // namespace

WorkFunction convolution_rule(std::string_view op) {
  if (op == "aten::convolution_backward") return convolution_backward_work;
  for (const ConvolutionSchema& schema : convolution_schemas)
    if (schema.op == op) return [&schema](const OpArguments& arguments) { return convolution_work(arguments, schema); };
  return {};
}

}  // namespace warpwalk::analysis
