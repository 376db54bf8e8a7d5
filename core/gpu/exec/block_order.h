#pragma once

#include "core/gpu/exec/launch.h"

namespace warpwalk::gpu {

/// simulate() with the blocks of the grid, or its clusters, started in the opposite order, the last one first. A GPU
/// promises no order: a kernel whose result differs relies on one.
base::Result<Simulation> simulate_last_block_first(const Device& device, const Program& program, Launch& launch,
                                                   const SimulateOptions& options = {});

}  // namespace warpwalk::gpu
