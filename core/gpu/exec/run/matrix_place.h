#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// The place of a matrix in shared memory: the matrix descriptor of wgmma (PTX ISA 9.0, "Matrix
/// descriptor format"; the fields' effect was read on an H200 for 324 descriptors). Rows are those of A or the columns
/// of B; a row has 32 bytes along k. The matrix consists of pieces of 16 bytes.
struct MatrixPlace {
  std::uint32_t start = 0;  ///< byte offset in the block's shared memory window
  std::uint32_t leading = 0,
                stride = 0;   ///< byte offsets between groups ("leading" and "stride dimension byte offset")
  unsigned swizzle_bits = 0;  ///< address bits that are swizzled: 3 for 128 bytes, 2 for 64, 1 for 32, 0
  unsigned base_offset = 0;

  static MatrixPlace of(std::uint64_t descriptor) {
    MatrixPlace place;
    place.start = static_cast<std::uint32_t>(descriptor & 0x3fff) << 4;
    place.leading = static_cast<std::uint32_t>(descriptor >> 16 & 0x3fff) << 4;
    place.stride = static_cast<std::uint32_t>(descriptor >> 32 & 0x3fff) << 4;
    place.base_offset = static_cast<unsigned>(descriptor >> 49 & 7);
    const auto layout = static_cast<unsigned>(descriptor >> 62);
    place.swizzle_bits = layout == 0 ? 0 : 4 - layout;
    return place;
  }

  /// A piece of a row: its bytes 16 * half to 16 * half + 15 along k.
  std::uint32_t along_k(std::uint32_t row, std::uint32_t half) const {
    if (swizzle_bits == 0) return swizzled(start + row / 8 * stride + half * leading + row % 8 * 16);
    return swizzled(start + row / 8 * stride + row % 8 * width() + half * 16);
  }
  /// Transposed: a piece with the elements `k` of the eight rows from 8 * group on, of 2 bytes each.
  std::uint32_t across_k(std::uint32_t group, std::uint32_t k) const {
    if (swizzle_bits == 0) return swizzled(start + group * stride + k / 8 * leading + k % 8 * 16);
    const std::uint32_t groups = width() / 16;
    return swizzled(start + group / groups * leading + k / 8 * stride + k % 8 * width() + group % groups * 16);
  }

 private:
  std::uint32_t width() const { return 16u << swizzle_bits; }
  std::uint32_t swizzled(std::uint32_t address) const {
    constexpr std::uint32_t address_mask = (1u << 18) - 1;
    const std::uint32_t mask = (1u << swizzle_bits) - 1;
    return (address ^ (((address >> 7) - base_offset) & mask) << 4) & address_mask;
  }
};

}  // namespace warpwalk::gpu
