#include "core/run/launch/seeded_inputs.h"

#include <algorithm>

#include "core/ops/dispatch/autograd.h"
#include "core/run/launch/generate.h"

namespace warpwalk::run {

std::uint64_t input_bytes(const ops::Variable& input) {
  std::uint64_t bytes = ops::bytes_of(input.dtype);
  for (const std::int64_t size : input.sizes) bytes *= static_cast<std::uint64_t>(size);
  return bytes;
}

RunInput make_input(const SeededInputs& inputs, ops::Dispatcher& dispatcher, ops::DeviceKind device,
                    const std::string& name) {
  const auto variable = std::ranges::find(inputs.inputs, name, &ops::Variable::name);
  RunInput input;
  input.seed = inputs.seed + static_cast<std::uint64_t>(variable - inputs.inputs.begin());
  input.tensor = dispatcher.call("aten::empty.memory_format",
                                 {variable->sizes, variable->dtype, static_cast<std::int64_t>(device)});
  const ops::Storage& storage = *input.tensor.storage();
  if (const auto given = inputs.given.find(name); given != inputs.given.end()) {
    input.given = &given->second;
    if (!input.given->empty()) storage.memory().write(storage.address(), *input.given);
  } else {
    std::vector<std::uint8_t> bytes(storage.bytes());
    generate(variable->dtype, FillRandom{input.seed}, bytes);
    if (!bytes.empty()) storage.memory().write(storage.address(), bytes);
  }
  if (inputs.gradients && is_float(variable->dtype)) set_requires_grad(input.tensor);
  return input;
}

void backward_from_sum(ops::Dispatcher& dispatcher, const ops::Tensor& result) {
  backward(dispatcher, result.count() == 1 ? result : dispatcher.call("aten::sum", {result}));
}

}  // namespace warpwalk::run
