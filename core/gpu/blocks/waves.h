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
inline Waves waves_of(std::uint64_t blocks, const Device& device, std::int64_t blocks_per_sm) {
  Waves result;
  if (blocks_per_sm < 1) return result;
  result.blocks_per_wave = static_cast<std::uint64_t>(*device.sm_count) * static_cast<std::uint64_t>(blocks_per_sm);
  result.full_waves = blocks / result.blocks_per_wave;
  result.tail_blocks = blocks % result.blocks_per_wave;
  if (result.tail_blocks > 0)
    result.tail_efficiency = static_cast<double>(blocks) /
                             (static_cast<double>(result.waves()) * static_cast<double>(result.blocks_per_wave));
  return result;
}

}  // namespace warpwalk::gpu
