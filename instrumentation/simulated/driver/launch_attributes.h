#pragma once

#include <vector>

#include "instrumentation/simulated/driver/abi.h"
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {

/// A CUlaunchConfig as the engine takes it.
struct LaunchPlan {
  LaunchShape shape;
  std::vector<Event*> events;  ///< to be recorded behind the launch
};

/// Reads the attributes. Those that only allow a GPU to be faster, such as programmatic launches, have no effect.
Error read_config(Gpu& gpu, const CUlaunchConfig& config, LaunchPlan& plan);

}  // namespace warpwalk::simulated
