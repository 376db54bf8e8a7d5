// relu, and how gradients go back through it.
#include "core/ops/cpu/binary.h"
#include "core/ops/cpu/unary.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/spreads.h"

namespace warpwalk::ops {
namespace {

/// NaN stays NaN, -0 becomes 0.
constexpr auto relu = [](auto x) { return x <= 0 ? decltype(x){0} : x; };

Tensor cpu_relu(Dispatcher& dispatcher, const Call& call) { return mapped(dispatcher, call, call.tensor(0), relu); }

Tensor cpu_relu_in_place(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  check_writable(call.name(), self);
  map_any(dispatcher, call, self, self, relu);
  return self;
}

Tensor cpu_threshold_backward(Dispatcher& dispatcher, const Call& call) {
  const Operand gradient(call, 0), self(call, 1);
  return combined(dispatcher, call, gradient, self, result_dtype(gradient, self), [&](auto type) {
    using M = typename decltype(type)::type;
    const M threshold = std::visit([](auto value) { return converted<M>(value); }, call.number(2));
    return [threshold](M g, M x) { return x <= threshold ? M{0} : g; };
  });
}

// From the result, which is positive where the input was.
Backward relu_backward(const Call&, Node&) {
  return [](Dispatcher& d, const Node& node, const Tensor& g) {
    return Gradients{d.call("aten::threshold_backward", {g, node.saved[0].use(node), std::int64_t{0}})};
  };
}

Backward threshold_derivative(const Call& call, Node& node) {
  save(node, call, 1, true);
  return [bound = call.arguments.at(2)](Dispatcher& d, const Node& n, const Tensor& g) {
    Gradients out(2);
    if (wanted(n, 0)) out[0] = d.call("aten::threshold_backward", {g, n.saved[0].use(n), bound});
    if (wanted(n, 1)) out[1] = d.call("aten::zeros_like", {g});
    return out;
  };
}

// Only errors above 0 pass.
Spread relu_spread(const ElementInputs& in) {
  const Approximate& x = in.tensors[0];
  return {std::clamp(x.value + x.error, 0.0, x.error), magnitude(x), 0};
}

// The gradient passes or not. If the two inputs may lie on different sides of the threshold, all of it may be missing.
Spread threshold_spread(const ElementInputs& in) {
  const Approximate &gradient = in.tensors[0], &x = in.tensors[1];
  if (x.error > 0 && std::abs(x.value - in.number) <= x.error) return {magnitude(gradient), magnitude(gradient), 0};
  return {x.value <= in.number ? 0 : gradient.error, magnitude(gradient), 0};
}

}  // namespace

OpFamily relu_family() {
  constexpr GpuKernel kernel = {
      .form = GpuKernel::Form::elementwise, .module = "unary", .strided_module = "unary_strided", .f32_module = "relu"};
  return {.ops = {{.name = "aten::relu",
                   .schema = "relu(Tensor self) -> Tensor",
                   .how = "cpu loop: relu",
                   .function = cpu_relu,
                   .derivative = Derivative{"ReluBackward0", "result", {0}, relu_backward, true},
                   .accuracy = {.spread = relu_spread},
                   .gpu = kernel},
                  {.name = "aten::relu_",
                   .schema = "relu_(Tensor(a!) self) -> Tensor(a!)",
                   .how = "cpu loop: relu in place",
                   .function = cpu_relu_in_place,
                   .derivative =
                       Derivative{"ReluBackward0", "result", {0}, relu_backward, true, Derivative::Kind::in_place},
                   .accuracy = {.spread = relu_spread},
                   .gpu = kernel},
                  {.name = "aten::threshold_backward",
                   .schema = "threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor",
                   .how = "cpu loop: gradient where x > 0",
                   .function = cpu_threshold_backward,
                   .derivative = Derivative{"ThresholdBackwardBackward0", "", {0, 1}, threshold_derivative},
                   .accuracy = {.spread = threshold_spread},
                   .gpu = {.form = GpuKernel::Form::elementwise, .module = "threshold_backward"}}},
          .functions = {{.name = "relu",
                         .functional = true,
                         .parameters = {{"input"}},
                         .usage = "relu(a)",
                         .check = same_type,
                         .op = "aten::relu"}}};
}

}  // namespace warpwalk::ops
