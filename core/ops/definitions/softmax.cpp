// softmax and log_softmax along a dimension.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/ops/cpu/tensor.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/running_error.h"

namespace warpwalk::ops {
namespace {

std::vector<bool> along(const Sizes& sizes, std::int64_t dim) {
  std::vector<bool> reduced(std::max<std::size_t>(sizes.size(), 1));
  reduced[wrapped_dim(dim, reduced.size())] = true;
  reduced.resize(sizes.size());
  return reduced;
}

/// `formula(row of each tensor argument)` gives a row of results; all in double, rounded once.
template <class Formula>
Tensor by_rows(Dispatcher& dispatcher, const Call& call, std::size_t tensors, std::int64_t dim, Formula formula) {
  const Tensor& self = call.tensor(0);
  if (!is_float(self.dtype()))
    throw OpError(
        fmt::format("{}: {} is not a floating-point type: cast it to f32 first", call.name(), name_of(self.dtype())));
  const std::vector<bool> reduced = along(self.sizes(), dim);
  const Tensor out = new_cpu_tensor(dispatcher, self.sizes(), self.dtype());
  std::vector<std::vector<double>> inputs, row(tensors);
  for (std::size_t t = 0; t < tensors; ++t) inputs.push_back(values_of(call.tensor(t)));
  with_instance(dispatcher, call, self.dtype(), [&](auto type) {
    using T = typename decltype(type)::type;
    T* const to = elements<T>(out);
    for (const std::vector<std::size_t>& places : rows_of(self.sizes(), reduced)) {
      for (std::size_t t = 0; t < tensors; ++t) {
        row[t].clear();
        for (const std::size_t place : places) row[t].push_back(inputs[t][place]);
      }
      const std::vector<double> results = formula(row);
      for (std::size_t i = 0; i < places.size(); ++i)
        if constexpr (is_float_element<T>) to[places[i]] = from_sum<T>(results[i]);
    }
  });
  return out;
}

/// NaN if any element is NaN.
double largest_of(const std::vector<double>& row) {
  double largest = -INFINITY;
  for (const double x : row) largest = x > largest || x != x ? x : largest;
  return std::ranges::any_of(row, [](double x) { return x != x; }) ? NAN : largest;
}

template <bool log>
Tensor cpu_softmax(Dispatcher& dispatcher, const Call& call) {
  return by_rows(dispatcher, call, 1, call.integer(1), [](const std::vector<std::vector<double>>& rows) {
    std::vector<double> row = rows[0];
    const double largest = largest_of(row);
    double sum = 0;
    for (double& x : row) sum += std::exp(x -= largest);
    for (double& x : row) x = log ? x - std::log(sum) : std::exp(x) / sum;
    return row;
  });
}

// softmax: y (g - sum of g y); log_softmax: g - e^y (sum of g).
template <bool log>
Tensor cpu_softmax_backward(Dispatcher& dispatcher, const Call& call) {
  return by_rows(dispatcher, call, 2, call.integer(2), [](const std::vector<std::vector<double>>& rows) {
    const std::vector<double>&g = rows[0], &y = rows[1];
    double sum = 0;
    for (std::size_t i = 0; i < g.size(); ++i) sum += log ? g[i] : g[i] * y[i];
    std::vector<double> row(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) row[i] = log ? g[i] - std::exp(y[i]) * sum : y[i] * (g[i] - sum);
    return row;
  });
}

template <bool log>
Backward softmax_backward(const Call& call, Node&) {
  return [dim = call.integer(1), dtype = call.tensor(0).dtype()](Dispatcher& d, const Node& n, const Tensor& g) {
    return Gradients{d.call(log ? "aten::_log_softmax_backward_data" : "aten::_softmax_backward_data",
                            {g, n.saved[0].use(n), dim, dtype})};
  };
}

/// PyTorch's function: it calls the op that has a kernel.
template <bool log>
Tensor softmax_composite(Dispatcher& d, const Call& call) {
  return d.call(log ? "aten::_log_softmax" : "aten::_softmax", {call.tensor(0), call.integer(1), false});
}

// Follows the kernel's steps. If the elements of a row are off by up to d, x - largest is off by up to 2 d.
template <bool log>
std::vector<double> softmax_bounds(const BoundRequest& request) {
  const std::vector<bool> reduced = along(request.result.sizes(), request.call.integer(1));
  return row_bounds(request, reduced, [](const RunningError& e, const Rows& rows) {
    std::vector<Approximate> below = rows[0];
    Approximate largest{-INFINITY, 0};
    for (const Approximate& x : below) largest = {std::max(largest.value, x.value), std::max(largest.error, x.error)};
    std::vector<Approximate> powers;
    for (Approximate& x : below) {
      x = e.subtract(x, largest);
      powers.push_back(e.exp(x));
    }
    const Approximate sum = e.sum(powers);
    const Approximate logarithm = log ? e.log(sum) : Approximate();
    for (std::size_t i = 0; i < below.size(); ++i)
      below[i] = log ? e.subtract(below[i], logarithm) : e.divide(powers[i], sum);
    return below;
  });
}

template <bool log>
std::vector<double> softmax_backward_bounds(const BoundRequest& request) {
  const std::vector<bool> reduced = along(request.result.sizes(), request.call.integer(2));
  return row_bounds(request, reduced, [](const RunningError& e, const Rows& rows) {
    const std::vector<Approximate>&g = rows[0], &y = rows[1];
    std::vector<Approximate> terms, row;
    for (std::size_t i = 0; i < g.size(); ++i) terms.push_back(log ? g[i] : e.multiply(g[i], y[i]));
    const Approximate sum = e.sum(terms);
    for (std::size_t i = 0; i < g.size(); ++i)
      row.push_back(log ? e.subtract(g[i], e.multiply(e.exp(y[i]), sum)) : e.multiply(y[i], e.subtract(g[i], sum)));
    return row;
  });
}

template <bool log>
KernelChoice choose_softmax(const Sizes& sizes, std::size_t tensors, std::span<const double> numbers) {
  std::string stem = log ? "log_softmax" : "softmax";
  if (tensors == 2) stem += "_backward";
  return {stem, {}, along(sizes, static_cast<std::int64_t>(numbers.empty() ? -1 : numbers[0]))};
}

TensorType softmax_type(std::span<const CheckedArgument> arguments) {
  const TensorType type = float_type_only(arguments);
  checked_dim(std::get<std::int64_t>(arguments[1]), type.sizes, 1);
  return type;
}

template <bool log>
void add_to(OpFamily& family) {
  const GpuKernel kernel = {.form = GpuKernel::Form::rows,
                            .types = GpuKernel::Types::floats,
                            .module = "softmax_rows",
                            .f32_module = log ? "" : "softmax",
                            .choose = choose_softmax<log>};
  family.ops.push_back({.name = log ? "aten::log_softmax.int" : "aten::softmax.int",
                        .schema = log ? "log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"
                                      : "softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
                        .by = OpDefinition::ComputedBy::implicit_composite,
                        .how = log ? "calls _log_softmax" : "calls _softmax",
                        .function = softmax_composite<log>,
                        .autocast = Autocast::f32});
  family.ops.push_back(
      {.name = log ? "aten::_log_softmax" : "aten::_softmax",
       .schema = log ? "_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"
                     : "_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
       .how = "cpu loops: a row at a time in double",
       .function = cpu_softmax<log>,
       .derivative =
           Derivative{log ? "LogSoftmaxBackward0" : "SoftmaxBackward0", "result", {0}, softmax_backward<log>, true},
       .accuracy = {.kind = Accuracy::Kind::bounds,
                    .bounds = softmax_bounds<log>,
                    .reason = log ? "the exponentials are within 2 ulp, their sum is added in any order and its "
                                    "logarithm is within 1 ulp; these errors carry through the row's arithmetic"
                                  : "the exponentials are within 2 ulp and their sum is added in any order; these "
                                    "errors carry through the row's arithmetic"},
       .gpu = kernel});
  family.ops.push_back({.name = log ? "aten::_log_softmax_backward_data" : "aten::_softmax_backward_data",
                        .schema = log ? "_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, "
                                        "ScalarType input_dtype) -> Tensor"
                                      : "_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType "
                                        "input_dtype) -> Tensor",
                        .how = "cpu loops: a row at a time in double",
                        .function = cpu_softmax_backward<log>,
                        .accuracy = {.kind = Accuracy::Kind::bounds,
                                     .bounds = softmax_backward_bounds<log>,
                                     .reason = "the row is summed in any order, and the error propagates"},
                        .gpu = kernel});
  family.ops.back().gpu.f32_module = "";
  family.functions.push_back({.name = log ? "log_softmax" : "softmax",
                              .functional = true,
                              .parameters = {{"input"}, {"dim", Parameter::Kind::dim, true}},
                              .usage = log ? "log_softmax(a, dim)" : "softmax(a, dim)",
                              .check = softmax_type,
                              .op = log ? "aten::log_softmax.int" : "aten::softmax.int"});
}

}  // namespace

OpFamily softmaxes() {
  OpFamily family;
  add_to<false>(family);
  add_to<true>(family);
  return family;
}

}  // namespace warpwalk::ops
