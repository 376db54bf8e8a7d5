// maximum: the larger of two tensors' elements.
#include "core/ops/cpu/binary.h"
#include "core/ops/cpu/element.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/spreads.h"

namespace warpwalk::ops {
namespace {

Tensor cpu_maximum(Dispatcher& dispatcher, const Call& call) {
  return combined_tensors<2>(dispatcher, call, promoted_arguments(call, 2),
                             [](auto) { return [](auto a, auto b) { return larger(a, b); }; });
}

/// The gradient of a: none where a is smaller, half where both are equal.
Tensor cpu_maximum_backward(Dispatcher& dispatcher, const Call& call) {
  return combined_tensors<3>(dispatcher, call, promoted_arguments(call, 3), [](auto) {
    return [](auto g, auto a, auto b) { return a == b ? g / 2 : a < b ? decltype(g){0} : g; };
  });
}

Backward maximum_backward(const Call& call, Node& node) {
  save(node, call, 0, true);
  save(node, call, 1, true);
  return [](Dispatcher& d, const Node& n, const Tensor& g) {
    const Tensor a = n.saved[0].use(n), b = n.saved[1].use(n);
    return Gradients{wanted(n, 0) ? d.call("warpwalk::maximum_backward", {g, a, b}) : Tensor(),
                     wanted(n, 1) ? d.call("warpwalk::maximum_backward", {g, b, a}) : Tensor()};
  };
}

// The larger of two values moves by the larger of their errors at most.
Spread maximum_spread(const ElementInputs& in) {
  const Approximate &x = in.tensors[0], &y = in.tensors[1];
  return {std::max(x.error, y.error), std::max(magnitude(x), magnitude(y)), 0};
}

// Which is larger may be different where the two are close, and then all of the gradient.
Spread maximum_backward_spread(const ElementInputs& in) {
  const Approximate &g = in.tensors[0], &a = in.tensors[1], &b = in.tensors[2];
  const bool open = a.error + b.error > 0 && std::abs(a.value - b.value) <= a.error + b.error;
  const double difference = open ? magnitude(g) : a.value < b.value ? 0 : a.value == b.value ? g.error / 2 : g.error;
  return {difference, magnitude(g), a.value == b.value ? 1.0 : 0.0};
}

}  // namespace

OpFamily maximum_family() {
  return {
      .ops = {{.name = "aten::maximum",
               .schema = "maximum(Tensor self, Tensor other) -> Tensor",
               .how = "cpu loop: the larger of two",
               .function = cpu_maximum,
               .derivative = Derivative{"MaximumBackward0", "self, other", {0, 1}, maximum_backward},
               .accuracy = {.spread = maximum_spread},
               .gpu = {.form = GpuKernel::Form::elementwise, .module = "maximum"}},
              {.name = "warpwalk::maximum_backward",
               .schema = "maximum_backward(Tensor grad_output, Tensor self, Tensor other) -> Tensor",
               .how = "cpu loop: grad where larger",
               .function = cpu_maximum_backward,
               .accuracy = {.spread = maximum_backward_spread},
               .gpu = {.form = GpuKernel::Form::elementwise, .types = GpuKernel::Types::floats, .module = "maximum"}}},
      .functions = {{.name = "maximum",
                     .parameters = {{"input"}, {"other", Parameter::Kind::tensor, true}},
                     .usage = "maximum(a, b)",
                     .check = promoted_type,
                     .op = "aten::maximum"}}};
}

}  // namespace warpwalk::ops
