// leaky_relu, which lets a share of negative values pass.
#include "core/ops/cpu/binary.h"
#include "core/ops/cpu/unary.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/op_calls.h"
#include "core/ops/definitions/spreads.h"

namespace warpwalk::ops {
namespace {

constexpr double usual_slope = 0.01;

Number slope_of(const Call& call, std::size_t argument) {
  return call.given(argument) ? call.number(argument) : Number(usual_slope);
}

template <class M>
M slope_as(const Number& slope) {
  return std::visit([](auto value) { return converted<M>(value); }, slope);
}

Tensor cpu_leaky_relu(Dispatcher& dispatcher, const Call& call) {
  refuse_integers(call, call.tensor(0));
  return mapped(dispatcher, call, call.tensor(0), [slope = slope_of(call, 1)](auto x) {
    return x > 0 ? x : static_cast<decltype(x)>(x * slope_as<decltype(x)>(slope));
  });
}

Tensor cpu_leaky_relu_backward(Dispatcher& dispatcher, const Call& call) {
  refuse_integers(call, call.tensor(1));
  const Operand gradient(call, 0), self(call, 1);
  return combined(dispatcher, call, gradient, self, result_dtype(gradient, self), [&](auto type) {
    using M = typename decltype(type)::type;
    const M slope = slope_as<M>(slope_of(call, 2));
    return [slope](M g, M x) { return x > 0 ? g : static_cast<M>(g * slope); };
  });
}

Backward leaky_relu_backward(const Call& call, Node& node) {
  save(node, call, 0, true);
  const Number slope = slope_of(call, 1);
  const Argument given = std::visit([](auto value) { return Argument(value); }, slope);
  return [given](Dispatcher& d, const Node& n, const Tensor& g) {
    return Gradients{d.call("aten::leaky_relu_backward", {g, n.saved[0].use(n), given, false})};
  };
}

// One product, rounded the same on both sides; errors of the input pass with the steeper of the two slopes.
Spread leaky_relu_spread(const ElementInputs& in) {
  const Approximate& x = in.tensors[0];
  const double steepest = std::max(1.0, std::abs(in.number));
  return {steepest * x.error, steepest * magnitude(x)};
}

// If the two inputs may lie on different sides of 0, the gradient passes with either slope.
Spread leaky_relu_backward_spread(const ElementInputs& in) {
  const Approximate &gradient = in.tensors[0], &x = in.tensors[1];
  const double steepest = std::max(1.0, std::abs(in.number));
  const bool either = x.error > 0 && std::abs(x.value) <= x.error;
  return {steepest * gradient.error + (either ? std::abs(1 - in.number) * magnitude(gradient) : 0),
          steepest * magnitude(gradient)};
}

Tensor call_leaky_relu(Dispatcher& d, const std::vector<Argument>& arguments) {
  return d.call("aten::leaky_relu",
                {arguments[0], std::holds_alternative<None>(arguments[1]) ? Argument(usual_slope) : arguments[1]});
}

}  // namespace

OpFamily leaky_relus() {
  const GpuKernel kernel = {.form = GpuKernel::Form::elementwise,
                            .types = GpuKernel::Types::floats,
                            .module = "leaky_relu",
                            .choose = [](const Sizes&, std::size_t tensors, std::span<const double> numbers) {
                              return KernelChoice{tensors == 2 ? "leaky_relu_backward" : "leaky_relu",
                                                  {numbers.empty() ? usual_slope : numbers[0]},
                                                  {}};
                            }};
  return {.ops = {{.name = "aten::leaky_relu",
                   .schema = "leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
                   .how = "cpu loop: x, or x times the slope below 0",
                   .function = cpu_leaky_relu,
                   .derivative = Derivative{"LeakyReluBackward0", "self", {0}, leaky_relu_backward},
                   .accuracy = {.spread = leaky_relu_spread},
                   .gpu = kernel},
                  {.name = "aten::leaky_relu_backward",
                   .schema = "leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool "
                             "self_is_result) -> Tensor",
                   .how = "cpu loop: grad, or grad times the slope below 0",
                   .function = cpu_leaky_relu_backward,
                   .accuracy = {.spread = leaky_relu_backward_spread},
                   .gpu = kernel}},
          .functions = {{.name = "leaky_relu",
                         .functional = true,
                         .parameters = {{"input"}, {"negative_slope", Parameter::Kind::number}},
                         .usage = "leaky_relu(a) or leaky_relu(a, negative_slope)",
                         .check = float_type_only,
                         .call = call_leaky_relu,
                         .op = "aten::leaky_relu"}}};
}

}  // namespace warpwalk::ops
