#pragma once

#include "instrumentation/simulated/device/copy.h"
#include "instrumentation/simulated/driver/abi.h"
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {

/// The engine's form of a copy that the program describes. Fails for a type of memory that there is not, and for
/// handles that are no arrays. The graphs of this folder use it, too.
Error make_copy(Gpu& gpu, const CUDA_MEMCPY2D& given, Copy& copy);
Error make_copy(Gpu& gpu, const CUDA_MEMCPY3D& given, Copy& copy);
/// A copy of one row of linear memory.
Copy linear_copy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CopyKind kind);

}  // namespace warpwalk::simulated
