// One function for all dense backends, made of other ops. Autograd has had its turn when they are called, and knows
// these ops by derivatives of their own (CompositeExplicitAutograd).
#include <fmt/format.h>

#include "core/ops/dispatch/library_parts.h"

namespace warpwalk::ops {
namespace {

Tensor filled(Dispatcher& dispatcher, const Sizes& sizes, DType dtype, DeviceKind device, std::int64_t value) {
  return dispatcher.call("aten::fill_.Scalar", {empty_tensor(dispatcher, sizes, dtype, device), value});
}

DeviceKind device_of(const Call& factory) { return static_cast<DeviceKind>(factory.integer(2)); }

Tensor copied(Dispatcher& dispatcher, const Tensor& self, DType dtype) {
  return dispatcher.call("aten::copy_", {empty_tensor(dispatcher, self.sizes(), dtype, self.device()), self});
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
  const Tensor one = filled(dispatcher, {}, floating(self.dtype()), self.device(), 1);
  return dispatcher.call("aten::div.Tensor", {one, self});
}

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

}  // namespace

void register_made(Dispatcher& dispatcher) {
  const auto add = [&](std::string_view op, std::string name, Function function) {
    dispatcher.add_any_backend(op, std::move(name), std::move(function));
  };
  add("aten::zeros", "empty, then zero_", [](Dispatcher& d, const Call& call) {
    return d.call("aten::zero_", {empty_tensor(d, call.sizes(0), call.dtype(1), device_of(call))});
  });
  add("aten::ones", "empty, then fill_",
      [](Dispatcher& d, const Call& call) { return filled(d, call.sizes(0), call.dtype(1), device_of(call), 1); });
  add("aten::zero_", "fill_ with 0", [](Dispatcher& d, const Call& call) {
    return d.call("aten::fill_.Scalar", {call.tensor(0), std::int64_t{0}});
  });
  add("aten::zeros_like", "empty, then zero_", [](Dispatcher& d, const Call& call) {
    const Tensor& self = call.tensor(0);
    return d.call("aten::zero_", {empty_tensor(d, self.sizes(), self.dtype(), self.device())});
  });
  add("aten::ones_like", "empty, then fill_", [](Dispatcher& d, const Call& call) {
    const Tensor& self = call.tensor(0);
    return filled(d, self.sizes(), self.dtype(), self.device(), 1);
  });
  add("aten::clone", "empty, then copy_",
      [](Dispatcher& d, const Call& call) { return copied(d, call.tensor(0), call.tensor(0).dtype()); });
  add("aten::_to_copy", "empty, then copy_ with a cast",
      [](Dispatcher& d, const Call& call) { return copied(d, call.tensor(0), call.dtype(1)); });
  add("aten::sum", "sum over all dimensions", [](Dispatcher& d, const Call& call) {
    const Argument dtype = call.given(1) ? call.arguments[1] : None{};
    return d.call("aten::sum.dim_IntList", {call.tensor(0), None{}, false, dtype});
  });
  add("aten::rsub.Scalar", "neg, then add", rsub);
  add("aten::reciprocal", "1 divided by it", reciprocal);
  add("aten::slice_backward", "zeros, the gradient in the slice", slice_backward);
  add("aten::select_backward", "zeros, the gradient at the index", select_backward);
}

}  // namespace warpwalk::ops
