#pragma once

#include <cstdint>

#include "core/sass/encoding.h"

namespace warpwalk::sass {

/// The scheduling information in bits 105 to 125 of an instruction. The compiler, not the hardware, tracks most
/// dependences between instructions ("Control Codes" in NVIDIA's Maxwell-era documents; the layout since sm_70 is in
/// Mesa's NAK compiler, sm70_encode.rs).
struct Control {
  static constexpr std::uint8_t no_barrier = 7;

  std::uint8_t stall = 0;                   ///< cycles before the same warp may issue its next instruction, 0 to 15
  bool yield = false;                       ///< the scheduler prefers another warp next; bit 109 is 0
  std::uint8_t write_barrier = no_barrier;  ///< dependence barrier (0 to 5) released when the result is written
  std::uint8_t read_barrier = no_barrier;   ///< dependence barrier (0 to 5) released when the operands have been read
  std::uint8_t wait_mask = 0;               ///< bit i: waits for dependence barrier i before it issues
  std::uint8_t reuse = 0;                   ///< bit i: operand slot i (bits 24, 32, 64) stays in the operand cache

  bool operator==(const Control&) const = default;
};

constexpr Control control_of(const Encoding& encoding) {
  return {.stall = static_cast<std::uint8_t>(encoding.bits(105, 4)),
          .yield = !encoding.bit(109),
          .write_barrier = static_cast<std::uint8_t>(encoding.bits(110, 3)),
          .read_barrier = static_cast<std::uint8_t>(encoding.bits(113, 3)),
          .wait_mask = static_cast<std::uint8_t>(encoding.bits(116, 6)),
          .reuse = static_cast<std::uint8_t>(encoding.bits(122, 4))};
}

}  // namespace warpwalk::sass
