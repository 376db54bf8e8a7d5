#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// SM number as the hardware counts SMs (%smid). 16 bits, because a schedule stores one for each of millions of blocks.
using SmId = std::uint16_t;

}  // namespace warpwalk::gpu
