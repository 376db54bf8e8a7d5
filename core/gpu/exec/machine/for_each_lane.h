#pragma once

#include <cstdint>
#include <cstring>

#include "core/gpu/exec/machine/machine.h"

namespace warpwalk::gpu {

/// Calls `each(lane)` for the lanes in a mask, in ascending order.
template <class Each>
void for_lanes(std::uint32_t mask, Each each) {
  for (; mask != 0; mask &= mask - 1) each(std::countr_zero(mask));
}

/// Copies the lanes in `mask`; the other lanes keep their values. Both arrays have 32 * bytes bytes and do not overlap.
inline void blend(void* into, const void* from, std::uint32_t mask, int bytes) {
  const auto select = [mask]<class T>(T* d, const T* s) {
    for (int lane = 0; lane < lanes_per_warp; ++lane) d[lane] = (mask >> lane & 1) != 0 ? s[lane] : d[lane];
  };
  struct Wide {
    std::uint64_t low, high;
  };
  switch (bytes) {
    case 16: select(static_cast<Wide*>(into), static_cast<const Wide*>(from)); break;
    case 2: select(static_cast<std::uint16_t*>(into), static_cast<const std::uint16_t*>(from)); break;
    case 4: select(static_cast<std::uint32_t*>(into), static_cast<const std::uint32_t*>(from)); break;
    default: select(static_cast<std::uint64_t*>(into), static_cast<const std::uint64_t*>(from)); break;
  }
}

/// Writes one lane of a register that is `bytes` wide: 2, 4 or 8.
inline void set_lane(std::uint8_t* values, int bytes, int lane, std::uint64_t value) {
  std::memcpy(values + bytes * lane, &value, static_cast<std::size_t>(bytes));
}

inline std::uint64_t get_lane(const std::uint8_t* values, int bytes, int lane) {
  std::uint64_t value = 0;
  std::memcpy(&value, values + bytes * lane, static_cast<std::size_t>(bytes));
  return value;
}

}  // namespace warpwalk::gpu
