#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/gpu/blocks/block_order.h"
#include "core/gpu/blocks/waves.h"
#include "core/gpu/device/device.h"
#include "core/gpu/device/sm_layout.h"

namespace warpwalk::gpu {

/// Durations of blocks from start to end.
struct BlockCycles {
  std::int64_t each = 0;                        ///< cycles of a block that `of_block` does not cover
  std::span<const std::int64_t> of_block = {};  ///< cycles by block number; may be shorter than the grid

  std::int64_t for_block(std::uint64_t block) const { return block < of_block.size() ? of_block[block] : each; }
};

struct GridLaunch {
  std::uint64_t blocks = 0;
  std::int64_t blocks_per_sm = 1;    ///< maximum resident blocks (occupancy_of)
  std::int64_t warps_per_block = 1;  ///< blocks with more warps take longer to start
  BlockCycles cycles;
};

/// The SM and times of each block, indexed by block number. Times are in cycles since the start of the first block.
struct Schedule {
  std::vector<SmId> sm;
  std::vector<std::uint8_t> slot;  ///< index among the SM's resident blocks, 0 to blocks_per_sm - 1
  std::vector<std::int64_t> start;
  std::vector<std::int64_t> end;
  std::int64_t cycles = 0;  ///< end of the last block
  Waves waves;
  SchedulerState state;  ///< for the next launch

  std::size_t blocks() const { return sm.size(); }
};

/// Simulates a launch on an empty GPU. The blocks that fit at once are placed by first_blocks(). On each SM they start
/// one after the other, max(block_interval, warp_interval * warps) cycles apart. Each further block, in block order,
/// takes the slot that becomes free first (on a tie, that of the lower block number). It starts block_replacement
/// cycles later, but not before that interval has passed since the last start on the SM. The result is deterministic.
/// On hardware the second part depends on block ends that are only a few cycles apart, so it varies between runs of the
/// same launch.
///
/// Uses 19 bytes per block and O(blocks * log(slots)) time. Empty if blocks_per_sm is not in 1 to 255. Negative cycles
/// count as 0.
Schedule schedule_blocks(const Device& device, const GridLaunch& launch, SchedulerState state = {});

/// Returns the number of blocks that two placements of the same grid put on the same SM.
std::uint64_t count_equal_placements(std::span<const SmId> a, std::span<const SmId> b);

}  // namespace warpwalk::gpu
