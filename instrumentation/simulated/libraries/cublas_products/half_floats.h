#pragma once

#include <bit>
#include <cmath>
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

/// Rounds to the nearest half-precision number, and to the even one of two.
inline std::uint16_t float_to_f16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return static_cast<std::uint16_t>(sign | 0x7fff);
  if (magnitude >= 0x47800000) return static_cast<std::uint16_t>(sign | 0x7c00);  // 2^16 and more
  if (magnitude < 0x38800000) {                                                   // less than 2^-14: subnormal
    const float units = std::nearbyint(std::bit_cast<float>(magnitude) * 0x1p24F);
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(units));
  }
  const std::uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1) - (112U << 23);
  return static_cast<std::uint16_t>(sign | rounded >> 13);
}

/// The value of the bits of a bfloat16 number.
inline float bf16_to_float(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

/// Rounds to the nearest bfloat16 number, and to the even one of two.
inline std::uint16_t float_to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// Rounds to TF32 as cvt.rna does: 10 bits of mantissa, halves away from zero.
inline float float_to_tf32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7f800000) == 0x7f800000) return value;
  return std::bit_cast<float>((bits + 0x1000) & ~0x1fffU);
}

/// The value of the bits of an 8-bit float: E4M3, which has no infinity, or E5M2.
inline float f8_to_float(std::uint8_t bits, bool is_e5m2) {
  if (is_e5m2) return f16_to_float(static_cast<std::uint16_t>(bits << 8));
  const std::uint32_t magnitude = bits & 0x7f;
  const float sign = (bits & 0x80) != 0 ? -1.0F : 1.0F;
  if (magnitude == 0x7f) return std::bit_cast<float>(0x7fc00000);
  if (magnitude < 8) return sign * static_cast<float>(magnitude) * 0x1p-9F;
  return sign * std::bit_cast<float>((magnitude << 20) + (120U << 23));
}

}  // namespace warpwalk::simulated::libraries
