#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// Bytes that an mbarrier of machine code waits for have arrived: `barrier` points to its 8 bytes. Ends its phase if
/// nothing else is pending.
void complete_bytes(std::uint8_t* barrier, std::uint32_t bytes);
/// True while the phase of such a barrier is odd.
bool is_odd_phase(const std::uint8_t* barrier);

}  // namespace warpwalk::gpu
