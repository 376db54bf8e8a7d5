// The ops by name and schema, and the fallbacks of the keys. Schemas are those of PyTorch's native_functions.yaml, less
// the options (layout, pin_memory, memory_format) that there is no choice of here.
#include "core/ops/dispatch/library.h"

#include <fmt/format.h>

#include "core/ops/dispatch/library_parts.h"

namespace warpwalk::ops {
namespace {

struct Defined {
  std::string_view name;
  std::string_view schema;
};

constexpr Defined ops[] = {
    // factories: with BackendSelect, for no tensor says where
    {"aten::empty.memory_format", "empty.memory_format(int[] size, ScalarType dtype, Device device) -> Tensor"},
    {"aten::zeros", "zeros(int[] size, ScalarType dtype, Device device) -> Tensor"},
    {"aten::ones", "ones(int[] size, ScalarType dtype, Device device) -> Tensor"},
    // by a backend
    {"aten::fill_.Scalar", "fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)"},
    {"aten::copy_", "copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)"},
    {"aten::add.Tensor", "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"},
    {"aten::sub.Tensor", "sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"},
    {"aten::mul.Tensor", "mul.Tensor(Tensor self, Tensor other) -> Tensor"},
    {"aten::div.Tensor", "div.Tensor(Tensor self, Tensor other) -> Tensor"},
    {"aten::neg", "neg(Tensor self) -> Tensor"},
    {"aten::relu", "relu(Tensor self) -> Tensor"},
    {"aten::exp", "exp(Tensor self) -> Tensor"},
    {"aten::sqrt", "sqrt(Tensor self) -> Tensor"},
    {"aten::mm", "mm(Tensor self, Tensor mat2) -> Tensor"},
    {"aten::bmm", "bmm(Tensor self, Tensor mat2) -> Tensor"},
    {"aten::mv", "mv(Tensor self, Tensor vec) -> Tensor"},
    {"aten::dot", "dot(Tensor self, Tensor tensor) -> Tensor"},
    {"aten::sum.dim_IntList",
     "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"},
    {"aten::threshold_backward", "threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor"},
    {"aten::add_.Tensor", "add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)"},
    {"aten::mul_.Tensor", "mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)"},
    {"aten::relu_", "relu_(Tensor(a!) self) -> Tensor(a!)"},
    // views
    {"aten::view", "view(Tensor(a) self, int[] size) -> Tensor(a)"},
    {"aten::_unsafe_view", "_unsafe_view(Tensor self, int[] size) -> Tensor"},
    {"aten::transpose.int", "transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)"},
    {"aten::permute", "permute(Tensor(a) self, int[] dims) -> Tensor(a)"},
    {"aten::t", "t(Tensor(a) self) -> Tensor(a)"},
    {"aten::slice.Tensor",
     "slice.Tensor(Tensor(a) self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor(a)"},
    {"aten::select.int", "select.int(Tensor(a) self, int dim, int index) -> Tensor(a)"},
    {"aten::expand", "expand(Tensor(a) self, int[] size, *, bool implicit=False) -> Tensor(a)"},
    {"aten::squeeze.dim", "squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)"},
    {"aten::unsqueeze", "unsqueeze(Tensor(a) self, int dim) -> Tensor(a)"},
    {"aten::detach", "detach(Tensor(a) self) -> Tensor(a)"},
    // for any backend, made of other ops below autograd
    {"aten::zero_", "zero_(Tensor(a!) self) -> Tensor(a!)"},
    {"aten::zeros_like", "zeros_like(Tensor self) -> Tensor"},
    {"aten::ones_like", "ones_like(Tensor self) -> Tensor"},
    {"aten::clone", "clone(Tensor self) -> Tensor"},
    {"aten::_to_copy", "_to_copy(Tensor self, *, ScalarType dtype) -> Tensor"},
    {"aten::sum", "sum(Tensor self, *, ScalarType? dtype=None) -> Tensor"},
    {"aten::rsub.Scalar", "rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"},
    {"aten::reciprocal", "reciprocal(Tensor self) -> Tensor"},
    {"aten::slice_backward",
     "slice_backward(Tensor grad_output, int[] input_sizes, int dim, int? start, int? end, int step) -> Tensor"},
    {"aten::select_backward", "select_backward(Tensor grad_output, int[] input_sizes, int dim, int index) -> Tensor"},
    // made of other ops, autograd included
    {"aten::matmul", "matmul(Tensor self, Tensor other) -> Tensor"},
    {"aten::reshape", "reshape(Tensor(a) self, int[] shape) -> Tensor(a)"},
    {"aten::contiguous", "contiguous(Tensor(a) self) -> Tensor(a)"},
    {"aten::numpy_T", "numpy_T(Tensor(a) self) -> Tensor(a)"},
    {"aten::to.dtype", "to.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)"},
};

// No tensor says where a factory's result shall live: its device argument does.
Tensor select_backend(Dispatcher& dispatcher, const Call& call) {
  const std::int64_t device = call.integer(2);
  if (device != 0 && device != 1)
    throw OpError(fmt::format("{}: device {} is not known; 0 is cpu, 1 is cuda", call.name(), device));
  return dispatcher.redispatch(call, KeySet(device == 0 ? Key::CPU : Key::CUDA));
}

}  // namespace

Tensor empty_tensor(Dispatcher& dispatcher, const Sizes& sizes, DType dtype, DeviceKind device) {
  return dispatcher.call("aten::empty.memory_format", {sizes, dtype, device_argument(device)});
}

void register_library(Dispatcher& dispatcher) {
  for (const Defined& op : ops) dispatcher.define(op.name, op.schema);
  for (const std::string_view factory : {"aten::empty.memory_format", "aten::zeros", "aten::ones"})
    dispatcher.add(factory, Key::BackendSelect, Registration::Kind::redispatch, "reads the device argument",
                   select_backend);
  register_views(dispatcher);
  register_made(dispatcher);
  register_composites(dispatcher);
  register_matmul(dispatcher);
}

}  // namespace warpwalk::ops
