#pragma once

#include <memory>

#include "instrumentation/simulated/libraries/cudnn/abi.h"

namespace warpwalk::simulated::libraries {

/// The body of cudnnCreate...Descriptor: a new descriptor for the program, which destroys it.
template <class Descriptor>
DnnStatus create_descriptor(Descriptor** descriptor) {
  if (descriptor == nullptr) return DnnStatus::bad_param_null_pointer;
  *descriptor = std::make_unique<Descriptor>().release();
  return DnnStatus::success;
}

/// The body of cudnnDestroy...Descriptor. Null is allowed, as in cuDNN.
template <class Descriptor>
DnnStatus destroy_descriptor(Descriptor* descriptor) {
  const std::unique_ptr<Descriptor> owned(descriptor);
  return DnnStatus::success;
}

/// The number of elements that the extents describe.
inline long long elements_of(const TensorDescriptor& tensor) {
  long long elements = 1;
  for (int axis = 0; axis < tensor.axes; ++axis) elements *= tensor.extents[axis];
  return elements;
}

}  // namespace warpwalk::simulated::libraries
