#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/gpu/exec/machine/block_run.h"
#include "core/gpu/exec/run/run_block.h"

namespace warpwalk::gpu {

/// Blocks that run together: those of a cluster, or a single block if the kernel does not use clusters.
struct BlockGroup {
  std::vector<std::unique_ptr<BlockState>> blocks;  ///< by rank
  ClusterState cluster;
  std::vector<std::uint8_t> done;  ///< by rank: the block has ended
  bool progressed = false;         ///< in its last turn, a warp did more than poll memory, or changed it while polling

  /// The first block with lanes that can run (`ready`), or the first one that has not ended.
  BlockState& first_block(bool ready) const;
};

/// Number of groups in the grid.
std::uint64_t count_groups(const LaunchContext& context);

/// The group of a block, and the block's rank in it.
std::pair<std::uint64_t, std::uint32_t> group_of(const LaunchContext& context, std::uint64_t block);

/// Initializes the state of group `index`. Clusters are numbered as blocks are: x fastest.
void reset_group(BlockGroup& group, const LaunchContext& context, std::uint64_t index, bool sanitize);

/// Runs the blocks in turns until all have ended, a finding stops one, or blocks of other groups should run. Never
/// returns `waits`: a cluster that waits for itself is reported as deadlocked.
BlockResult run_group(Machine& machine, BlockGroup& group);

}  // namespace warpwalk::gpu
