#include "core/ops/dispatch/derivatives.h"

namespace warpwalk::ops {
namespace {

using Gradients = std::vector<Tensor>;
constexpr Derivative::Kind view = Derivative::Kind::view;

Backward calling(std::string_view op, std::vector<Argument> rest) {
  return [op, rest = std::move(rest)](Dispatcher& d, const Node&, const Tensor& g) {
    std::vector<Argument> arguments = {g};
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    return Gradients{d.call(op, std::move(arguments))};
  };
}

Backward view_backward(const Call& call, Node&) { return calling("aten::reshape", {call.tensor(0).sizes()}); }

Backward t(const Call&, Node&) { return calling("aten::t", {}); }

Backward transpose(const Call& call, Node&) {
  return calling("aten::transpose.int", {call.integer(1), call.integer(2)});
}

Backward permute(const Call& call, Node&) {
  const Sizes& order = call.sizes(1);
  Sizes back(order.size());
  for (std::size_t d = 0; d < order.size(); ++d)
    back[wrapped_dim(order[d], order.size())] = static_cast<std::int64_t>(d);
  return calling("aten::permute", {std::move(back)});
}

Backward slice(const Call& call, Node&) {
  const auto bound = [&](std::size_t argument) {
    return call.given(argument) ? Argument(call.integer(argument)) : Argument(None{});
  };
  return calling("aten::slice_backward", {call.tensor(0).sizes(), call.optional_integer(1).value_or(0), bound(2),
                                          bound(3), call.optional_integer(4).value_or(1)});
}

Backward slice_backward(const Call& call, Node&) {
  const auto& a = call.arguments;
  return calling("aten::slice.Tensor", {a.at(2), a.at(3), a.at(4), a.at(5)});
}

Backward select(const Call& call, Node&) {
  return calling("aten::select_backward", {call.tensor(0).sizes(), call.integer(1), call.integer(2)});
}

Backward select_backward(const Call& call, Node&) {
  return calling("aten::select.int", {call.integer(2), call.integer(3)});
}

Backward expand(const Call& call, Node&) {
  return [sizes = call.tensor(0).sizes()](Dispatcher& d, const Node&, const Tensor& g) {
    return Gradients{summed_to(d, g, sizes)};
  };
}

Backward squeeze(const Call& call, Node&) {
  const Sizes& sizes = call.tensor(0).sizes();
  const bool squeezed = !sizes.empty() && sizes[wrapped_dim(call.integer(1), sizes.size())] == 1;
  if (squeezed)
    return calling("aten::unsqueeze", {static_cast<std::int64_t>(wrapped_dim(call.integer(1), sizes.size()))});
  return [](Dispatcher&, const Node&, const Tensor& g) { return Gradients{g}; };
}

Backward unsqueeze(const Call& call, Node&) {
  const std::size_t dims = call.tensor(0).geometry().dims() + 1;
  return calling("aten::squeeze.dim", {static_cast<std::int64_t>(wrapped_dim(call.integer(1), dims))});
}

}  // namespace

std::vector<Derivative> view_derivatives() {
  return {
      {"aten::view", "ViewBackward0", "", {0}, view_backward, false, view},
      {"aten::_unsafe_view", "UnsafeViewBackward0", "", {0}, view_backward},
      {"aten::t", "TBackward0", "", {0}, t, false, view},
      {"aten::transpose.int", "TransposeBackward0", "", {0}, transpose, false, view},
      {"aten::permute", "PermuteBackward0", "", {0}, permute, false, view},
      {"aten::slice.Tensor", "SliceBackward0", "", {0}, slice, false, view},
      {"aten::select.int", "SelectBackward0", "", {0}, select, false, view},
      {"aten::expand", "ExpandBackward0", "", {0}, expand, false, view},
      {"aten::squeeze.dim", "SqueezeBackward1", "", {0}, squeeze, false, view},
      {"aten::unsqueeze", "UnsqueezeBackward0", "", {0}, unsqueeze, false, view},
      {"aten::slice_backward", "SliceBackwardBackward0", "", {0}, slice_backward},
      {"aten::select_backward", "SelectBackwardBackward0", "", {0}, select_backward},
  };
}

}  // namespace warpwalk::ops
