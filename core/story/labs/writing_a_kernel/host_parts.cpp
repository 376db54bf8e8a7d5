#include "core/story/labs/writing_a_kernel/host_parts.h"

#include <bit>

#include "core/ops/cpu/memory.h"
#include "core/ops/dispatch/autograd.h"
#include "core/ops/library/library.h"

namespace warpwalk::story {
namespace {

using ops::Dispatcher;
using ops::KeySet;
using ops::Registration;
using ops::Tensor;

/// The ops of the library on the CPU, with autograd.
struct Host {
  ops::CpuMemory memory;
  Dispatcher dispatcher;
  Host() {
    dispatcher.set_memory(memory);
    ops::register_library(dispatcher);
    ops::register_cpu(dispatcher);
    ops::register_autograd(dispatcher);
  }

  Tensor tensor(const std::vector<double>& values) {
    std::vector<std::uint8_t> bytes;
    for (const double value : values)
      for (std::size_t b = 0; b < 8; ++b)
        bytes.push_back(static_cast<std::uint8_t>(std::bit_cast<std::uint64_t>(value) >> (8 * b)));
    return ops::tensor_from(memory, ops::DType::f64, {static_cast<std::int64_t>(values.size())}, bytes);
  }
};

/// leaky_relu in place, as its author would write it: a loop over the elements.
Tensor leaky_relu_in_place(Dispatcher&, const ops::Call& call) {
  const Tensor& self = call.tensor(0);
  auto* const elements = reinterpret_cast<std::uint8_t*>(self.storage()->memory().host(self.address()));
  for (std::int64_t i = 0; i < self.count(); ++i) {
    std::uint64_t bits = ops::load_bits(ops::DType::f64, elements + 8 * i);
    const auto x = std::bit_cast<double>(bits);
    bits = std::bit_cast<std::uint64_t>(x > 0 ? x : x * std::get<double>(call.number(1)));
    for (int b = 0; b < 8; ++b) elements[8 * i + b] = static_cast<std::uint8_t>(bits >> (8 * b));
  }
  return self;
}

/// The kernel that PyTorch generates for ADInplaceOrView from a schema with (a!).
Tensor count_version(Dispatcher& dispatcher, const ops::Call& call) {
  Tensor result = dispatcher.redispatch(call, call.keys.below(ops::Key::ADInplaceOrView));
  result.storage()->changed_in_place();
  return result;
}

/// leaky_relu without autograd.
Tensor forward_only(Dispatcher& dispatcher, const ops::Call& call) {
  return dispatcher.call("aten::leaky_relu", call.arguments);
}

}  // namespace

AliasTrial try_alias(bool told, double slope) {
  AliasTrial trial;
  Host host;
  Dispatcher& d = host.dispatcher;
  constexpr std::string_view op = "lab::leaky_relu_";
  d.define(op, told ? "leaky_relu_(Tensor(a!) self, Scalar negative_slope) -> Tensor(a!)"
                    : "leaky_relu_(Tensor self, Scalar negative_slope) -> Tensor");
  d.add(op, ops::Key::CPU, Registration::Kind::kernel, "loop", leaky_relu_in_place);
  if (told) d.add(op, ops::Key::ADInplaceOrView, Registration::Kind::redispatch, "counts the version", count_version);
  const std::vector<double> values = {-2, 3};
  for (const double value : values) trial.right.push_back(2 * value);
  try {
    Tensor x = host.tensor(values);
    ops::set_requires_grad(x);
    const Tensor y = d.call("aten::mul.Tensor", {x, 1.0}), square = d.call("aten::mul.Tensor", {y, y});
    trial.version_before = y.version();
    {
      const ops::NoGrad off(d);
      d.call(op, {y, slope});
    }
    trial.version_after = y.version();
    ops::backward(d, square, host.tensor({1, 1}));
    trial.gradient = ops::values_of(ops::grad_of(x));
  } catch (const ops::OpError& error) {
    trial.message = error.what();
  }
  return trial;
}

DerivativeTrial try_derivative(bool recorded, double slope) {
  DerivativeTrial trial;
  for (int i = -8; i <= 8; ++i) trial.x.push_back(i / 4.0 + 0.125);
  Host host;
  Dispatcher& d = host.dispatcher;
  std::string_view op = "aten::leaky_relu";
  if (!recorded) {
    op = "lab::leaky_relu";
    d.define(op, "leaky_relu(Tensor self, Scalar negative_slope) -> Tensor");
    d.add(op, ops::Key::CPU, Registration::Kind::kernel, "loop", [](Dispatcher& dispatcher, const ops::Call& call) {
      const ops::NoGrad off(dispatcher);
      return forward_only(dispatcher, call);
    });
  }
  const auto values_at = [&](double shift) {
    std::vector<double> shifted = trial.x;
    for (double& one : shifted) one += shift;
    return ops::values_of(d.call(op, {host.tensor(shifted), slope}));
  };
  const std::vector<double> above = values_at(difference_step), below = values_at(-difference_step);
  for (std::size_t i = 0; i < trial.x.size(); ++i)
    trial.differences.push_back((above[i] - below[i]) / (2 * difference_step));
  try {
    Tensor x = host.tensor(trial.x);
    ops::set_requires_grad(x);
    const Tensor y = d.call(op, {x, slope});
    ops::backward(d, y, host.tensor(std::vector<double>(trial.x.size(), 1)));
    trial.autograd = ops::values_of(ops::grad_of(x));
  } catch (const ops::OpError& error) {
    trial.message = error.what();
  }
  return trial;
}

}  // namespace warpwalk::story
