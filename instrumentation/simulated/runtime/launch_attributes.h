#pragma once

#include <vector>

#include "instrumentation/simulated/device/launch.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {

/// Applies the attributes of a launch to its shape. `events` receives the events that are to be recorded with it.
Error apply_attributes(const LaunchConfiguration& configuration, LaunchShape& shape, std::vector<const void*>& events);

}  // namespace warpwalk::simulated
