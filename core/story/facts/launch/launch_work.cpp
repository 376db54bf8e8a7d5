#include "core/story/facts/launch/launch_work.h"

#include <vector>

#include "core/story/facts/memory/tensor_layout.h"

namespace warpwalk::story {
namespace {

// The length of the sums of a matrix product, or nullopt if the op is not a product of this form.
std::optional<std::int64_t> sum_length(std::string_view op, const std::vector<Tensor>& inputs) {
  const std::size_t first = op == "aten::addmm" ? 1 : 0;  // its first input is added to the product
  if (op != "aten::mm" && op != "aten::matmul" && op != "aten::linear" && op != "aten::addmm") return {};
  if (inputs.size() <= first || inputs[first].sizes.empty()) return {};
  return inputs[first].sizes.back();
}

}  // namespace

LaunchWork launch_work(const Trace& trace, const Walk& walk) {
  LaunchWork work;
  if (walk.kernel == no_slice || walk.ops.empty()) return work;
  const SliceId op = walk.ops.back();
  if (follow_op(trace, op).gpu_pieces != 1) return work;
  const std::vector<Tensor> inputs = tensors_of(trace, op);
  const std::optional<Tensor> output = output_of(trace.name(op), inputs);
  if (!output) return work;
  double bytes = static_cast<double>(output->bytes());
  for (const Tensor& input : inputs) bytes += static_cast<double>(input.bytes());
  work.bytes = bytes;
  if (const auto k = sum_length(trace.name(op), inputs); k && inputs.front().type == "float")
    work.fp32_operations = 2.0 * static_cast<double>(output->count()) * static_cast<double>(*k);
  return work;
}

}  // namespace warpwalk::story
