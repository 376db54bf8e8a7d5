#pragma once

#include <string>

#include "instrumentation/simulated/device/launch.h"
#include "instrumentation/simulated/device/memory.h"

namespace warpwalk::simulated {

/// What launches that are likely to cost the same have in common, as a key: the kernel, the shape, and the arguments,
/// of whose addresses only the alignment counts, and which of them are equal.
std::string likeness_of(const KernelLaunch& launch, const DeviceMemory::View& view);

}  // namespace warpwalk::simulated
