// Views, which share the storage of their tensor and compute nothing, and the ops that take gradients back through
// them.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/op_calls.h"

namespace warpwalk::ops {
namespace {

constexpr Derivative::Kind view_kind = Derivative::Kind::view;

Tensor view(Dispatcher&, const Call& call) {
  const Tensor& self = call.tensor(0);
  const Sizes& sizes = call.sizes(1);
  auto geometry = viewed(self.geometry(), sizes);
  if (!geometry)
    throw OpError(
        fmt::format("{}: the strides of this {} tensor allow no view of sizes {}; reshape copies where needed",
                    call.name(), shape_text(self.sizes()), shape_text(inferred_sizes(sizes, self.count()))));
  return self.with(std::move(*geometry));
}

Tensor t(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  const std::size_t dims = self.geometry().dims();
  if (dims > 2)
    throw OpError(fmt::format("{}: {} has {} dimensions, but t takes at most 2; use transpose or permute", call.name(),
                              shape_text(self.sizes()), dims));
  if (dims < 2) return self.with(self.geometry());
  return dispatcher.call("aten::transpose.int", {self, std::int64_t{0}, std::int64_t{1}});
}

Tensor slice(Dispatcher&, const Call& call) {
  const Tensor& self = call.tensor(0);
  return self.with(sliced(self.geometry(), call.optional_integer(1).value_or(0), call.optional_integer(2),
                          call.optional_integer(3), call.optional_integer(4).value_or(1)));
}

/// Another geometry on the same storage.
template <Geometry (*change)(const Call&, const Geometry&)>
Tensor changed(Dispatcher&, const Call& call) {
  const Tensor& self = call.tensor(0);
  return self.with(change(call, self.geometry()));
}

Geometry transposed_by(const Call& call, const Geometry& g) { return transposed(g, call.integer(1), call.integer(2)); }
Geometry permuted_by(const Call& call, const Geometry& g) { return permuted(g, call.sizes(1)); }
Geometry selected_by(const Call& call, const Geometry& g) { return selected(g, call.integer(1), call.integer(2)); }
Geometry expanded_by(const Call& call, const Geometry& g) { return expanded(g, call.sizes(1)); }
Geometry squeezed_by(const Call& call, const Geometry& g) { return squeezed(g, call.integer(1)); }
Geometry unsqueezed_by(const Call& call, const Geometry& g) { return unsqueezed(g, call.integer(1)); }
Geometry unchanged(const Call&, const Geometry& g) { return g; }

Tensor zeros_for(Dispatcher& dispatcher, const Call& call) {
  const Tensor& gradient = call.tensor(0);
  return dispatcher.call("aten::zeros", {call.sizes(1), gradient.dtype(), device_argument(gradient.device())});
}

Tensor slice_backward(Dispatcher& dispatcher, const Call& call) {
  Tensor whole = zeros_for(dispatcher, call);
  const auto& a = call.arguments;
  const Tensor part = dispatcher.call("aten::slice.Tensor", {whole, a.at(2), a.at(3), a.at(4), a.at(5)});
  dispatcher.call("aten::copy_", {part, call.tensor(0)});
  return whole;
}

Tensor select_backward(Dispatcher& dispatcher, const Call& call) {
  Tensor whole = zeros_for(dispatcher, call);
  const Tensor part = dispatcher.call("aten::select.int", {whole, call.integer(2), call.integer(3)});
  dispatcher.call("aten::copy_", {part, call.tensor(0)});
  return whole;
}

Tensor reshape(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  const Sizes sizes = inferred_sizes(call.sizes(1), self.count());
  if (viewed(self.geometry(), sizes)) return dispatcher.call("aten::view", {self, sizes});
  // Nobody else holds the copy, so that its view needs no protection against changes in place.
  return dispatcher.call("aten::_unsafe_view", {dispatcher.call("aten::clone", {self}), sizes});
}

Tensor contiguous(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  return self.geometry().contiguous() ? self : dispatcher.call("aten::clone", {self});
}

Tensor numpy_t(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  Sizes order(self.geometry().dims());
  std::iota(order.rbegin(), order.rend(), std::int64_t{0});
  return dispatcher.call("aten::permute", {self, order});
}

TensorType transposed_type(std::span<const CheckedArgument> arguments) {
  TensorType type = tensor_type(arguments);
  if (type.sizes.size() > 2)
    throw ArgumentFault{0, fmt::format("t() swaps two dimensions; {{}} has {} dimensions", type.sizes.size()),
                        ".T reverses all of them"};
  std::ranges::reverse(type.sizes);
  return type;
}

Backward calling(std::string_view op, std::vector<Argument> rest) {
  return [op, rest = std::move(rest)](Dispatcher& d, const Node&, const Tensor& g) {
    std::vector<Argument> arguments = {g};
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    return Gradients{d.call(op, std::move(arguments))};
  };
}

Backward view_backward(const Call& call, Node&) { return calling("aten::reshape", {call.tensor(0).sizes()}); }

Backward t_backward(const Call&, Node&) { return calling("aten::t", {}); }

Backward transpose_backward(const Call& call, Node&) {
  return calling("aten::transpose.int", {call.integer(1), call.integer(2)});
}

Backward permute_backward(const Call& call, Node&) {
  const Sizes& order = call.sizes(1);
  Sizes back(order.size());
  for (std::size_t d = 0; d < order.size(); ++d)
    back[wrapped_dim(order[d], order.size())] = static_cast<std::int64_t>(d);
  return calling("aten::permute", {std::move(back)});
}

Backward slice_node(const Call& call, Node&) {
  const auto bound = [&](std::size_t argument) {
    return call.given(argument) ? Argument(call.integer(argument)) : Argument(None{});
  };
  return calling("aten::slice_backward", {call.tensor(0).sizes(), call.optional_integer(1).value_or(0), bound(2),
                                          bound(3), call.optional_integer(4).value_or(1)});
}

Backward slice_backward_node(const Call& call, Node&) {
  const auto& a = call.arguments;
  return calling("aten::slice.Tensor", {a.at(2), a.at(3), a.at(4), a.at(5)});
}

Backward select_node(const Call& call, Node&) {
  return calling("aten::select_backward", {call.tensor(0).sizes(), call.integer(1), call.integer(2)});
}

Backward select_backward_node(const Call& call, Node&) {
  return calling("aten::select.int", {call.integer(2), call.integer(3)});
}

Backward expand_backward(const Call& call, Node&) {
  return [sizes = call.tensor(0).sizes()](Dispatcher& d, const Node&, const Tensor& g) {
    return Gradients{summed_to(d, g, sizes)};
  };
}

Backward squeeze_backward(const Call& call, Node&) {
  const Sizes& sizes = call.tensor(0).sizes();
  const bool squeezed = !sizes.empty() && sizes[wrapped_dim(call.integer(1), sizes.size())] == 1;
  if (squeezed)
    return calling("aten::unsqueeze", {static_cast<std::int64_t>(wrapped_dim(call.integer(1), sizes.size()))});
  return [](Dispatcher&, const Node&, const Tensor& g) { return Gradients{g}; };
}

Backward unsqueeze_backward(const Call& call, Node&) {
  const std::size_t dims = call.tensor(0).geometry().dims() + 1;
  return calling("aten::squeeze.dim", {static_cast<std::int64_t>(wrapped_dim(call.integer(1), dims))});
}

}  // namespace

OpFamily views() {
  return {
      .ops =
          {
              {.name = "aten::view",
               .schema = "view(Tensor(a) self, int[] size) -> Tensor(a)",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "another view, same storage",
               .function = view,
               .derivative = Derivative{"ViewBackward0", "", {0}, view_backward, false, view_kind}},
              {.name = "aten::_unsafe_view",
               .schema = "_unsafe_view(Tensor self, int[] size) -> Tensor",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "another view, same storage",
               .function = view,
               .derivative = Derivative{"UnsafeViewBackward0", "", {0}, view_backward}},
              {.name = "aten::t",
               .schema = "t(Tensor(a) self) -> Tensor(a)",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "transposes two dimensions",
               .function = t,
               .derivative = Derivative{"TBackward0", "", {0}, t_backward, false, view_kind}},
              {.name = "aten::transpose.int",
               .schema = "transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "another view, same storage",
               .function = changed<transposed_by>,
               .derivative = Derivative{"TransposeBackward0", "", {0}, transpose_backward, false, view_kind}},
              {.name = "aten::permute",
               .schema = "permute(Tensor(a) self, int[] dims) -> Tensor(a)",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "another view, same storage",
               .function = changed<permuted_by>,
               .derivative = Derivative{"PermuteBackward0", "", {0}, permute_backward, false, view_kind}},
              {.name = "aten::slice.Tensor",
               .schema =
                   "slice.Tensor(Tensor(a) self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor(a)",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "another view, same storage",
               .function = slice,
               .derivative = Derivative{"SliceBackward0", "", {0}, slice_node, false, view_kind}},
              {.name = "aten::select.int",
               .schema = "select.int(Tensor(a) self, int dim, int index) -> Tensor(a)",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "another view, same storage",
               .function = changed<selected_by>,
               .derivative = Derivative{"SelectBackward0", "", {0}, select_node, false, view_kind}},
              {.name = "aten::expand",
               .schema = "expand(Tensor(a) self, int[] size, *, bool implicit=False) -> Tensor(a)",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "another view, same storage",
               .function = changed<expanded_by>,
               .derivative = Derivative{"ExpandBackward0", "", {0}, expand_backward, false, view_kind}},
              {.name = "aten::squeeze.dim",
               .schema = "squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "another view, same storage",
               .function = changed<squeezed_by>,
               .derivative = Derivative{"SqueezeBackward1", "", {0}, squeeze_backward, false, view_kind}},
              {.name = "aten::unsqueeze",
               .schema = "unsqueeze(Tensor(a) self, int dim) -> Tensor(a)",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "another view, same storage",
               .function = changed<unsqueezed_by>,
               .derivative = Derivative{"UnsqueezeBackward0", "", {0}, unsqueeze_backward, false, view_kind}},
              {.name = "aten::detach",
               .schema = "detach(Tensor(a) self) -> Tensor(a)",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "another view, same storage",
               .function = changed<unchanged>},
              {.name = "aten::slice_backward",
               .schema = "slice_backward(Tensor grad_output, int[] input_sizes, int dim, int? start, int? end, int "
                         "step) -> Tensor",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "zeros, with the gradient in the slice",
               .function = slice_backward,
               .derivative = Derivative{"SliceBackwardBackward0", "", {0}, slice_backward_node}},
              {.name = "aten::select_backward",
               .schema = "select_backward(Tensor grad_output, int[] input_sizes, int dim, int index) -> Tensor",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "zeros, with the gradient at the index",
               .function = select_backward,
               .derivative = Derivative{"SelectBackwardBackward0", "", {0}, select_backward_node}},
              {.name = "aten::reshape",
               .schema = "reshape(Tensor(a) self, int[] shape) -> Tensor(a)",
               .by = OpDefinition::ComputedBy::implicit_composite,
               .how = "view, or clone and view",
               .function = reshape},
              {.name = "aten::contiguous",
               .schema = "contiguous(Tensor(a) self) -> Tensor(a)",
               .by = OpDefinition::ComputedBy::implicit_composite,
               .how = "the input itself, or clone",
               .function = contiguous},
              {.name = "aten::numpy_T",
               .schema = "numpy_T(Tensor(a) self) -> Tensor(a)",
               .by = OpDefinition::ComputedBy::implicit_composite,
               .how = "permute: dimensions reversed",
               .function = numpy_t},
          },
      .functions = {{.name = "t",
                     .parameters = {{"input"}},
                     .usage = "t(a)",
                     .check = transposed_type,
                     .op = "aten::t",
                     .makes_tensor = false}}};
}

}  // namespace warpwalk::ops
