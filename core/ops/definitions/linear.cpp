// linear: x @ weight.T + bias, and the product with a sum that computes it.
#include <algorithm>

#include <fmt/format.h>

#include "core/ops/cpu/tensor.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/running_error.h"
#include "core/ops/definitions/spreads.h"

namespace warpwalk::ops {
namespace {

/// m x n, and the size that both factors share.
struct MatrixSizes {
  std::size_t m = 0, n = 0, k = 0;
};

MatrixSizes extents_of(const Call& call) {
  const Tensor &added = call.tensor(0), &a = call.tensor(1), &b = call.tensor(2);
  if (a.sizes().size() != 2 || b.sizes().size() != 2 || a.sizes()[1] != b.sizes()[0])
    throw OpError(fmt::format(
        "{}: {} by {}: both must be matrices, and the first must have as many columns as the second has rows",
        call.name(), shape_text(a.sizes()), shape_text(b.sizes())));
  if (a.dtype() != b.dtype() || added.dtype() != a.dtype())
    throw OpError(fmt::format("{} of {}, {} and {}: all must have the same type; convert the others", call.name(),
                              name_of(added.dtype()), name_of(a.dtype()), name_of(b.dtype())));
  return {static_cast<std::size_t>(a.sizes()[0]), static_cast<std::size_t>(b.sizes()[1]),
          static_cast<std::size_t>(a.sizes()[1])};
}

/// The elements along these sizes, in the type that they are added up in.
template <class T>
std::vector<SumOf<T>> gathered(const Tensor& tensor, const Sizes& sizes) {
  const Geometry g = expanded(tensor.geometry(), sizes);
  std::vector<SumOf<T>> values;
  const T* const first = elements<T>(tensor);
  ElementWalk<1>(sizes, {&g.strides}).rows([&](const auto& at, const auto& step, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
      values.push_back(static_cast<SumOf<T>>(widened(first[at[0] + i * step[0]])));
  });
  return values;
}

Tensor cpu_addmm(Dispatcher& dispatcher, const Call& call) {
  const MatrixSizes e = extents_of(call);
  const Tensor &added = call.tensor(0), &a = call.tensor(1), &b = call.tensor(2);
  const Sizes sizes = {a.sizes()[0], b.sizes()[1]};
  const Tensor out = new_cpu_tensor(dispatcher, sizes, a.dtype());
  with_instance(dispatcher, call, a.dtype(), [&](auto type) {
    using T = typename decltype(type)::type;
    const auto left = gathered<T>(a, a.sizes()), right = gathered<T>(b, b.sizes());
    auto sums = gathered<T>(added, sizes);
    for (std::size_t i = 0; i < e.m; ++i)
      for (std::size_t p = 0; p < e.k; ++p)
        for (std::size_t j = 0; j < e.n; ++j) sums[i * e.n + j] += left[i * e.k + p] * right[p * e.n + j];
    std::ranges::transform(sums, elements<T>(out), from_sum<T>);
  });
  return out;
}

Backward addmm_backward(const Call& call, Node& node) {
  save(node, call, 1, wanted(node, 2));
  save(node, call, 2, wanted(node, 1));
  return [](Dispatcher& d, const Node& n, const Tensor& g) {
    Gradients out(3);
    const auto turned = [&](std::size_t saved) { return d.call("aten::t", {n.saved[saved].use(n)}); };
    if (wanted(n, 0)) out[0] = g;
    if (wanted(n, 2)) out[2] = d.call("aten::mm", {turned(0), g});
    if (wanted(n, 1)) out[1] = d.call("aten::mm", {g, turned(1)});
    return out;
  };
}

// A sum of k products and what is added, in any order.
std::vector<double> linear_bounds(const BoundRequest& request) {
  const MatrixSizes e = extents_of(request.call);
  const RunningError arithmetic(request.result.dtype());
  const auto input = [&](std::size_t argument, const Sizes& sizes) {
    return approximate(request, request.call.tensor(argument), sizes);
  };
  const Sizes &of_a = request.call.tensor(1).sizes(), &of_b = request.call.tensor(2).sizes();
  const auto added = input(0, request.result.sizes()), a = input(1, of_a), b = input(2, of_b);
  std::vector<double> all(added.size());
  for (std::size_t i = 0; i < e.m; ++i)
    for (std::size_t j = 0; j < e.n; ++j) {
      const Approximate& start = added[i * e.n + j];
      double value = start.value, size = magnitude(start), error = start.error;
      for (std::size_t p = 0; p < e.k; ++p) {
        const Approximate &x = a[i * e.k + p], &y = b[p * e.n + j];
        value += x.value * y.value;
        size += magnitude(x) * magnitude(y);
        error += product_difference(x, y);
      }
      all[i * e.n + j] = arithmetic.bound(arithmetic.sum(value, size, error, e.k + 2));
    }
  return all;
}

// Follows PyTorch's linear. With a bias, calls addmm on a matrix or on the rows of a contiguous tensor. Otherwise calls
// matmul, and add for the bias.
Tensor linear(Dispatcher& d, const Call& call) {
  const Tensor &input = call.tensor(0), &weight = call.tensor(1);
  const std::size_t dims = input.sizes().size();
  if (dims == 0 || weight.sizes().empty())
    throw OpError(fmt::format("{}: {} and {}: both need at least one dimension", call.name(), shape_text(input.sizes()),
                              shape_text(weight.sizes())));
  const Tensor turned = d.call("aten::t", {weight});
  const bool bias = call.given(2);
  if (bias && dims == 2 && weight.sizes().size() == 2) return d.call("aten::addmm", {call.tensor(2), input, turned});
  if (bias && dims != 2 && weight.sizes().size() == 2 && input.geometry().contiguous()) {
    const std::int64_t columns = input.sizes().back();
    Sizes result(input.sizes().begin(), input.sizes().end() - 1);
    const Tensor rows = d.call("aten::reshape", {input, Sizes{count_of(result), columns}});
    result.push_back(weight.sizes()[0]);
    return d.call("aten::view", {d.call("aten::addmm", {call.tensor(2), rows, turned}), result});
  }
  const Tensor product = d.call("aten::matmul", {input, turned});
  return bias ? d.call("aten::add.Tensor", {product, call.tensor(2)}) : product;
}

TensorType linear_type(std::span<const CheckedArgument> arguments) {
  const TensorType &input = tensor_type(arguments, 0), &weight = tensor_type(arguments, 1);
  if (weight.sizes.empty() || weight.sizes.size() > 2)
    throw ArgumentFault{1, fmt::format("{{}} is {}: a weight is outputs x inputs", shape_text(weight.sizes)),
                        "give it two dimensions"};
  if (input.sizes.empty() || input.sizes.back() != weight.sizes.back())
    throw ArgumentFault{1,
                        fmt::format("{{}} is {}, the input is {}: their last sizes must be equal",
                                    shape_text(weight.sizes), shape_text(input.sizes)),
                        "a weight is outputs x inputs"};
  if (weight.dtype != input.dtype)
    throw ArgumentFault{1,
                        fmt::format("{{}} is {}, the input is {}: they must have the same type", name_of(weight.dtype),
                                    name_of(input.dtype)),
                        "give all inputs the same --dtype"};
  TensorType result = input;
  result.sizes.pop_back();
  if (weight.sizes.size() == 2) result.sizes.push_back(weight.sizes[0]);
  const auto* const bias = std::get_if<TensorType>(&arguments[2]);
  if (bias == nullptr) return result;
  const bool fits = bias->sizes.size() <= 1 && (bias->sizes.empty() || bias->sizes[0] == 1 ||
                                                (weight.sizes.size() == 2 && bias->sizes[0] == weight.sizes[0]));
  if (!fits || weight.sizes.size() != 2)
    throw ArgumentFault{2, fmt::format("{{}} is {}: a bias has one element for each output", shape_text(bias->sizes)),
                        weight.sizes.size() == 2 ? fmt::format("give it {} elements", weight.sizes[0])
                                                 : "with a bias, the weight must have two dimensions"};
  if (bias->dtype != input.dtype)
    throw ArgumentFault{2,
                        fmt::format("{{}} is {}, the input is {}: they must have the same type", name_of(bias->dtype),
                                    name_of(input.dtype)),
                        "give all inputs the same --dtype"};
  return result;
}

}  // namespace

OpFamily linears() {
  return {.ops = {{.name = "aten::linear",
                   .schema = "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
                   .by = OpDefinition::ComputedBy::implicit_composite,
                   .how = "addmm, or matmul and add",
                   .function = linear,
                   .autocast = Autocast::low_precision},
                  {.name = "aten::addmm",
                   .schema = "addmm(Tensor self, Tensor mat1, Tensor mat2) -> Tensor",
                   .how = "cpu loops: addmm, sums in double",
                   .function = cpu_addmm,
                   .derivative = Derivative{"AddmmBackward0", "mat1, mat2", {0, 1, 2}, addmm_backward},
                   .autocast = Autocast::low_precision,
                   .accuracy = {.kind = Accuracy::Kind::bounds,
                                .bounds = linear_bounds,
                                .reason = "the products and the added tensor are rounded and summed in any order"},
                   .gpu = {.form = GpuKernel::Form::addmm, .module = "addmm"}}},
          .functions = {{.name = "linear",
                         .functional = true,
                         .parameters = {{"input"},
                                        {"weight", Parameter::Kind::tensor, true},
                                        {"bias", Parameter::Kind::tensor_or_none}},
                         .usage = "linear(a, weight) or linear(a, weight, bias)",
                         .check = linear_type,
                         .op = "aten::linear"}}};
}

}  // namespace warpwalk::ops
