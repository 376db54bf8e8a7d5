#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// Where the lanes' bytes lie on the host.
struct Places {
  std::uint8_t* at[32];
  bool one_region = false;  ///< all in one buffer, so that neighbours there are neighbours here
};

}  // namespace warpwalk::gpu
