#include "core/run/replay/what_if.h"

#include <algorithm>
#include <cmath>

#include "core/gpu/device/device.h"

namespace warpwalk::run {

gpu::Device changed_device(gpu::Device device, const WhatIf& what_if) {
  if (what_if.blocks > 0 && device.blocks_per_sm.value)
    device.blocks_per_sm.value = std::min<std::int64_t>(*device.blocks_per_sm, what_if.blocks);
  if (device.latency_memory.value)
    device.latency_memory.value = std::llround(static_cast<double>(*device.latency_memory) * what_if.memory_latency);
  return device;
}

}  // namespace warpwalk::run
