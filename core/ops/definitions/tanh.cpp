// tanh.
#include "core/ops/cpu/binary.h"
#include "core/ops/cpu/unary.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/spreads.h"

namespace warpwalk::ops {
namespace {

Tensor cpu_tanh(Dispatcher& dispatcher, const Call& call) {
  return mapped_in_double(dispatcher, call, [](double x) { return std::tanh(x); });
}

/// grad * (1 - result * result), each step rounded as the kernel rounds it.
Tensor cpu_tanh_backward(Dispatcher& dispatcher, const Call& call) {
  return combined_tensors<2>(dispatcher, call, promoted_arguments(call, 2),
                             [](auto) { return [](auto g, auto y) { return g * (1 - y * y); }; });
}

Backward tanh_backward(const Call&, Node&) {
  return [](Dispatcher& d, const Node& node, const Tensor& g) {
    return Gradients{d.call("aten::tanh_backward", {g, node.saved[0].use(node)})};
  };
}

Spread tanh_spread(const ElementInputs& in) {
  const double value = std::tanh(in.tensors[0].value);
  const double difference = monotone_difference([](double x) { return std::tanh(x); }, in.tensors[0]);
  return {difference, std::abs(value) + difference};
}

Spread tanh_backward_spread(const ElementInputs& in) {
  const Approximate &g = in.tensors[0], &y = in.tensors[1];
  const Approximate slope{1 - y.value * y.value, product_difference(y, y)};
  return {product_difference(g, slope), magnitude(g) * (1 + magnitude(y) * magnitude(y)), 3};
}

}  // namespace

OpFamily tanh_family() {
  constexpr auto floats = GpuKernel::Types::floats;
  return {
      .ops =
          {{.name = "aten::tanh",
            .schema = "tanh(Tensor self) -> Tensor",
            .how = "cpu loop: tanh in double",
            .function = cpu_tanh,
            .derivative = Derivative{"TanhBackward0", "result", {0}, tanh_backward, true},
            .accuracy = {.kind = Accuracy::Kind::ulps,
                         .spread = tanh_spread,
                         .ulps_f32 = 2,
                         .ulps_f64 = 3,
                         .ulps_half = 1,
                         .reason_f32 =
                             "an H200's tanhf is 2 ulp from the rounded result for 948,272 of all 2^32 inputs and "
                             "never more, as the CUDA C++ programming guide (mathematical functions) states",
                         .reason_f64 = "the CUDA C++ programming guide (mathematical functions) puts tanh within 1 ulp "
                                       "of the correctly rounded result, and the C library is within 2 ulp of it",
                         .reason_half =
                             "tanh in f32 is within 2 ulp and is rounded once: to the nearest value or its neighbour"},
            .gpu = {.form = GpuKernel::Form::elementwise, .types = floats, .casts_integers = true, .module = "tanh"}},
           {.name = "aten::tanh_backward",
            .schema = "tanh_backward(Tensor grad_output, Tensor output) -> Tensor",
            .how = "cpu loop: grad * (1 - result * result)",
            .function = cpu_tanh_backward,
            .accuracy = {.spread = tanh_backward_spread},
            .gpu = {.form = GpuKernel::Form::elementwise, .types = floats, .module = "tanh"}}},
      .functions = {{.name = "tanh",
                     .functional = true,
                     .parameters = {{"input"}},
                     .usage = "tanh(a)",
                     .check = floating_type,
                     .op = "aten::tanh"}}};
}

}  // namespace warpwalk::ops
