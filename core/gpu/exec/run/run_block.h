#pragma once

// This folder executes programs: handlers, turns of blocks and warps, proofs that a loop never ends. The checks of
// --sanitize are in core/gpu/exec/check.

#include <string>

#include "core/gpu/exec/machine/block_run.h"
#include "core/gpu/exec/machine/machine.h"

namespace warpwalk::gpu {

/// Initializes the state of block `index` of the grid, which has this rank in its cluster.
void reset_block(BlockState& block, const LaunchContext& context, std::uint64_t index, std::uint32_t cluster_rank,
                 bool sanitize);

enum class BlockResult : std::uint8_t {
  done,
  yields,   ///< no warp progresses and some poll memory that another block may change, or the run was cancelled
  waits,    ///< no warp progresses and some wait for other blocks at the cluster's barrier
  stopped,  ///< a finding ended the launch
};

/// Runs a block until it ends, a finding stops it, or other blocks should run.
BlockResult run_block(Machine& machine, BlockState& block);

// deadlock.cpp
/// The first lanes of a warp that wait for other threads; null if none do.
const Split* waiting_split(const Warp& warp);
/// The first op from `pc` on that has an instruction. Markers of basic blocks have none.
const Op& op_with_source(const Machine& machine, std::uint32_t pc);

/// Reports a deadlocked block: its warps wait for each other, or poll memory (`spinning`) that no warp changes. The
/// finding names both sides: the warp that waits, and where those are that it waits for. `absent_blocks`, the end of
/// the sentence about polled memory, says which blocks do not come.
void report_deadlock(Machine& machine, BlockState& block, bool spinning, const std::string& absent_blocks = {});

}  // namespace warpwalk::gpu
