#include "core/gpu/blocks/waves.h"

namespace warpwalk::gpu {

Waves waves_of(std::uint64_t blocks, const Device& device, std::int64_t blocks_per_sm) {
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
