#pragma once

#include <cstdint>

#include "core/gpu/device/device.h"
#include "core/gpu/exec/counters.h"

namespace warpwalk::simulated {

/// A lower bound of a kernel's time: its instructions at one per scheduler and cycle, and the bytes that it moves at
/// the bandwidth of the memory, and the time without blocks that CUPTI measures (run::outside_blocks). For launches
/// whose cycles are not simulated.
std::int64_t least_ns(const gpu::Device& device, const gpu::Counters& counters, double blocks);

/// The part of the SMs that a launch fills at its fullest.
double share_of_sms(const gpu::Device& device, double blocks, std::int64_t blocks_per_sm);

}  // namespace warpwalk::simulated
