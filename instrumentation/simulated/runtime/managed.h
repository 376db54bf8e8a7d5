#pragma once

#include <cstddef>

#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {

// Hints about managed memory, which the host and the simulated GPU share: they change nothing but what
// cudaMemRangeGetAttribute returns.

/// The location that a device number means, which may be cudaCpuDeviceId.
Location location_of(int device);
Error prefetch(const char* name, const void* at, std::size_t bytes, Location to, unsigned flags, const void* stream);
Error advise(const char* name, const void* at, std::size_t bytes, int advice, Location location);

}  // namespace warpwalk::simulated
