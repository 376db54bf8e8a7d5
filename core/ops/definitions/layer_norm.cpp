// layer_norm: each row less its mean, divided by its standard deviation, times weight, plus bias.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/ops/cpu/tensor.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/op_calls.h"
#include "core/ops/definitions/running_error.h"
#include "core/ops/dispatch/autograd.h"

namespace warpwalk::ops {
namespace {

// Arguments of the ops.
namespace forward {
constexpr std::size_t input = 0, shape = 1, weight = 2, bias = 3, eps = 4;
}
namespace backward {
constexpr std::size_t gradient = 0, input = 1, shape = 2, weight = 3, eps = 4;
}
constexpr double default_eps = 1e-5;

/// The last dimensions, as many as are normalized.
std::vector<bool> last(const Sizes& sizes, std::size_t count) {
  std::vector<bool> reduced(sizes.size());
  std::fill(reduced.end() - static_cast<std::ptrdiff_t>(std::min(count, sizes.size())), reduced.end(), true);
  return reduced;
}

double eps_of(const Call& call, std::size_t argument) {
  if (!call.given(argument)) return default_eps;
  return std::visit([](auto value) { return static_cast<double>(value); }, call.number(argument));
}

/// Values along the sizes of the input, or none.
std::vector<double> values_along(const Call& call, std::size_t argument, const Sizes& sizes) {
  if (!call.given(argument)) return {};
  const Tensor& tensor = call.tensor(argument);
  return values_of(tensor.with(expanded(tensor.geometry(), sizes)));
}

void check_layer_norm(const Call& call, const Tensor& input, const Sizes& shape,
                      std::initializer_list<std::size_t> scales) {
  if (!is_float(input.dtype()))
    throw OpError(
        fmt::format("{}: {} is not a floating-point type: cast it to f32 first", call.name(), name_of(input.dtype())));
  const Sizes& sizes = input.sizes();
  if (shape.empty() || shape.size() > sizes.size() || !std::equal(shape.rbegin(), shape.rend(), sizes.rbegin()))
    throw OpError(fmt::format(
        "{}: normalized_shape is {}, but the input is {}: normalized_shape must equal the input's last sizes",
        call.name(), shape_text(shape), shape_text(sizes)));
  for (const std::size_t scale : scales)
    if (call.given(scale) && (call.tensor(scale).sizes() != shape || call.tensor(scale).dtype() != input.dtype()))
      throw OpError(fmt::format("{}: weight and bias must be {} {}, like normalized_shape and the input; one is {} {}",
                                call.name(), shape_text(shape), name_of(input.dtype()),
                                shape_text(call.tensor(scale).sizes()), name_of(call.tensor(scale).dtype())));
}

/// Mean and 1 / sqrt(variance + eps) of the elements at these places.
struct Moments {
  double mean = 0, rstd = 0;
  Moments(const std::vector<double>& values, const std::vector<std::size_t>& places, double eps) {
    const auto count = static_cast<double>(places.size());
    for (const std::size_t place : places) mean += values[place];
    mean /= count;
    double variance = 0;
    for (const std::size_t place : places) variance += (values[place] - mean) * (values[place] - mean);
    rstd = 1 / std::sqrt(variance / count + eps);
  }
};

/// Writes doubles as the elements of a new tensor, rounded once.
Tensor rounded_tensor(Dispatcher& dispatcher, const Call& call, const Tensor& like, const std::vector<double>& values) {
  const Tensor out = new_cpu_tensor(dispatcher, like.sizes(), like.dtype());
  with_instance(dispatcher, call, like.dtype(), [&](auto type) {
    using T = typename decltype(type)::type;
    if constexpr (is_float_element<T>) std::ranges::transform(values, elements<T>(out), from_sum<T>);
  });
  return out;
}

Tensor cpu_layer_norm(Dispatcher& dispatcher, const Call& call) {
  const Tensor& input = call.tensor(forward::input);
  const Sizes &sizes = input.sizes(), &shape = call.sizes(forward::shape);
  check_layer_norm(call, input, shape, {forward::weight, forward::bias});
  const std::vector<double> x = values_of(input), weight = values_along(call, forward::weight, sizes),
                            bias = values_along(call, forward::bias, sizes);
  std::vector<double> y(x.size());
  if (!y.empty())
    for (const auto& places : rows_of(sizes, last(sizes, shape.size()))) {
      const Moments of(x, places, eps_of(call, forward::eps));
      for (const std::size_t i : places)
        y[i] = (x[i] - of.mean) * of.rstd * (weight.empty() ? 1 : weight[i]) + (bias.empty() ? 0 : bias[i]);
    }
  return rounded_tensor(dispatcher, call, input, y);
}

// With h = g weight and n = (x - mean) rstd the gradient is rstd (h - mean of h - n (mean of h n)).
Tensor cpu_layer_norm_backward(Dispatcher& dispatcher, const Call& call) {
  const Tensor& input = call.tensor(backward::input);
  const Sizes &sizes = input.sizes(), &shape = call.sizes(backward::shape);
  check_layer_norm(call, input, shape, {backward::weight});
  const std::vector<double> g = values_of(call.tensor(backward::gradient)), x = values_of(input),
                            weight = values_along(call, backward::weight, sizes);
  std::vector<double> out(x.size());
  if (!out.empty())
    for (const auto& places : rows_of(sizes, last(sizes, shape.size()))) {
      const Moments of(x, places, eps_of(call, backward::eps));
      const auto count = static_cast<double>(places.size());
      double sum = 0, product = 0;
      for (const std::size_t i : places) {
        const double h = g[i] * (weight.empty() ? 1 : weight[i]);
        sum += h;
        product += h * (x[i] - of.mean) * of.rstd;
      }
      for (const std::size_t i : places) {
        const double h = g[i] * (weight.empty() ? 1 : weight[i]), n = (x[i] - of.mean) * of.rstd;
        out[i] = of.rstd * (h - sum / count - n * product / count);
      }
    }
  return rounded_tensor(dispatcher, call, input, out);
}

Argument given_or_none(const Call& call, std::size_t argument) {
  return call.given(argument) ? call.arguments[argument] : Argument(None{});
}

/// Kernels have a weight if they have a bias, so that a bias alone gets a weight of 1.
Tensor layer_norm_composite(Dispatcher& d, const Call& call) {
  const Tensor& input = call.tensor(forward::input);
  Argument weight = given_or_none(call, forward::weight);
  if (!call.given(forward::weight) && call.given(forward::bias))
    weight = d.call("aten::ones", {call.sizes(forward::shape), input.dtype(), device_argument(input.device())});
  return d.call("aten::native_layer_norm", {input, call.sizes(forward::shape), weight,
                                            given_or_none(call, forward::bias), eps_of(call, forward::eps)});
}

// The gradients of weight and bias are sums over the rows.
Backward layer_norm_backward(const Call& call, Node& node) {
  save(node, call, forward::input, true);
  save(node, call, forward::weight, wanted(node, 0));
  const double eps = eps_of(call, forward::eps);
  const bool has_weight = call.given(forward::weight);
  return [shape = call.sizes(forward::shape), eps, has_weight](Dispatcher& d, const Node& n, const Tensor& g) {
    Gradients out(3);
    const Tensor input = n.saved[0].use(n);
    if (wanted(n, 0))
      out[0] = d.call("aten::native_layer_norm_backward",
                      {g, input, shape, has_weight ? Argument(n.saved[1].use(n)) : Argument(None{}), eps});
    if (wanted(n, 1)) {
      const Tensor normalized = d.call("aten::native_layer_norm", {input, shape, None{}, None{}, eps});
      out[1] = summed_to(d, d.call("aten::mul.Tensor", {g, normalized}), shape);
    }
    if (wanted(n, 2)) out[2] = summed_to(d, g, shape);
    return out;
  };
}

struct Normalized {
  std::vector<Approximate> values;
  Approximate rstd;
};
/// The kernel's steps: the mean, the variance around it, and each element.
Normalized normalized(const RunningError& e, const std::vector<Approximate>& row, double eps) {
  const Approximate count = RunningError::exact(static_cast<double>(row.size()));
  const Approximate mean = e.divide(e.sum(row), count);
  std::vector<Approximate> off, squares;
  for (const Approximate& x : row) {
    off.push_back(e.subtract(x, mean));
    squares.push_back(e.multiply(off.back(), off.back()));
  }
  const Approximate variance = e.divide(e.sum(squares), count);
  const Approximate rounded_eps{eps, eps * 0x1p-24};
  const Approximate rstd = e.divide(RunningError::exact(1), e.sqrt(e.add(variance, rounded_eps)));
  for (Approximate& x : off) x = e.multiply(x, rstd);
  return {std::move(off), rstd};
}

std::vector<double> layer_norm_bounds(const BoundRequest& request) {
  const double eps = eps_of(request.call, forward::eps);
  const auto reduced = last(request.result.sizes(), request.call.sizes(forward::shape).size());
  return row_bounds(request, reduced, [&](const RunningError& e, const Rows& rows) {
    std::vector<Approximate> y = normalized(e, rows[0], eps).values;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (rows.size() > 1) y[i] = e.multiply(y[i], rows[1][i]);
      if (rows.size() > 2) y[i] = e.add(y[i], rows[2][i]);
    }
    return y;
  });
}

std::vector<double> layer_norm_backward_bounds(const BoundRequest& request) {
  const double eps = eps_of(request.call, backward::eps);
  const auto reduced = last(request.result.sizes(), request.call.sizes(backward::shape).size());
  return row_bounds(request, reduced, [&](const RunningError& e, const Rows& rows) {
    const Normalized n = normalized(e, rows[1], eps);
    std::vector<Approximate> h = rows[0], products;
    for (std::size_t i = 0; i < h.size(); ++i) {
      if (rows.size() > 2) h[i] = e.multiply(h[i], rows[2][i]);
      products.push_back(e.multiply(h[i], n.values[i]));
    }
    const Approximate count = RunningError::exact(static_cast<double>(h.size()));
    const Approximate sum = e.divide(e.sum(h), count), product = e.divide(e.sum(products), count);
    for (std::size_t i = 0; i < h.size(); ++i)
      h[i] = e.multiply(n.rstd, e.subtract(e.subtract(h[i], sum), e.multiply(n.values[i], product)));
    return h;
  });
}

/// The sizes of the normalized dimensions come first among the numbers, eps last.
KernelChoice choose_layer_norm(const Sizes& sizes, std::size_t count, std::span<const double> numbers,
                               const std::string& stem) {
  const double eps = numbers.empty() ? default_eps : numbers.back();
  return {stem, {eps}, last(sizes, numbers.empty() ? count : numbers.size() - 1)};
}

TensorType layer_norm_type(std::span<const CheckedArgument> arguments) {
  const TensorType type = float_type_only(arguments);
  const auto& shape = std::get<Sizes>(arguments[forward::shape]);
  if (shape.empty() || shape.size() > type.sizes.size() ||
      !std::equal(shape.rbegin(), shape.rend(), type.sizes.rbegin()))
    throw ArgumentFault{forward::shape,
                        fmt::format("{{}} is {}: normalized_shape must equal its last sizes", shape_text(type.sizes)),
                        type.sizes.empty() ? "give it a dimension" : fmt::format("write [{}]", type.sizes.back())};
  for (const std::size_t scale : {forward::weight, forward::bias}) {
    const auto* const tensor = std::get_if<TensorType>(&arguments[scale]);
    if (tensor != nullptr && (tensor->sizes != shape || tensor->dtype != type.dtype))
      throw ArgumentFault{
          scale,
          fmt::format("{{}} is {} {}; it must be {} {}, like normalized_shape and the input", shape_text(tensor->sizes),
                      name_of(tensor->dtype), shape_text(shape), name_of(type.dtype)),
          "give it that shape and type"};
  }
  return type;
}

Tensor call_layer_norm(Dispatcher& d, const std::vector<Argument>& arguments) {
  const Argument eps = std::holds_alternative<None>(arguments[forward::eps]) ? Argument(default_eps) : arguments[4];
  return d.call("aten::layer_norm", {arguments[0], arguments[1], arguments[2], arguments[3], eps});
}

}  // namespace

