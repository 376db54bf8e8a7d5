#pragma once

// Numbers of the data types of CUDA's libraries, as they are stored.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace warpwalk::libraries_test::stored {

/// cudaDataType_t
enum DataType : int { r32 = 0, r64 = 1, r16 = 2, c32 = 4, c64 = 5, c16 = 6, r16b = 14, c16b = 15 };

inline bool is_complex(DataType type) { return type == c32 || type == c64 || type == c16 || type == c16b; }
inline std::size_t bytes_of_part(DataType type) {
  if (type == r64 || type == c64) return 8;
  return type == r32 || type == c32 ? 4 : 2;
}
inline DataType real_type_of(DataType type) {
  return type == c32 ? r32 : type == c64 ? r64 : type == c16 ? r16 : type == c16b ? r16b : type;
}

/// A finite number in half precision, and back.
inline std::uint16_t half_bits(double value) {
  const int exponent = value == 0 ? -14 : std::max(std::ilogb(value), -14);
  auto bits = static_cast<std::uint32_t>(std::lround(std::ldexp(std::abs(value), 10 - exponent)));
  bits += static_cast<std::uint32_t>(exponent + 14) << 10;  // the leading one counts into the exponent
  return static_cast<std::uint16_t>(bits | (std::signbit(value) ? 0x8000U : 0U));
}
inline double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

/// A number in memory in one of the types, and from memory.
inline void put(std::uint8_t* to, DataType type, double value) {
  switch (real_type_of(type)) {
    case r64: std::memcpy(to, &value, 8); break;
    case r32: {
      const auto number = static_cast<float>(value);
      std::memcpy(to, &number, 4);
      break;
    }
    case r16: {
      const std::uint16_t bits = half_bits(value);
      std::memcpy(to, &bits, 2);
      break;
    }
    default: {
      const auto number = static_cast<float>(value);
      std::uint32_t bits = 0;
      std::memcpy(&bits, &number, 4);
      bits = (bits + 0x8000U) >> 16;
      std::memcpy(to, &bits, 2);
    }
  }
}
inline double get(const std::uint8_t* from, DataType type) {
  switch (real_type_of(type)) {
    case r64: {
      double number = 0;
      std::memcpy(&number, from, 8);
      return number;
    }
    case r32: {
      float number = 0;
      std::memcpy(&number, from, 4);
      return number;
    }
    case r16: {
      std::uint16_t bits = 0;
      std::memcpy(&bits, from, 2);
      return half_value(bits);
    }
    default: {
      std::uint32_t bits = 0;
      std::memcpy(&bits, from, 2);
      bits <<= 16;
      float number = 0;
      std::memcpy(&number, &bits, 4);
      return number;
    }
  }
}

}  // namespace warpwalk::libraries_test::stored
