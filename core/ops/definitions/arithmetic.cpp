// Sums, differences, products and quotients of elements.
#include "core/ops/cpu/binary.h"
#include "core/ops/cpu/unary.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/op_calls.h"
#include "core/ops/definitions/spreads.h"

namespace warpwalk::ops {
namespace {

constexpr Derivative::Kind arithmetic_in_place = Derivative::Kind::in_place;

/// The factor of the second operand of add and sub, 1 where it is left out.
Number alpha_of(const Call& call) { return call.given(2) ? call.number(2) : Number{std::int64_t{1}}; }

void check_alpha(const Call& call, DType dtype) {
  if (!is_float(dtype) && std::holds_alternative<double>(alpha_of(call)))
    throw OpError(
        fmt::format("{}: alpha is a float, but the result is {}: give an integer", call.name(), name_of(dtype)));
}

/// a + alpha * b or a - alpha * b, rounded after each.
template <class Sum>
auto scaled(Number alpha, Sum sum) {
  return [alpha, sum](auto type) {
    using M = typename decltype(type)::type;
    const M factor = std::visit([](auto value) { return converted<M>(value); }, alpha);
    return [factor, sum](M a, M b) { return wrapping(a, wrapping(factor, b, std::multiplies<>()), sum); };
  };
}

constexpr auto product = [](auto type) {
  using M = typename decltype(type)::type;
  return [](M a, M b) { return wrapping(a, b, std::multiplies<>()); };
};

template <class Sum>
Tensor add_or_sub(Dispatcher& dispatcher, const Call& call, Sum sum) {
  const Operand a(call, 0), b(call, 1);
  const DType dtype = result_dtype(a, b);
  check_alpha(call, dtype);
  return combined(dispatcher, call, a, b, dtype, scaled(alpha_of(call), sum));
}

Tensor cpu_add(Dispatcher& dispatcher, const Call& call) { return add_or_sub(dispatcher, call, std::plus<>()); }
Tensor cpu_sub(Dispatcher& dispatcher, const Call& call) { return add_or_sub(dispatcher, call, std::minus<>()); }

Tensor cpu_mul(Dispatcher& dispatcher, const Call& call) {
  const Operand a(call, 0), b(call, 1);
  return combined(dispatcher, call, a, b, result_dtype(a, b), product);
}

Tensor cpu_div(Dispatcher& dispatcher, const Call& call) {
  const Operand a(call, 0), b(call, 1);
  return combined(dispatcher, call, a, b, floating(result_dtype(a, b)), [](auto type) {
    using M = typename decltype(type)::type;
    return [](M x, M y) {
      if constexpr (std::is_floating_point_v<M>)
        return x / y;
      else
        return x;  // never called: the result is floating
    };
  });
}

Tensor cpu_add_in_place(Dispatcher& dispatcher, const Call& call) {
  check_alpha(call, result_dtype(Operand(call, 0), Operand(call, 1)));
  return combined_in_place(dispatcher, call, scaled(alpha_of(call), std::plus<>()));
}

Tensor cpu_mul_in_place(Dispatcher& dispatcher, const Call& call) {
  return combined_in_place(dispatcher, call, product);
}

Tensor cpu_neg(Dispatcher& dispatcher, const Call& call) {
  return mapped(dispatcher, call, call.tensor(0), [](auto x) {
    if constexpr (std::is_integral_v<decltype(x)>)
      return wrapping(decltype(x){0}, x, std::minus<>());
    else
      return -x;
  });
}

// other - alpha * self, by ops that take a number only as their second operand. Negation is exact, so that nothing is
// rounded that a subtraction would not round.
Tensor rsub(Dispatcher& dispatcher, const Call& call) {
  const Number other = call.number(1);
  Tensor self = call.tensor(0);
  if (call.given(2) && call.number(2) != Number(std::int64_t{1}))
    self = dispatcher.call("aten::mul.Tensor", {self, call.arguments[2]});
  const Argument number = std::visit([](auto value) { return Argument(value); }, other);
  return dispatcher.call("aten::add.Tensor", {dispatcher.call("aten::neg", {self}), number});
}

Tensor reciprocal(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  const Tensor one = empty_tensor(dispatcher, {}, floating(self.dtype()), self.device());
  return dispatcher.call("aten::div.Tensor", {dispatcher.call("aten::fill_.Scalar", {one, std::int64_t{1}}), self});
}

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

// alpha of add, sub and rsub, None where it is 1.
Argument scale_of(const Call& call) {
  if (!call.given(2)) return None{};
  const bool one = std::visit([](auto value) { return value == 1; }, call.number(2));
  return one ? Argument(None{}) : call.arguments[2];
}
Tensor scaled(Dispatcher& d, const Tensor& gradient, const Argument& scale) {
  return std::holds_alternative<None>(scale) ? gradient : mul(d, gradient, scale);
}

Backward add_backward(const Call& call, Node&) {
  return [alpha = scale_of(call)](Dispatcher& d, const Node& node, const Tensor& g) {
    return Gradients{wanted(node, 0) ? g : Tensor(), wanted(node, 1) ? scaled(d, g, alpha) : Tensor()};
  };
}

Backward sub_backward(const Call& call, Node&) {
  return [alpha = scale_of(call)](Dispatcher& d, const Node& node, const Tensor& g) {
    return Gradients{wanted(node, 0) ? g : Tensor(), wanted(node, 1) ? scaled(d, neg(d, g), alpha) : Tensor()};
  };
}

Backward rsub_backward(const Call& call, Node&) {
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

Backward reciprocal_backward(const Call&, Node&) {
  return [](Dispatcher& d, const Node& node, const Tensor& g) {
    const Tensor result = node.saved[0].use(node);
    return Gradients{mul(d, neg(d, g), mul(d, result, result))};
  };
}

// `number`: the factor of y.
Spread sum(const ElementInputs& in) {
  const Approximate &x = in.tensors[0], &y = in.tensors[1];
  const double scale = std::abs(in.number);
  return {x.error + scale * y.error, magnitude(x) + scale * magnitude(y), scale == 1 ? 1.0 : 2.0};
}

Spread product_spread(const ElementInputs& in) {
  return {product_difference(in.tensors[0], in.tensors[1]), magnitude(in.tensors[0]) * magnitude(in.tensors[1])};
}

Spread quotient(const ElementInputs& in) {
  const Approximate &x = in.tensors[0], &y = in.tensors[1];
  const double nearest = std::abs(y.value) - y.error;
  if (!(nearest > 0)) return {infinite, infinite};
  return {quotient_difference(x, y), magnitude(x) / nearest};
}

Spread negative(const ElementInputs& in) { return {in.tensors[0].error, magnitude(in.tensors[0]), 0}; }

constexpr GpuKernel arithmetic = {
    .form = GpuKernel::Form::arithmetic, .module = "binary", .strided_module = "binary_strided"};
constexpr GpuKernel with_teaching_kernel(std::string_view f32_module) {
  GpuKernel kernel = arithmetic;
  kernel.f32_module = f32_module;
  return kernel;
}

}  // namespace

OpFamily arithmetic_family() {
  GpuKernel division = arithmetic;
  division.types = GpuKernel::Types::floats;
  division.casts_integers = true;
  return {.ops = {
              {.name = "aten::add.Tensor",
               .schema = "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
               .how = "cpu loop: add",
               .function = cpu_add,
               .derivative = Derivative{"AddBackward0", "", {0, 1}, add_backward},
               .accuracy = {.spread = sum},
               .gpu = with_teaching_kernel("vecadd")},
              {.name = "aten::sub.Tensor",
               .schema = "sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
               .how = "cpu loop: subtract",
               .function = cpu_sub,
               .derivative = Derivative{"SubBackward0", "", {0, 1}, sub_backward},
               .accuracy = {.spread = sum},
               .gpu = arithmetic},
              {.name = "aten::mul.Tensor",
               .schema = "mul.Tensor(Tensor self, Tensor other) -> Tensor",
               .how = "cpu loop: multiply",
               .function = cpu_mul,
               .derivative = Derivative{"MulBackward0", "self, other", {0, 1}, mul_backward},
               .accuracy = {.spread = product_spread},
               .gpu = arithmetic},
              {.name = "aten::div.Tensor",
               .schema = "div.Tensor(Tensor self, Tensor other) -> Tensor",
               .how = "cpu loop: divide",
               .function = cpu_div,
               .derivative = Derivative{"DivBackward0", "self, other", {0, 1}, div_backward},
               .accuracy = {.spread = quotient},
               .gpu = division},
              {.name = "aten::neg",
               .schema = "neg(Tensor self) -> Tensor",
               .how = "cpu loop: negate",
               .function = cpu_neg,
               .derivative = Derivative{"NegBackward0", "", {0}, neg_backward},
               .accuracy = {.spread = negative},
               .gpu = {.form = GpuKernel::Form::elementwise, .module = "unary", .strided_module = "unary_strided"}},
              {.name = "aten::add_.Tensor",
               .schema = "add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
               .how = "cpu loop: add in place",
               .function = cpu_add_in_place,
               .derivative = Derivative{"AddBackward0", "", {0, 1}, add_backward, false, arithmetic_in_place},
               .accuracy = {.spread = sum},
               .gpu = with_teaching_kernel("vecadd")},
              {.name = "aten::mul_.Tensor",
               .schema = "mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
               .how = "cpu loop: multiply in place",
               .function = cpu_mul_in_place,
               .derivative =
                   Derivative{"MulBackward0", "self, other", {0, 1}, mul_backward, false, arithmetic_in_place, true},
               .accuracy = {.spread = product_spread},
               .gpu = arithmetic},
              {.name = "aten::rsub.Scalar",
               .schema = "rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "neg, then add",
               .function = rsub,
               .derivative = Derivative{"RsubBackward1", "", {0}, rsub_backward}},
              {.name = "aten::reciprocal",
               .schema = "reciprocal(Tensor self) -> Tensor",
               .by = OpDefinition::ComputedBy::explicit_composite,
               .how = "1 divided by the input",
               .function = reciprocal,
               .derivative = Derivative{"ReciprocalBackward0", "result", {0}, reciprocal_backward, true},
               .autocast = Autocast::f32},
          }};
}

}  // namespace warpwalk::ops
