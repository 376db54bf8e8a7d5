#pragma once

#include <cstdint>

#include "core/gpu/device/device.h"

namespace warpwalk::gpu {

/// A grid counted in waves: a wave is as many blocks as the whole GPU holds at once.
struct Waves {
  std::uint64_t blocks_per_wave = 0;  ///< SMs times blocks per SM
  std::uint64_t full_waves = 0;
  std::uint64_t tail_blocks = 0;  ///< what is left for a last wave that does not fill the GPU
  /// Share of the block slots that have a block, over all waves with the tail: blocks / (ceil(waves) *
  /// blocks_per_wave). It is the speed reached, over the speed without a tail, if all blocks take equally long. 1
  /// without a tail or a block.
  double tail_efficiency = 1.0;

  std::uint64_t waves() const { return full_waves + (tail_blocks > 0 ? 1 : 0); }
};

/// All zero (and efficiency 1) where blocks_per_sm is not positive: such a kernel cannot run.
Waves waves_of(std::uint64_t blocks, const Device& device, std::int64_t blocks_per_sm);

}  // namespace warpwalk::gpu