OpFamily layer_norms() {
  const auto kernel = [](auto choose_entry) {
    return GpuKernel{.form = GpuKernel::Form::rows,
                     .types = GpuKernel::Types::floats,
                     .module = "layer_norm",
                     .choose = choose_entry};
  };
  return {.ops = {{.name = "aten::layer_norm",
                   .schema = "layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, "
                             "float eps=1e-05) -> Tensor",
                   .by = OpDefinition::ComputedBy::implicit_composite,
                   .how = "calls native_layer_norm",
                   .function = layer_norm_composite,
                   .autocast = Autocast::f32},
                  {.name = "aten::native_layer_norm",
                   .schema = "native_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, "
                             "float eps) -> Tensor",
                   .how = "cpu loops: a row at a time in double",
                   .function = cpu_layer_norm,
                   .derivative = Derivative{"NativeLayerNormBackward0",
                                            "input, weight",
                                            {forward::input, forward::weight, forward::bias},
                                            layer_norm_backward},
                   .autocast = Autocast::f32,
                   .accuracy = {.kind = Accuracy::Kind::bounds,
                                .bounds = layer_norm_bounds,
                                .reason = "the mean and the variance are summed in any order, and their errors carry "
                                          "through the row's arithmetic"},
                   .gpu = kernel([](const Sizes& sizes, std::size_t tensors, std::span<const double> numbers) {
                     return choose_layer_norm(sizes, 1, numbers,
                                              tensors == 1   ? "layer_norm"
                                              : tensors == 2 ? "layer_norm_weight"
                                                             : "layer_norm_affine");
                   })},
                  {.name = "aten::native_layer_norm_backward",
                   .schema = "native_layer_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, "
                             "Tensor? weight, float eps) -> Tensor",
                   .how = "cpu loops: a row at a time in double",
                   .function = cpu_layer_norm_backward,
                   .accuracy = {.kind = Accuracy::Kind::bounds,
                                .bounds = layer_norm_backward_bounds,
                                .reason = "four sums over the row are added in any order, and their errors carry "
                                          "through the row's arithmetic"},
                   .gpu = kernel([](const Sizes& sizes, std::size_t tensors, std::span<const double> numbers) {
                     return choose_layer_norm(sizes, 1, numbers,
                                              tensors == 2 ? "layer_norm_backward" : "layer_norm_backward_weight");
                   })}},
          .functions = {{.name = "layer_norm",
                         .functional = true,
                         .parameters = {{"input"},
                                        {"normalized_shape", Parameter::Kind::sizes, true},
                                        {"weight", Parameter::Kind::tensor_or_none},
                                        {"bias", Parameter::Kind::tensor_or_none},
                                        {"eps", Parameter::Kind::number}},
                         .usage = "layer_norm(a, [4]) or layer_norm(a, [4], weight, bias, eps)",
                         .check = layer_norm_type,
                         .call = call_layer_norm}}};
}

}  // namespace warpwalk::ops
