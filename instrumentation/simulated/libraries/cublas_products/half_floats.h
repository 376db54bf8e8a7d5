#pragma once

#include <bit>
#include <cstdint>

namespace warpwalk::simulated::libraries {

/// The value of the bits of a half-precision number.
inline float f16_to_float(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16, magnitude = bits & 0x7fff;
  // 2^-24 is the unit of subnormal numbers.
  if (magnitude < 0x400) return (sign != 0 ? -1.0F : 1.0F) * static_cast<float>(magnitude) * 0x1p-24F;
  if (magnitude >= 0x7c00) return std::bit_cast<float>(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  return std::bit_cast<float>(sign | ((magnitude << 13) + (112U << 23)));
}

/// The value of the bits of a bfloat16 number.
inline float bf16_to_float(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

}  // namespace warpwalk::simulated::libraries
