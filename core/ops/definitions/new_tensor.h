#pragma once

#include "core/ops/dispatch/dispatcher.h"

namespace warpwalk::ops {

/// A device as an argument of a factory.
inline std::int64_t device_argument(DeviceKind device) { return static_cast<std::int64_t>(device); }

/// A new tensor, contents undefined, through aten::empty.memory_format.
inline Tensor empty_tensor(Dispatcher& dispatcher, const Sizes& sizes, DType dtype, DeviceKind device) {
  return dispatcher.call("aten::empty.memory_format", {sizes, dtype, device_argument(device)});
}

}  // namespace warpwalk::ops
