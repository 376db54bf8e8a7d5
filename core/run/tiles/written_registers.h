#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/run/tiles/find_tile.h"

namespace warpwalk::run {

/// Runs a launch once more and notes each register that the warps of one block write, in order, with its values after
/// the instruction: of machine code. Of a block that writes more than is kept, the first ones. The error is one line.
base::Result<std::vector<WarpRegisters>> written_registers(const gpu::Device& device, const gpu::Program& program,
                                                           gpu::Launch launch, std::uint64_t block);

}  // namespace warpwalk::run
