#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// The byte array that holds a slot.
enum class SlotSpace : std::uint8_t {
  frame,     ///< registers of the running function
  constant,  ///< immediates, each repeated for 32 lanes
  special,   ///< the warp's special registers, e.g. %tid
  bank,      ///< values of the launch's constant banks, each repeated for 32 lanes (machine_code.h)
};
/// Location of 32 values, one per lane: a space and a byte offset into it.
struct Slot {
  std::uint32_t value = 0;  ///< offset << 2 | space
  static Slot at(SlotSpace space, std::uint32_t offset) { return {offset << 2 | static_cast<std::uint32_t>(space)}; }
  std::uint32_t space() const { return value & 3; }
  std::uint32_t offset() const { return value >> 2; }
};

}  // namespace warpwalk::gpu
