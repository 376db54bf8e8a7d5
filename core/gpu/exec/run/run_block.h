#pragma once

#include "core/gpu/exec/run/block_run.h"
#include "core/gpu/exec/run/machine.h"

namespace warpwalk::gpu {

/// Puts block `index` of the grid at its start.
void start_block(BlockRun& block, const LaunchContext& context, std::uint64_t index, bool sanitize);

enum class BlockEnd : std::uint8_t {
  done,
  yields,   ///< every warp waits for memory that another block may change, or has had a long turn
  stopped,  ///< a finding ends the launch
};

/// Runs a block until it ends, or until others should have a turn (`alone` is not set).
BlockEnd run_block(Machine& machine, BlockRun& block);

/// Tells of a block whose warps all wait for each other, or of one that only spins.
void tell_deadlock(Machine& machine, BlockRun& block, bool spinning);

}  // namespace warpwalk::gpu
