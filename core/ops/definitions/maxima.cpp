// The largest elements: max of all, amax over some dimensions.
#include <algorithm>

#include "core/ops/cpu/binary.h"
#include "core/ops/cpu/element.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/running_error.h"
#include "core/ops/definitions/spreads.h"

namespace warpwalk::ops {
namespace {

/// Which dimensions of `sizes` a list names; no list, or an empty one, names all.
std::vector<bool> reduced_dims(const Call& call) {
  const std::size_t dims = call.tensor(0).sizes().size();
  const Sizes list = call.given(1) ? call.sizes(1) : Sizes{};
  std::vector<bool> reduced(std::max<std::size_t>(dims, 1), list.empty());
  for (const std::int64_t dim : list) {
    const std::size_t d = wrapped_dim(dim, reduced.size());
    if (reduced[d]) throw OpError(fmt::format("{}: dimension {} is named twice", call.name(), d));
    reduced[d] = true;
  }
  reduced.resize(dims);
  return reduced;
}

void refuse_nothing(const Call& call, const std::vector<bool>& reduced) {
  const Sizes& sizes = call.tensor(0).sizes();
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (reduced[d] && sizes[d] == 0)
      throw OpError(fmt::format("{}: dimension {} of {} has no elements, so it has no maximum", call.name(), d,
                                shape_text(sizes)));
}

Tensor cpu_amax(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  const std::vector<bool> reduced = reduced_dims(call);
  refuse_nothing(call, reduced);
  Sizes kept, sizes;
  for (std::size_t d = 0; d < reduced.size(); ++d) {
    kept.push_back(reduced[d] ? 1 : self.sizes()[d]);
    if (!reduced[d] || call.flag(2)) sizes.push_back(kept.back());
  }
  const Tensor out = new_cpu_tensor(dispatcher, sizes, self.dtype());
  Sizes strides = row_major(kept);
  for (std::size_t d = 0; d < reduced.size(); ++d)
    if (reduced[d]) strides[d] = 0;
  with_instance(dispatcher, call, self.dtype(), [&](auto type) {
    using T = typename decltype(type)::type;
    std::vector<bool> seen(static_cast<std::size_t>(out.count()));
    T* const to = elements<T>(out);
    const T* const from = elements<T>(self);
    ElementWalk<2>(self.sizes(), {&self.strides(), &strides})
        .rows([&](const auto& at, const auto& step, std::int64_t count) {
          for (std::int64_t i = 0; i < count; ++i) {
            const auto place = static_cast<std::size_t>(at[1] + i * step[1]);
            const T element = from[at[0] + i * step[0]];
            to[place] = seen[place] ? narrowed<T>(larger(widened(to[place]), widened(element))) : element;
            seen[place] = true;
          }
        });
  });
  return out;
}

Tensor max_all(Dispatcher& d, const Call& call) {
  if (call.tensor(0).count() == 0)
    throw OpError(
        fmt::format("{}: {} has no elements, so it has no maximum", call.name(), shape_text(call.tensor(0).sizes())));
  return d.call("aten::amax", {call.tensor(0), Sizes{}, false});
}

/// 1 where x is as large as the largest, else 0. NaN equals NaN.
Tensor cpu_equal_mask(Dispatcher& dispatcher, const Call& call) {
  return combined_tensors<2>(dispatcher, call, promoted_arguments(call, 2), [](auto) {
    return
        [](auto x, auto largest) { return static_cast<decltype(x)>(x == largest || (x != x && largest != largest)); };
  });
}

// The gradient is shared out evenly among the elements that are as large as the largest.
Backward shared_evenly(const Call& call, Node& node) {
  save(node, call, 0, true);
  std::vector<bool> gone = reduced_dims(call);
  if (call.flag(2)) gone.assign(gone.size(), false);
  Sizes dims;
  for (std::size_t d = 0; d < gone.size(); ++d)
    if (reduced_dims(call)[d]) dims.push_back(static_cast<std::int64_t>(d));
  return [gone, dims](Dispatcher& d, const Node& n, const Tensor& g) {
    const Tensor self = n.saved[0].use(n);
    Tensor gradient = g, largest = n.saved[1].use(n);
    for (std::size_t dim = 0; dim < gone.size(); ++dim)
      if (gone[dim]) {
        gradient = d.call("aten::unsqueeze", {gradient, static_cast<std::int64_t>(dim)});
        largest = d.call("aten::unsqueeze", {largest, static_cast<std::int64_t>(dim)});
      }
    const Tensor mask = d.call("warpwalk::equal_mask", {self, largest});
    const Tensor count = d.call("aten::sum.dim_IntList", {mask, dims, true});
    return Gradients{d.call("aten::mul.Tensor", {mask, d.call("aten::div.Tensor", {gradient, count})})};
  };
}

// The largest of values moves by the largest of their errors at most.
std::vector<double> maxima_bounds(const BoundRequest& request) {
  const Tensor& self = request.call.tensor(0);
  const std::vector<double> errors = request.errors(self);
  const std::vector<bool> reduced = reduced_dims(request.call);
  std::vector<double> largest(static_cast<std::size_t>(request.result.count()));
  if (errors.empty()) return largest;
  std::vector<bool> kept(reduced);
  kept.flip();
  // Rows over the kept dimensions visit the results in order.
  for (const auto& places : rows_of(self.sizes(), kept))
    for (std::size_t i = 0; i < places.size(); ++i) largest[i] = std::max(largest[i], errors[places[i]]);
  return largest;
}

// An element that may be the largest or not may be in the mask or not.
Spread mask_spread(const ElementInputs& in) {
  const Approximate &x = in.tensors[0], &largest = in.tensors[1];
  const double reach = x.error + largest.error;
  return {reach > 0 && std::abs(x.value - largest.value) <= reach ? 1.0 : 0.0, 1, 0};
}

TensorType max_type(std::span<const CheckedArgument> arguments) {
  const TensorType& type = tensor_type(arguments);
  if (!std::holds_alternative<None>(arguments[1]) || !std::holds_alternative<None>(arguments[2]))
    throw ArgumentFault{
        std::holds_alternative<None>(arguments[1]) ? std::size_t{2} : std::size_t{1},
        "max over a dimension returns two tensors, values and indices, but an expression has one result",
        "write amax(a, dim) for the values"};
  if (count_of(type.sizes) == 0)
    throw ArgumentFault{0, "{} has no elements, so it has no maximum", "give it a larger shape"};
  return {type.dtype, {}};
}

TensorType amax_type(std::span<const CheckedArgument> arguments) {
  const TensorType& type = tensor_type(arguments);
  const Sizes sizes = reduced_sizes(arguments);
  if (count_of(type.sizes) == 0 && count_of(sizes) != 0)
    throw ArgumentFault{0, "{} has no elements, so it has no maximum", "give it a larger shape"};
  return {type.dtype, sizes};
}

Tensor call_amax(Dispatcher& d, const std::vector<Argument>& arguments) {
  const auto* const keep = std::get_if<bool>(&arguments[2]);
  return d.call("aten::amax",
                {arguments[0], std::holds_alternative<None>(arguments[1]) ? Argument(Sizes{}) : arguments[1],
                 keep != nullptr && *keep});
}

Tensor call_max(Dispatcher& d, const std::vector<Argument>& arguments) { return d.call("aten::max", {arguments[0]}); }

}  // namespace

OpFamily maxima() {
  return {.ops = {{.name = "aten::amax",
                   .schema = "amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
                   .how = "cpu loop: the largest element",
                   .function = cpu_amax,
                   .derivative = Derivative{"AmaxBackward0", "self, result", {0}, shared_evenly, true},
                   .accuracy = {.bounds = maxima_bounds},
                   .gpu = {.form = GpuKernel::Form::reduction, .module = "amax"}},
                  {.name = "aten::max",
                   .schema = "max(Tensor self) -> Tensor",
                   .by = OpDefinition::ComputedBy::explicit_composite,
                   .how = "amax over all dimensions",
                   .function = max_all,
                   .derivative = Derivative{"MaxBackward1", "self, result", {0}, shared_evenly, true}},
                  {.name = "warpwalk::equal_mask",
                   .schema = "equal_mask(Tensor self, Tensor largest) -> Tensor",
                   .how = "cpu loop: 1 where equal",
                   .function = cpu_equal_mask,
                   .accuracy = {.spread = mask_spread},
                   .gpu = {.form = GpuKernel::Form::elementwise, .types = GpuKernel::Types::floats, .module = "amax"}}},
          .functions = {{.name = "max",
                         .parameters = {{"input"}, {"dim", Parameter::Kind::dims}, {"keepdim", Parameter::Kind::flag}},
                         .usage = "max(a)",
                         .check = max_type,
                         .call = call_max},
                        {.name = "amax",
                         .parameters = {{"input"}, {"dim", Parameter::Kind::dims}, {"keepdim", Parameter::Kind::flag}},
                         .usage = "amax(a, dim) or amax(a, dim, keepdim)",
                         .check = amax_type,
                         .call = call_amax}}};
}

}  // namespace warpwalk::ops
