#include "instrumentation/simulated/engine/least_time.h"

#include <algorithm>
#include <cmath>

#include "core/run/launch/cupti_time.h"

namespace warpwalk::simulated {

std::int64_t least_ns(const gpu::Device& device, const gpu::Counters& counters, double blocks) {
  constexpr double sector = 32;
  const double sms = std::min(blocks, static_cast<double>(*device.sm_count));
  const double cycles = static_cast<double>(counters.warp_instructions) / (4 * std::max(sms, 1.0));
  const double bytes = sector * static_cast<double>(counters.global_load_sectors + counters.global_store_sectors +
                                                    counters.global_atomic_sectors);
  const double clock = device.sm_clock ? *device.sm_clock : 1e9;
  return std::llround(run::outside_blocks(device.name).ns +
                      1e9 * std::max(cycles / clock, bytes / *device.memory_bandwidth));
}

double share_of_sms(const gpu::Device& device, double blocks, std::int64_t blocks_per_sm) {
  const double resident = static_cast<double>(blocks_per_sm * *device.sm_count);
  return std::min(1.0, blocks / std::max(resident, 1.0));
}

}  // namespace warpwalk::simulated
