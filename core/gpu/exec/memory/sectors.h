#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// Number of distinct 32-byte sectors that the active lanes access. Each lane accesses `bytes` (1 to 16) at an aligned
/// address.
int count_sectors(const std::uint64_t* addresses, std::uint32_t mask, int bytes);

}  // namespace warpwalk::gpu
