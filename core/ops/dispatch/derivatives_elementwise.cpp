#include "core/ops/dispatch/derivatives.h"

namespace warpwalk::ops {
namespace {

using Gradients = std::vector<Tensor>;
constexpr Derivative::Kind in_place = Derivative::Kind::in_place;

// The second operand of a binary op: a number is kept as it is, a tensor is saved.
struct Other {
  Argument number;
  std::size_t place = 0;
  Argument use(const Node& node) const {
    if (std::holds_alternative<None>(number)) return node.saved[place].use(node);
    return number;
  }
};
Other keep_other(Node& node, const Call& call, bool needed) {
  save(node, call, 1, needed);
  const bool tensor = std::holds_alternative<Tensor>(call.arguments.at(1));
  return {tensor ? Argument(None{}) : call.arguments[1], node.saved.size() - 1};
}

Tensor neg(Dispatcher& d, const Tensor& a) { return d.call("aten::neg", {a}); }
Tensor mul(Dispatcher& d, const Tensor& a, const Argument& b) { return d.call("aten::mul.Tensor", {a, b}); }
Tensor div(Dispatcher& d, const Tensor& a, const Argument& b) { return d.call("aten::div.Tensor", {a, b}); }

// alpha of add, sub and rsub, None where it is 1.
Argument scale_of(const Call& call) {
  if (!call.given(2)) return None{};
  const bool one = std::visit([](auto value) { return value == 1; }, call.number(2));
  return one ? Argument(None{}) : call.arguments[2];
}
Tensor scaled(Dispatcher& d, const Tensor& gradient, const Argument& scale) {
  return std::holds_alternative<None>(scale) ? gradient : mul(d, gradient, scale);
}

Backward add(const Call& call, Node&) {
  return [alpha = scale_of(call)](Dispatcher& d, const Node& node, const Tensor& g) {
    return Gradients{wanted(node, 0) ? g : Tensor(), wanted(node, 1) ? scaled(d, g, alpha) : Tensor()};
  };
}

Backward sub(const Call& call, Node&) {
  return [alpha = scale_of(call)](Dispatcher& d, const Node& node, const Tensor& g) {
    return Gradients{wanted(node, 0) ? g : Tensor(), wanted(node, 1) ? scaled(d, neg(d, g), alpha) : Tensor()};
  };
}

Backward rsub(const Call& call, Node&) {
  return [alpha = scale_of(call)](Dispatcher& d, const Node&, const Tensor& g) {
    return Gradients{scaled(d, neg(d, g), alpha)};
  };
}

Backward mul_backward(const Call& call, Node& node) {
  save(node, call, 0, wanted(node, 1));
  return [other = keep_other(node, call, wanted(node, 0))](Dispatcher& d, const Node& n, const Tensor& g) {
    return Gradients{wanted(n, 0) ? mul(d, g, other.use(n)) : Tensor(),
                     wanted(n, 1) ? mul(d, g, n.saved[0].use(n)) : Tensor()};
  };
}

Backward div_backward(const Call& call, Node& node) {
  save(node, call, 0, wanted(node, 1));
  return [other = keep_other(node, call, true)](Dispatcher& d, const Node& n, const Tensor& g) {
    Gradients out(2);
    if (wanted(n, 0)) out[0] = div(d, g, other.use(n));
    if (wanted(n, 1)) {
      const Tensor quotient = div(d, div(d, n.saved[0].use(n), other.use(n)), other.use(n));
      out[1] = mul(d, neg(d, g), quotient);
    }
    return out;
  };
}

Backward neg_backward(const Call&, Node&) {
  return [](Dispatcher& d, const Node&, const Tensor& g) { return Gradients{neg(d, g)}; };
}

// By the result, which is positive where the input was.
Backward relu(const Call&, Node&) {
  return [](Dispatcher& d, const Node& node, const Tensor& g) {
    return Gradients{d.call("aten::threshold_backward", {g, node.saved[0].use(node), std::int64_t{0}})};
  };
}

Backward exp(const Call&, Node&) {
  return [](Dispatcher& d, const Node& node, const Tensor& g) { return Gradients{mul(d, g, node.saved[0].use(node))}; };
}

Backward sqrt(const Call&, Node&) {
  return [](Dispatcher& d, const Node& node, const Tensor& g) {
    return Gradients{div(d, g, mul(d, node.saved[0].use(node), std::int64_t{2}))};
  };
}

Backward reciprocal(const Call&, Node&) {
  return [](Dispatcher& d, const Node& node, const Tensor& g) {
    const Tensor result = node.saved[0].use(node);
    return Gradients{mul(d, neg(d, g), mul(d, result, result))};
  };
}

Backward threshold(const Call& call, Node& node) {
  save(node, call, 1, true);
  return [bound = call.arguments.at(2)](Dispatcher& d, const Node& n, const Tensor& g) {
    Gradients out(2);
    if (wanted(n, 0)) out[0] = d.call("aten::threshold_backward", {g, n.saved[0].use(n), bound});
    if (wanted(n, 1)) out[1] = d.call("aten::zeros_like", {g});
    return out;
  };
}

}  // namespace

std::vector<Derivative> elementwise_derivatives() {
  return {
      {"aten::add.Tensor", "AddBackward0", "", {0, 1}, add},
      {"aten::sub.Tensor", "SubBackward0", "", {0, 1}, sub},
      {"aten::rsub.Scalar", "RsubBackward1", "", {0}, rsub},
      {"aten::mul.Tensor", "MulBackward0", "self, other", {0, 1}, mul_backward},
      {"aten::div.Tensor", "DivBackward0", "self, other", {0, 1}, div_backward},
      {"aten::neg", "NegBackward0", "", {0}, neg_backward},
      {"aten::relu", "ReluBackward0", "result", {0}, relu, true},
      {"aten::exp", "ExpBackward0", "result", {0}, exp, true},
      {"aten::sqrt", "SqrtBackward0", "result", {0}, sqrt, true},
      {"aten::reciprocal", "ReciprocalBackward0", "result", {0}, reciprocal, true},
      {"aten::threshold_backward", "ThresholdBackwardBackward0", "", {0, 1}, threshold},
      {"aten::add_.Tensor", "AddBackward0", "", {0, 1}, add, false, in_place},
      {"aten::mul_.Tensor", "MulBackward0", "self, other", {0, 1}, mul_backward, false, in_place, true},
      {"aten::relu_", "ReluBackward0", "result", {0}, relu, true, in_place},
  };
}

}  // namespace warpwalk::ops
