#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/gpu/blocks/block_order.h"
#include "core/gpu/blocks/waves.h"
#include "core/gpu/device/device.h"
#include "core/gpu/device/sm_id.h"

namespace warpwalk::gpu {

/// How long blocks take from their start to their end.
struct BlockCycles {
  std::int64_t each = 0;                        ///< cycles; of every block where `of_block` is empty
  std::span<const std::int64_t> of_block = {};  ///< cycles by block number; shorter than the grid: `each` for the rest

  std::int64_t of(std::uint64_t block) const { return block < of_block.size() ? of_block[block] : each; }
};

struct GridLaunch {
  std::uint64_t blocks = 0;
  std::int64_t blocks_per_sm = 1;    ///< resident at most (occupancy_of)
  std::int64_t warps_per_block = 1;  ///< more warps take longer to start
  BlockCycles cycles;
};

/// Which SM each block went to, and when. Index: block number. Times in cycles since the first block's start.
struct Schedule {
  std::vector<SmId> sm;
  std::vector<std::uint8_t> slot;  ///< place among the SM's resident blocks, 0 to blocks_per_sm - 1
  std::vector<std::int64_t> start;
  std::vector<std::int64_t> end;
  std::int64_t cycles = 0;  ///< the last end
  Waves waves;
  SchedulerState state;  ///< for the launch that follows

  std::size_t blocks() const { return sm.size(); }
};

/// Plays a launch on an empty GPU. The blocks that fit at once go out as first_blocks() says, on each SM one after the
/// other, max(block_interval, warp_interval * warps) cycles apart. Each further block, in order of its number, takes
/// the slot that falls free first (of equal ones the slot whose block started earlier in the order above),
/// block_replacement cycles after, and no sooner after the SM's last start than that interval. Deterministic. On
/// hardware that second part depends on ends that lie a few cycles apart, and differs from run to run of the same
/// launch.
///
/// Takes 19 bytes a block and a time of blocks * log(slots). Empty where blocks_per_sm is not in 1 to 255. Cycles below
/// 0 count as 0.
Schedule schedule_blocks(const Device& device, const GridLaunch& launch, SchedulerState state = {});

/// In how many blocks two placements of one grid agree.
std::uint64_t equal_placements(std::span<const SmId> a, std::span<const SmId> b);

}  // namespace warpwalk::gpu
