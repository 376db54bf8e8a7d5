#pragma once

#include <cstdint>

#include "core/gpu/timing/launch/time_launch.h"

namespace warpwalk::gpu {

/// The cycles of a launch of many blocks, from its first ones.
struct SampledTiming {
  double cycles = 0;               ///< of the whole launch
  std::uint64_t blocks_timed = 0;  ///< that the timing model ran to their end
  bool whole = false;              ///< these are all, so `cycles` is not scaled
  LaunchTiming timing;             ///< of the blocks that were timed
};

/// Estimates the cycles of a launch whose blocks do about the same. The SMs hold a wave of blocks. Two or more full
/// waves and a part of one, such that the waves that are left out are full ones, run as a launch of their own, so that
/// its beginning and its end cost what they cost in the whole launch. Each wave that is left out takes as long as the
/// last full one, from the start of its first block to the start of the next wave's.
///
/// `block_instructions`: warp instructions of a block. `budget`: warp instructions to time; more waves are timed as
/// long as it is not used up. If it is not enough for two waves, the first one is timed until it is used up, and the
/// launch is assumed to go on issuing as in the second half of that.
base::Result<SampledTiming> time_sample(const Device& device, const Program& program, Launch& launch,
                                        double block_instructions, double budget, const TimingOptions& options = {});

}  // namespace warpwalk::gpu
