#pragma once

#include <fmt/format.h>

#include "core/ops/dispatch/dispatcher.h"

namespace warpwalk::ops {

/// A device as an argument of a factory.
inline std::int64_t device_argument(DeviceKind device) { return static_cast<std::int64_t>(device); }

/// A new tensor, contents undefined, through aten::empty.memory_format.
inline Tensor empty_tensor(Dispatcher& dispatcher, const Sizes& sizes, DType dtype, DeviceKind device) {
  return dispatcher.call("aten::empty.memory_format", {sizes, dtype, device_argument(device)});
}

/// Element-wise products and quotients through the dispatcher, as derivatives need them.
inline Tensor mul(Dispatcher& d, const Tensor& a, const Argument& b) { return d.call("aten::mul.Tensor", {a, b}); }
inline Tensor div(Dispatcher& d, const Tensor& a, const Argument& b) { return d.call("aten::div.Tensor", {a, b}); }

/// Throws OpError if the tensor's type is not a floating-point one.
inline void refuse_integers(const Call& call, const Tensor& tensor) {
  if (!is_float(tensor.dtype()))
    throw OpError(
        fmt::format("{}: {} is not a floating-point type: cast it to f32 first", call.name(), name_of(tensor.dtype())));
}

}  // namespace warpwalk::ops
