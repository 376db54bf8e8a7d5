#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace warpwalk::simulated::libraries {

// The types of numbers in tensors, for the host: as in kernels/libraries/cudnn/number.cuh.

struct HostF32 {
  using Storage = float;
  using Sum = float;
  static Sum load(Storage stored) { return stored; }
  static Storage store(Sum value) { return value; }
};

struct HostF64 {
  using Storage = double;
  using Sum = double;
  static Sum load(Storage stored) { return stored; }
  static Storage store(Sum value) { return value; }
};

/// float operands, rounded to 10 bits of mantissa as cvt.rna does: halves away from zero.
struct HostTf32 : HostF32 {
  static Sum load(Storage stored) {
    const auto bits = std::bit_cast<std::uint32_t>(stored);
    return (bits & 0x7f800000U) == 0x7f800000U ? stored : std::bit_cast<float>((bits + 0x1000U) & ~0x1fffU);
  }
};

struct HostF16 {
  using Storage = std::uint16_t;
  using Sum = float;
  static Sum load(Storage stored) {
    const std::uint32_t sign = static_cast<std::uint32_t>(stored & 0x8000U) << 16, magnitude = stored & 0x7fffU;
    constexpr std::uint32_t first_normal = 0x400, infinity = 0x7c00, exponents = 112U << 23;
    if (magnitude < first_normal)
      return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude * 0x1p-24F));
    if (magnitude >= infinity) return std::bit_cast<float>(sign | 0x7f800000U | (magnitude & 0x3ffU) << 13);
    return std::bit_cast<float>(sign | ((magnitude << 13) + exponents));
  }
  /// To the nearest number, and to the even one of two.
  static Storage store(Sum value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000U, magnitude = bits & 0x7fffffffU;
    if (magnitude > 0x7f800000U) return static_cast<Storage>(sign | 0x7fffU);
    if (magnitude >= 0x47800000U) return static_cast<Storage>(sign | 0x7c00U);  // 2^16 and more
    if (magnitude < 0x38800000U)                                                // less than 2^-14
      return static_cast<Storage>(
          sign | static_cast<std::uint32_t>(std::nearbyint(std::bit_cast<float>(magnitude) * 0x1p24F)));
    return static_cast<Storage>(sign | (magnitude + 0xfffU + (magnitude >> 13 & 1U) - (112U << 23)) >> 13);
  }
};

struct HostBf16 {
  using Storage = std::uint16_t;
  using Sum = float;
  static Sum load(Storage stored) { return std::bit_cast<float>(static_cast<std::uint32_t>(stored) << 16); }
  static Storage store(Sum value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffU) > 0x7f800000U) return 0x7fff;
    return static_cast<Storage>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
  }
};

}  // namespace warpwalk::simulated::libraries
