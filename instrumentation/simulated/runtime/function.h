#pragma once

#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {

/// Sets a cudaFuncAttribute of a kernel.
Error set_attribute(const Gpu& gpu, Kernel& kernel, int attribute, int value);

/// The registers and shared memory of a kernel, which are known once its code has been prepared.
Error prepare(Gpu& gpu, Kernel& kernel);

}  // namespace warpwalk::simulated
