// Sums over all or some dimensions.
#include <algorithm>

#include "core/ops/cpu/functions.h"
#include "core/ops/definitions/all_definitions.h"

namespace warpwalk::ops {
namespace {

Tensor sum_all(Dispatcher& d, const Call& call) {
  const Argument dtype = call.given(1) ? call.arguments[1] : None{};
  return d.call("aten::sum.dim_IntList", {call.tensor(0), None{}, false, dtype});
}

Backward sum_backward(const Call& call, Node&) {
  return [sizes = call.tensor(0).sizes()](Dispatcher& d, const Node&, const Tensor& g) {
    return Gradients{d.call("aten::expand", {g, sizes})};
  };
}

// The dimensions that were summed away come back with size 1, lowest first.
Backward sum_dim_backward(const Call& call, Node&) {
  const Sizes sizes = call.tensor(0).sizes();
  std::vector<bool> gone(sizes.size());
  // A scalar takes dim 0 and -1, and has none that could go.
  if (call.given(1) && !call.flag(2) && !sizes.empty())
    for (const std::int64_t dim : call.sizes(1)) gone[wrapped_dim(dim, sizes.size())] = true;
  return [sizes, gone](Dispatcher& d, const Node&, const Tensor& g) {
    Tensor whole = g;
    for (std::size_t dim = 0; dim < gone.size(); ++dim)
      if (gone[dim]) whole = d.call("aten::unsqueeze", {whole, static_cast<std::int64_t>(dim)});
    return Gradients{d.call("aten::expand", {whole, sizes})};
  };
}

std::int64_t summed_terms(std::span<const Argument> arguments, std::int64_t results) {
  const auto* const first = arguments.empty() ? nullptr : std::get_if<Tensor>(&arguments.front());
  if (first == nullptr || !first->defined() || results == 0) return 1;
  return std::max<std::int64_t>(1, first->count() / results);
}

TensorType sum_type(std::span<const CheckedArgument> arguments) {
  const DType dtype = tensor_type(arguments).dtype;
  return {is_float(dtype) ? dtype : DType::i64, reduced_sizes(arguments)};
}

Tensor call_sum(Dispatcher& d, const std::vector<Argument>& arguments) {
  if (std::holds_alternative<None>(arguments[1])) return d.call("aten::sum", {arguments[0]});
  return d.call("aten::sum.dim_IntList", {arguments[0], arguments[1],
                                          std::holds_alternative<bool>(arguments[2]) && std::get<bool>(arguments[2])});
}

}  // namespace

OpFamily sums() {
  return {.ops = {{.name = "aten::sum",
                   .schema = "sum(Tensor self, *, ScalarType? dtype=None) -> Tensor",
                   .by = OpDefinition::ComputedBy::explicit_composite,
                   .how = "sum over all dimensions",
                   .function = sum_all,
                   .derivative = Derivative{"SumBackward0", "", {0}, sum_backward},
                   .autocast = Autocast::f32,
                   .accuracy = {.kind = Accuracy::Kind::sums, .terms = summed_terms},
                   .gpu = {.form = GpuKernel::Form::reduction, .adds = true, .module = "sum"}},
                  {.name = "aten::sum.dim_IntList",
                   .schema = "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) "
                             "-> Tensor",
                   .how = "cpu loop: sums in double",
                   .function = cpu_sum,
                   .derivative = Derivative{"SumBackward1", "", {0}, sum_dim_backward},
                   .autocast = Autocast::f32,
                   .accuracy = {.kind = Accuracy::Kind::sums, .terms = summed_terms},
                   .gpu = {.form = GpuKernel::Form::reduction, .adds = true, .module = "sum"}}},
          .functions = {{.name = "sum",
                         .parameters = {{"input"}, {"dim", Parameter::Kind::dims}, {"keepdim", Parameter::Kind::flag}},
                         .usage = "sum(a), sum(a, dim) or sum(a, dim, keepdim)",
                         .check = sum_type,
                         .call = call_sum}}};
}

}  // namespace warpwalk::ops
