#pragma once

#include <cstddef>
#include <cstdint>

namespace warpwalk::sass {

/// Size of a machine instruction in bytes, since sm_70.
constexpr std::size_t instruction_bytes = 16;

/// A 128-bit machine instruction. Bit 0 is the least significant bit of `low`; in a cubin `low` comes first, and both
/// halves are little-endian.
struct Encoding {
  std::uint64_t low = 0, high = 0;

  constexpr bool bit(unsigned at) const { return ((at < 64 ? low >> at : high >> (at - 64)) & 1) != 0; }
  /// Bits first to first + count - 1, with count in 1 to 64.
  constexpr std::uint64_t bits(unsigned first, unsigned count) const {
    std::uint64_t value = first < 64 ? low >> first : high >> (first - 64);
    if (first > 0 && first < 64) value |= high << (64 - first);
    return count < 64 ? value & ((std::uint64_t{1} << count) - 1) : value;
  }
  constexpr Encoding& set(unsigned first, unsigned count, std::uint64_t value) {
    for (unsigned i = 0; i < count; ++i) {
      std::uint64_t& half = first + i < 64 ? low : high;
      const std::uint64_t mask = std::uint64_t{1} << ((first + i) % 64);
      half = (value >> i & 1) != 0 ? half | mask : half & ~mask;
    }
    return *this;
  }
  constexpr bool operator==(const Encoding&) const = default;
};

/// The instruction at the beginning of 16 bytes.
constexpr Encoding encoding_at(const unsigned char* bytes) {
  Encoding encoding;
  for (unsigned i = 0; i < 8; ++i) {
    encoding.low |= std::uint64_t{bytes[i]} << (8 * i);
    encoding.high |= std::uint64_t{bytes[8 + i]} << (8 * i);
  }
  return encoding;
}

}  // namespace warpwalk::sass
