// gelu, by the error function or by tanh.
#include <numbers>

#include "core/ops/cpu/binary.h"
#include "core/ops/cpu/unary.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/op_calls.h"
#include "core/ops/definitions/running_error.h"

namespace warpwalk::ops {
namespace {

constexpr double root_half = std::numbers::sqrt2 / 2;
const double root_2_over_pi = std::sqrt(2 / std::numbers::pi);
constexpr double cubic = 0.044715;

/// True if the argument `approximate` is "tanh". Throws for unknown values.
bool by_tanh(const Call& call, std::size_t argument) {
  const std::string_view text = call.text(argument);
  if (text == "tanh") return true;
  if (text.empty() || text == "none") return false;
  throw OpError(fmt::format("{}: approximate is '{}': it must be 'none' or 'tanh'", call.name(), text));
}

double gelu(double x) { return 0.5 * x * (1 + std::erf(x * root_half)); }
double gelu_tanh(double x) { return 0.5 * x * (1 + std::tanh(root_2_over_pi * (x + cubic * x * x * x))); }

double gelu_slope(double x) {
  const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
  return 0.5 * (1 + std::erf(x * root_half)) + x * density;
}
double gelu_tanh_slope(double x) {
  const double t = std::tanh(root_2_over_pi * (x + cubic * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * root_2_over_pi * (1 + 3 * cubic * x * x);
}

Tensor cpu_gelu(Dispatcher& dispatcher, const Call& call) {
  refuse_integers(call, call.tensor(0));
  return mapped_in_double(dispatcher, call, by_tanh(call, 1) ? gelu_tanh : gelu);
}

Tensor cpu_gelu_backward(Dispatcher& dispatcher, const Call& call) {
  refuse_integers(call, call.tensor(1));
  const auto slope = by_tanh(call, 2) ? gelu_tanh_slope : gelu_slope;
  return combined_tensors<2>(dispatcher, call, promoted_arguments(call, 2), [slope](auto) {
    return [slope](auto g, auto x) {
      return static_cast<decltype(x)>(static_cast<double>(g) * slope(static_cast<double>(x)));
    };
  });
}

Backward gelu_backward(const Call& call, Node& node) {
  save(node, call, 0, true);
  const Argument approximate = call.given(1) ? call.arguments[1] : Argument(std::string("none"));
  return [approximate](Dispatcher& d, const Node& n, const Tensor& g) {
    return Gradients{d.call("aten::gelu_backward", {g, n.saved[0].use(n), approximate})};
  };
}

// The kernel's steps on exact inputs, one after the other. Errors of the inputs go through by the slope, which is
// between -0.13 and 1.13 in both forms; the slope of the slope is between -0.8 and 0.8.
constexpr double steepest = 1.13, steepest_slope = 0.8;

/// root_2_over_pi * (x + cubic x^3)
Approximate inner(const RunningError& e, const Approximate& x) {
  const Approximate cube = e.multiply(e.multiply(e.multiply({cubic, cubic * 0x1p-24}, x), x), x);
  return e.multiply({root_2_over_pi, 0x1p-24}, e.add(x, cube));
}

/// 0.5 (1 + erf(x / sqrt(2))), or the same by tanh.
Approximate share(const RunningError& e, const Approximate& x, bool tanh) {
  const Approximate one = RunningError::exact(1);
  return e.multiply(RunningError::exact(0.5),
                    e.add(one, tanh ? e.tanh(inner(e, x)) : e.erf(e.multiply(x, {root_half, 0x1p-24}))));
}

std::vector<double> gelu_bounds(const BoundRequest& request) {
  const bool tanh = by_tanh(request.call, 1);
  return elementwise_bounds(request, [&](const RunningError& e, std::span<const Approximate> in) {
    const Approximate x = RunningError::exact(in[0].value);
    Approximate result = e.multiply(x, share(e, x, tanh));
    result.error += steepest * in[0].error;
    return result;
  });
}

std::vector<double> gelu_backward_bounds(const BoundRequest& request) {
  const bool tanh = by_tanh(request.call, 2);
  return elementwise_bounds(request, [&](const RunningError& e, std::span<const Approximate> in) {
    const Approximate x = RunningError::exact(in[1].value), one = RunningError::exact(1);
    const Approximate square = e.multiply(x, x);
    Approximate rest;
    if (tanh) {
      const Approximate t = e.tanh(inner(e, x));
      const Approximate turn = e.subtract(one, e.multiply(t, t));
      const Approximate rise =
          e.multiply({root_2_over_pi, 0x1p-24}, e.add(one, e.multiply({3 * cubic, 0x1p-24}, square)));
      rest = e.multiply(e.multiply(e.multiply(RunningError::exact(0.5), x), turn), rise);
    } else {
      const Approximate density = e.multiply(e.exp(e.multiply(RunningError::exact(-0.5), square)),
                                             {std::sqrt(0.5 / std::numbers::pi), 0x1p-24});
      rest = e.multiply(x, density);
    }
    Approximate slope = e.add(share(e, x, tanh), rest);
    slope.error += steepest_slope * in[1].error;
    return e.multiply(in[0], slope);
  });
}

}  // namespace

OpFamily gelu_family() {
  const GpuKernel kernel = {.form = GpuKernel::Form::elementwise,
                            .types = GpuKernel::Types::floats,
                            .module = "gelu",
                            .choose = [](const Sizes&, std::size_t tensors, std::span<const double> numbers) {
                              const bool tanh = !numbers.empty() && numbers[0] == 1;
                              const std::string stem = tanh ? "gelu_tanh" : "gelu";
                              return KernelChoice{tensors == 2 ? stem + "_backward" : stem, {}, {}};
                            }};
  return {.ops = {{.name = "aten::gelu",
                   .schema = "gelu(Tensor self, *, str approximate='none') -> Tensor",
                   .how = "cpu loop: gelu in double",
                   .function = cpu_gelu,
                   .derivative = Derivative{"GeluBackward0", "self", {0}, gelu_backward},
                   .accuracy = {.kind = Accuracy::Kind::bounds,
                                .bounds = gelu_bounds,
                                .reason = "erf or tanh is within 2 ulp, and each product and sum is rounded"},
                   .gpu = kernel,
                   .texts = {"none", "tanh"}},
                  {.name = "aten::gelu_backward",
                   .schema = "gelu_backward(Tensor grad_output, Tensor self, *, str approximate='none') -> Tensor",
                   .how = "cpu loop: grad times slope in double",
                   .function = cpu_gelu_backward,
                   .accuracy = {.kind = Accuracy::Kind::bounds,
                                .bounds = gelu_backward_bounds,
                                .reason = "exp, erf or tanh is within 2 ulp, and each product and sum is rounded"},
                   .gpu = kernel,
                   .texts = {"none", "tanh"}}},
          .functions = {{.name = "gelu",
                         .functional = true,
                         .parameters = {{"input"}, {"approximate", Parameter::Kind::text, false, {"none", "tanh"}}},
                         .usage = "gelu(a) or gelu(a, approximate='tanh')",
                         .check = float_type_only,
                         .op = "aten::gelu"}}};
}

}  // namespace warpwalk::ops
