#pragma once

#include <cstdint>

#include "core/gpu/device/device.h"

namespace warpwalk::gpu {

/// A grid counted in waves. One wave is the number of blocks that fit on the whole GPU at once.
struct Waves {
  std::uint64_t blocks_per_wave = 0;  ///< SMs times blocks per SM
  std::uint64_t full_waves = 0;
  std::uint64_t tail_blocks = 0;  ///< blocks in a last wave that does not fill the GPU
  /// Share of the block slots that are used, over all waves including the tail: blocks / (ceil(waves) *
  /// blocks_per_wave). This is the speed relative to a grid without a tail if all blocks take equally long. 1 if there
  /// is no tail or no block.
  double tail_efficiency = 1.0;

  std::uint64_t waves() const { return full_waves + (tail_blocks > 0 ? 1 : 0); }
};

/// All zero (efficiency 1) if blocks_per_sm is not positive, i.e. if the kernel cannot run.
Waves waves_of(std::uint64_t blocks, const Device& device, std::int64_t blocks_per_sm);

}  // namespace warpwalk::gpu
