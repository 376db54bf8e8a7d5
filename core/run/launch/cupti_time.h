#pragma once

#include <string_view>

#include "core/gpu/device/device.h"
#include "core/gpu/timing/launch/time_launch.h"

namespace warpwalk::run {

/// The part of a kernel's duration in CUPTI's records in which no block runs: before the first one starts and after the
/// last one has ended.
struct OutsideBlocks {
  double ns = 0;
  bool measured = false;  ///< on this GPU; false: on another one, which stands in for it
};

/// The figure of the GPU with this name, as recorded. Source: empty kernels of one block of 32 or 1,024 threads,
/// recorded by CUPTI 13.0 (driver 580.159, PyTorch 2.11's profiler, 2026-11-27), 12 to 24 launches of each: 864 to
/// 897 ns on an H100 80GB HBM3 and 512 to 672 ns on an H200, medians 880 and 560, less the 95 ns that the timing model
/// gives their blocks. For other GPUs the H200's stands in.
OutsideBlocks outside_blocks(std::string_view gpu);

/// The duration in ns that CUPTI on the GPU `gpu` would record for a launch that takes this long on a simulated one:
/// LaunchTiming::cycles_blocks, and outside_blocks().
double cupti_ns(const gpu::Device& device, const gpu::LaunchTiming& timing, std::string_view gpu);

}  // namespace warpwalk::run
