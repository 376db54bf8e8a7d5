#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// Number of an SM as the hardware counts them (%smid). Narrow, because a schedule holds one for each of millions of
/// blocks.
using SmId = std::uint16_t;

}  // namespace warpwalk::gpu
