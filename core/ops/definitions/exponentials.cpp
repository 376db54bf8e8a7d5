// exp and sqrt.
#include "core/ops/cpu/unary.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/op_calls.h"
#include "core/ops/definitions/spreads.h"

namespace warpwalk::ops {
namespace {

Tensor cpu_exp(Dispatcher& dispatcher, const Call& call) {
  return mapped_in_double(dispatcher, call, [](double x) { return std::exp(x); });
}

Tensor cpu_sqrt(Dispatcher& dispatcher, const Call& call) {
  return mapped_float(dispatcher, call, [](auto x) { return std::sqrt(x); });
}

Backward exp_backward(const Call&, Node&) {
  return [](Dispatcher& d, const Node& node, const Tensor& g) { return Gradients{mul(d, g, node.saved[0].use(node))}; };
}

Backward sqrt_backward(const Call&, Node&) {
  return [](Dispatcher& d, const Node& node, const Tensor& g) {
    return Gradients{div(d, g, mul(d, node.saved[0].use(node), std::int64_t{2}))};
  };
}

// exp(x') - exp(x) is at most exp(x) (exp(error) - 1).
Spread exp_spread(const ElementInputs& in) {
  const Approximate& x = in.tensors[0];
  const double value = std::exp(x.value), difference = x.error == 0 ? 0 : value * std::expm1(x.error);
  return {difference, value + difference};
}

// sqrt(x') - sqrt(x) = (x' - x) / (sqrt(x') + sqrt(x)); undefined below 0.
Spread sqrt_spread(const ElementInputs& in) {
  const Approximate& x = in.tensors[0];
  const double least = x.value - x.error;
  if (least < 0) return {infinite, infinite};
  return {x.error / (std::sqrt(least) + std::sqrt(x.value)), std::sqrt(magnitude(x))};
}

}  // namespace

OpFamily roots_and_exponentials() {
  constexpr GpuKernel kernel = {.form = GpuKernel::Form::elementwise,
                                .types = GpuKernel::Types::floats,
                                .casts_integers = true,
                                .module = "unary",
                                .strided_module = "unary_strided"};
  return {
      .ops = {{.name = "aten::exp",
               .schema = "exp(Tensor self) -> Tensor",
               .how = "cpu loop: exp in double",
               .function = cpu_exp,
               .derivative = Derivative{"ExpBackward0", "result", {0}, exp_backward, true},
               .autocast = Autocast::f32,
               .accuracy = {.kind = Accuracy::Kind::ulps,
                            .spread = exp_spread,
                            .ulps_f32 = 2,
                            .ulps_f64 = 2,
                            .ulps_half = 1,
                            .reason_f32 = "an H200's expf is 2 ulp from the rounded result for 95,287 of all 2^32 "
                                          "inputs and never more, as the CUDA C++ programming guide "
                                          "(mathematical functions) states",
                            .reason_f64 = "the CUDA C++ programming guide (mathematical functions) puts exp within "
                                          "1 ulp of the correctly rounded result, according to NVIDIA's tests, and the "
                                          "C library is within 1 ulp of it",
                            .reason_half = "the exponential in f32 is within 2 ulp and is rounded once: to the "
                                           "nearest value or its neighbour"},
               .gpu = kernel},
              {.name = "aten::sqrt",
               .schema = "sqrt(Tensor self) -> Tensor",
               .how = "cpu loop: square root",
               .function = cpu_sqrt,
               .derivative = Derivative{"SqrtBackward0", "result", {0}, sqrt_backward, true},
               .accuracy = {.spread = sqrt_spread},
               .gpu = kernel}},
      .functions = {
          {.name = "exp", .parameters = {{"input"}}, .usage = "exp(a)", .check = floating_type, .op = "aten::exp"},
          {.name = "sqrt", .parameters = {{"input"}}, .usage = "sqrt(a)", .check = floating_type, .op = "aten::sqrt"}}};
}

}  // namespace warpwalk::ops
