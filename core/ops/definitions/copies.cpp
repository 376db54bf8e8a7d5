// Tensors that are made, filled, copied and cast.
#include <fmt/format.h>

#include "core/ops/cpu/functions.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/op_calls.h"

namespace warpwalk::ops {
namespace {

constexpr Derivative::Kind copy_in_place = Derivative::Kind::in_place;

Tensor filled(Dispatcher& dispatcher, const Sizes& sizes, DType dtype, DeviceKind device, std::int64_t value) {
  return dispatcher.call("aten::fill_.Scalar", {empty_tensor(dispatcher, sizes, dtype, device), value});
}

DeviceKind device_of(const Call& factory) { return static_cast<DeviceKind>(factory.integer(2)); }

Tensor copied(Dispatcher& dispatcher, const Tensor& self, DType dtype) {
  return dispatcher.call("aten::copy_", {empty_tensor(dispatcher, self.sizes(), dtype, self.device()), self});
}

Tensor zeros(Dispatcher& d, const Call& call) {
  return d.call("aten::zero_", {empty_tensor(d, call.sizes(0), call.dtype(1), device_of(call))});
}

Tensor ones(Dispatcher& d, const Call& call) { return filled(d, call.sizes(0), call.dtype(1), device_of(call), 1); }

Tensor zero(Dispatcher& d, const Call& call) { return d.call("aten::fill_.Scalar", {call.tensor(0), std::int64_t{0}}); }

Tensor zeros_like(Dispatcher& d, const Call& call) {
  const Tensor& self = call.tensor(0);
  return d.call("aten::zero_", {empty_tensor(d, self.sizes(), self.dtype(), self.device())});
}

Tensor ones_like(Dispatcher& d, const Call& call) {
  const Tensor& self = call.tensor(0);
  return filled(d, self.sizes(), self.dtype(), self.device(), 1);
}

Tensor clone(Dispatcher& d, const Call& call) { return copied(d, call.tensor(0), call.tensor(0).dtype()); }

Tensor to_copy(Dispatcher& d, const Call& call) { return copied(d, call.tensor(0), call.dtype(1)); }

Tensor to_dtype(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  if (self.dtype() == call.dtype(1)) return self;
  return dispatcher.call("aten::_to_copy", {self, call.dtype(1)});
}

// A cast's gradient is cast back by the engine, as every gradient is to the type of the tensor that it belongs to.
Backward same(const Call&, Node&) {
  return [](Dispatcher&, const Node&, const Tensor& g) { return Gradients{g}; };
}

Backward overwritten(const Call&, Node&) {
  return [](Dispatcher& d, const Node&, const Tensor& g) { return Gradients{d.call("aten::zeros_like", {g})}; };
}

// Nothing is left of what self was.
Backward copy_backward(const Call&, Node&) {
  return [](Dispatcher& d, const Node& node, const Tensor& g) {
    return Gradients{wanted(node, 0) ? d.call("aten::zeros_like", {g}) : Tensor(), wanted(node, 1) ? g : Tensor()};
  };
}

}  // namespace

OpFamily copies() {
  return {
      .ops = {
          {.name = "aten::empty.memory_format",
           .schema = "empty.memory_format(int[] size, ScalarType dtype, Device device) -> Tensor",
           .by = OpDefinition::ComputedBy::backends,
           .how = "cpu: allocate",
           .function = cpu_empty,
           .factory = true},
          {.name = "aten::zeros",
           .schema = "zeros(int[] size, ScalarType dtype, Device device) -> Tensor",
           .by = OpDefinition::ComputedBy::explicit_composite,
           .how = "empty, then zero_",
           .function = zeros,
           .factory = true},
          {.name = "aten::ones",
           .schema = "ones(int[] size, ScalarType dtype, Device device) -> Tensor",
           .by = OpDefinition::ComputedBy::explicit_composite,
           .how = "empty, then fill_",
           .function = ones,
           .factory = true},
          {.name = "aten::fill_.Scalar",
           .schema = "fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)",
           .by = OpDefinition::ComputedBy::backends,
           .how = "cpu loop: fill",
           .function = cpu_fill,
           .derivative = Derivative{"FillBackward2", "", {0}, overwritten, false, copy_in_place},
           .gpu = {.form = GpuKernel::Form::fill, .module = "fill"}},
          {.name = "aten::copy_",
           .schema = "copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)",
           .by = OpDefinition::ComputedBy::backends,
           .how = "cpu loop: copy and cast",
           .function = cpu_copy,
           .derivative = Derivative{"torch::autograd::CopyBackwards", "", {0, 1}, copy_backward, false, copy_in_place},
           .gpu = {.form = GpuKernel::Form::copy, .module = "copy", .strided_module = "copy_strided"}},
          {.name = "aten::zero_",
           .schema = "zero_(Tensor(a!) self) -> Tensor(a!)",
           .by = OpDefinition::ComputedBy::explicit_composite,
           .how = "fill_ with 0",
           .function = zero,
           .derivative = Derivative{"ZeroBackward0", "", {0}, overwritten, false, copy_in_place}},
          {.name = "aten::zeros_like",
           .schema = "zeros_like(Tensor self) -> Tensor",
           .by = OpDefinition::ComputedBy::explicit_composite,
           .how = "empty, then zero_",
           .function = zeros_like},
          {.name = "aten::ones_like",
           .schema = "ones_like(Tensor self) -> Tensor",
           .by = OpDefinition::ComputedBy::explicit_composite,
           .how = "empty, then fill_",
           .function = ones_like},
          {.name = "aten::clone",
           .schema = "clone(Tensor self) -> Tensor",
           .by = OpDefinition::ComputedBy::explicit_composite,
           .how = "empty, then copy_",
           .function = clone,
           .derivative = Derivative{"CloneBackward0", "", {0}, same}},
          {.name = "aten::_to_copy",
           .schema = "_to_copy(Tensor self, *, ScalarType dtype) -> Tensor",
           .by = OpDefinition::ComputedBy::explicit_composite,
           .how = "empty, then copy_ with a cast",
           .function = to_copy,
           .derivative = Derivative{"ToCopyBackward0", "", {0}, same}},
          {.name = "aten::to.dtype",
           .schema = "to.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)",
           .by = OpDefinition::ComputedBy::implicit_composite,
           .how = "the input itself, or _to_copy",
           .function = to_dtype},
      }};
}

}  // namespace warpwalk::ops
