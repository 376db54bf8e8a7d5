// Means over all or some dimensions: a sum, divided by the number of its terms.
#include <algorithm>

#include <fmt/format.h>

#include "core/ops/definitions/all_definitions.h"

namespace warpwalk::ops {
namespace {

/// f16 and bf16 are summed and divided in f32, as PyTorch does, so that large means do not overflow.
Tensor mean_of(Dispatcher& d, const Call& call, const Argument& dims, bool keep) {
  const Tensor& self = call.tensor(0);
  const DType dtype = self.dtype();
  if (!is_float(dtype))
    throw OpError(fmt::format("{}: {} cannot hold a mean: cast it to f32 first", call.name(), name_of(dtype)));
  const DType summed = dtype == DType::f64 ? DType::f64 : DType::f32;
  const Tensor terms = d.call("aten::to.dtype", {self, summed});
  const Tensor sum = d.call("aten::sum.dim_IntList", {terms, dims, keep});
  const double count = sum.count() == 0 ? 1 : static_cast<double>(self.count()) / static_cast<double>(sum.count());
  return d.call("aten::to.dtype", {d.call("aten::div.Tensor", {sum, count}), dtype});
}

Tensor mean(Dispatcher& d, const Call& call) { return mean_of(d, call, None{}, false); }

Tensor mean_dim(Dispatcher& d, const Call& call) {
  return mean_of(d, call, call.given(1) ? call.arguments[1] : Argument(None{}), call.flag(2));
}

// The gradient of the sum, divided by the number of terms.
Backward mean_backward(const Call& call, Node&) {
  const Sizes sizes = call.tensor(0).sizes();
  std::vector<bool> gone(sizes.size());
  const bool kept = call.flag(2) || sizes.empty();
  if (!kept && call.given(1))
    for (const std::int64_t dim : call.sizes(1)) gone[wrapped_dim(dim, sizes.size())] = true;
  return [sizes, gone](Dispatcher& d, const Node& node, const Tensor& g) {
    Tensor whole = g;
    for (std::size_t dim = 0; dim < gone.size(); ++dim)
      if (gone[dim]) whole = d.call("aten::unsqueeze", {whole, static_cast<std::int64_t>(dim)});
    const double count =
        static_cast<double>(count_of(sizes)) / std::max(1.0, static_cast<double>(count_of(node.sizes)));
    return Gradients{d.call("aten::div.Tensor", {d.call("aten::expand", {whole, sizes}), count})};
  };
}

TensorType mean_type(std::span<const CheckedArgument> arguments) {
  return {float_type_only(arguments).dtype, reduced_sizes(arguments)};
}

Tensor call_mean(Dispatcher& d, const std::vector<Argument>& arguments) {
  if (std::holds_alternative<None>(arguments[1])) return d.call("aten::mean", {arguments[0]});
  const auto* const keep = std::get_if<bool>(&arguments[2]);
  return d.call("aten::mean.dim", {arguments[0], arguments[1], keep != nullptr && *keep});
}

}  // namespace

OpFamily means() {
  return {.ops = {{.name = "aten::mean",
                   .schema = "mean(Tensor self, *, ScalarType? dtype=None) -> Tensor",
                   .by = OpDefinition::ComputedBy::explicit_composite,
                   .how = "sum, then divide by the number of terms",
                   .function = mean,
                   .derivative = Derivative{"MeanBackward0", "", {0}, mean_backward}},
                  {.name = "aten::mean.dim",
                   .schema = "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
                             "Tensor",
                   .by = OpDefinition::ComputedBy::explicit_composite,
                   .how = "sum, then divide by the number of terms",
                   .function = mean_dim,
                   .derivative = Derivative{"MeanBackward1", "", {0}, mean_backward}}},
          .functions = {{.name = "mean",
                         .parameters = {{"input"}, {"dim", Parameter::Kind::dims}, {"keepdim", Parameter::Kind::flag}},
                         .usage = "mean(a), mean(a, dim) or mean(a, dim, keepdim)",
                         .check = mean_type,
                         .call = call_mean}}};
}

}  // namespace warpwalk::ops
