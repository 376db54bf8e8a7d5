#pragma once

#include "core/ops/dispatch/library.h"

namespace warpwalk::ops {

// The parts of register_library. Each registers functions for ops that are already defined.

/// Views: other geometries on the same storage, for any dense backend.
void register_views(Dispatcher& dispatcher);
/// Ops for any dense backend that are made of other ops below autograd: clone, zeros, sum over all ...
void register_made(Dispatcher& dispatcher);
/// Ops that leave everything, autograd too, to the ops that they are made of: reshape, contiguous, to ...
void register_composites(Dispatcher& dispatcher);
/// aten::matmul and what it becomes.
void register_matmul(Dispatcher& dispatcher);

/// A device as an argument of a factory.
inline std::int64_t device_argument(DeviceKind device) { return static_cast<std::int64_t>(device); }
/// A new tensor, contents undefined, through aten::empty.memory_format.
Tensor empty_tensor(Dispatcher& dispatcher, const Sizes& sizes, DType dtype, DeviceKind device);

}  // namespace warpwalk::ops
