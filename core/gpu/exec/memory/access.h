#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// Where the lanes' bytes lie on the host.
struct Places {
  std::uint8_t* at[32];
};

}  // namespace warpwalk::gpu
