#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/story/labs/dispatch/key_bits.h"
#include "core/story/labs/dispatch/lab_ops.h"
#include "core/story/labs/dispatch/traced_call.h"

namespace warpwalk::story {

/// The keys of one tensor argument in PyTorch. `mode`: vmap and grad wrap the tensor.
KeyBits tensor_key_bits(ops::DeviceKind device, ops::TensorLayout layout, CallMode mode);
/// The keys that the thread adds to every call, and those that it takes away (c10/core/impl/LocalDispatchKeySet.h).
KeyBits thread_includes(CallMode mode);
/// Autocast is on for one device.
KeyBits thread_excludes(CallMode mode, ops::DeviceKind device);

/// The key set of a call in PyTorch, and its parts: (tensors | includes) - excludes.
struct CallKeys {
  struct Tensor {
    std::string name;  ///< "a"
    KeyBits keys;
  };
  std::vector<Tensor> tensors;
  KeyBits includes, excludes, set;
};
CallKeys call_keys(const LabOp& op, const CallSetting& setting);

/// The place of a key in LabOp::row, which is that of ops::Key; -1 for other keys.
int row_place(std::string_view key);
/// The first key of the set at which PyTorch calls a function for this op.
std::string first_called(const LabOp& op, const CallKeys& keys);

}  // namespace warpwalk::story
