#include "core/run/launch/seeded_inputs.h"

#include <algorithm>

#include "core/ops/dispatch/autograd.h"
#include "core/run/launch/generate.h"

namespace warpwalk::run {

RunInput make_input(const SeededInputs& inputs, ops::Dispatcher& dispatcher, ops::DeviceKind device,
                    const std::string& name) {
  const auto variable = std::ranges::find(inputs.inputs, name, &ops::Variable::name);
  RunInput input;
  input.seed = inputs.seed + static_cast<std::uint64_t>(variable - inputs.inputs.begin());
  input.tensor = dispatcher.call("aten::empty.memory_format",
                                 {variable->sizes, variable->dtype, static_cast<std::int64_t>(device)});
  std::vector<std::uint8_t> bytes(input.tensor.storage()->bytes());
  generate(variable->dtype, FillRandom{input.seed}, bytes);
  if (!bytes.empty()) input.tensor.storage()->memory().write(input.tensor.storage()->address(), bytes);
  if (inputs.gradients && is_float(variable->dtype)) set_requires_grad(input.tensor);
  return input;
}

void backward_from_sum(ops::Dispatcher& dispatcher, const ops::Tensor& result) {
  backward(dispatcher, result.count() == 1 ? result : dispatcher.call("aten::sum", {result}));
}

}  // namespace warpwalk::run
