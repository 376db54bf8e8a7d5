// sigmoid.
#include "core/ops/cpu/binary.h"
#include "core/ops/cpu/unary.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/running_error.h"
#include "core/ops/definitions/spreads.h"

namespace warpwalk::ops {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

Tensor cpu_sigmoid(Dispatcher& dispatcher, const Call& call) { return mapped_in_double(dispatcher, call, sigmoid); }

/// grad * (1 - result) * result, each step rounded as the kernel rounds it.
Tensor cpu_sigmoid_backward(Dispatcher& dispatcher, const Call& call) {
  return combined_tensors<2>(dispatcher, call, promoted_arguments(call, 2),
                             [](auto) { return [](auto g, auto y) { return g * (1 - y) * y; }; });
}

Backward sigmoid_backward(const Call&, Node&) {
  return [](Dispatcher& d, const Node& node, const Tensor& g) {
    return Gradients{d.call("aten::sigmoid_backward", {g, node.saved[0].use(node)})};
  };
}

/// 1 / (1 + e^-x). If e^-x overflows, the kernel returns 0 for a value below the smallest normal number.
std::vector<double> sigmoid_bounds(const BoundRequest& request) {
  const double smallest_normal = request.result.dtype() == DType::f64 ? 0x1p-1021 : 0x1p-125;
  return elementwise_bounds(request, [&](const RunningError& e, std::span<const Approximate> x) {
    const double value = sigmoid(x[0].value);
    if (value < smallest_normal) return Approximate{value, smallest_normal + value * std::expm1(x[0].error)};
    const Approximate power = e.exp({-x[0].value, 0});
    Approximate result = e.divide(RunningError::exact(1), e.add(RunningError::exact(1), power));
    result.error += monotone_difference(sigmoid, x[0]);
    return result;
  });
}

Spread sigmoid_backward_spread(const ElementInputs& in) {
  const Approximate &g = in.tensors[0], &y = in.tensors[1];
  const Approximate rest{1 - y.value, y.error}, scaled{g.value * rest.value, product_difference(g, rest)};
  return {product_difference(scaled, y), magnitude(g) * (1 + magnitude(y)) * magnitude(y), 3};
}

}  // namespace

OpFamily sigmoid_family() {
  constexpr auto floats = GpuKernel::Types::floats;
  return {.ops = {{.name = "aten::sigmoid",
                   .schema = "sigmoid(Tensor self) -> Tensor",
                   .how = "cpu loop: 1 / (1 + exp(-x)) in double",
                   .function = cpu_sigmoid,
                   .derivative = Derivative{"SigmoidBackward0", "result", {0}, sigmoid_backward, true},
                   .accuracy = {.kind = Accuracy::Kind::bounds,
                                .bounds = sigmoid_bounds,
                                .reason = "the exponential is within 2 ulp; the sum and the quotient are rounded"},
                   .gpu = {.form = GpuKernel::Form::elementwise,
                           .types = floats,
                           .casts_integers = true,
                           .module = "sigmoid"}},
                  {.name = "aten::sigmoid_backward",
                   .schema = "sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor",
                   .how = "cpu loop: grad * (1 - result) * result",
                   .function = cpu_sigmoid_backward,
                   .accuracy = {.spread = sigmoid_backward_spread},
                   .gpu = {.form = GpuKernel::Form::elementwise, .types = floats, .module = "sigmoid"}}},
          .functions = {{.name = "sigmoid",
                         .functional = true,
                         .parameters = {{"input"}},
                         .usage = "sigmoid(a)",
                         .check = floating_type,
                         .op = "aten::sigmoid"}}};
}

}  // namespace warpwalk::ops
