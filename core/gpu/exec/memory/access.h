#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// Host pointers to the bytes that each lane accesses.
struct Places {
  std::uint8_t* host[32];
};

}  // namespace warpwalk::gpu
