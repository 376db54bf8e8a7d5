#pragma once

#include <cstdlib>

#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {

/// The simulated GPU of the test program, which has one for all its tests: with two SMs, with cycles, and with small
/// launches that count as large (KernelLaunch::on_host).
inline Gpu& gpu_of_tests() {
  setenv("WARPWALK_GPU", WARPWALK_SOURCE_DIR "/assets/devices/h200_2sm.json", 1);
  setenv("WARPWALK_CYCLES", "1", 1);
  setenv("WARPWALK_LARGE_LAUNCH", "20000", 1);
  return Gpu::the();
}

}  // namespace warpwalk::simulated
