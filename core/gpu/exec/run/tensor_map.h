#pragma once

#include <array>
#include <cstdint>

#include "core/ptx/type.h"

namespace warpwalk::gpu {

/// A tensor map (CUtensorMap) in tiled mode: a tensor in global memory and the box that one copy of the tensor memory
/// accelerator moves. The driver does not document its 128 bytes; the fields were found from 354 maps that
/// cuTensorMapEncodeTiled of CUDA 13.0 made of known parameters. The GPU reads only the first half, and cuDNN passes no
/// more.
struct TensorMap {
  static constexpr std::uint64_t bytes = 64;
  static constexpr unsigned max_rank = 5;

  std::uint64_t address = 0;
  unsigned rank = 1;
  ptx::Type type = ptx::Type::none;  ///< none: a number that no known map has
  bool rounds_to_tf32 = false;
  bool flushes = false;  ///< subnormals of f32 become zeros
  unsigned interleave = 0;
  unsigned swizzle_bits = 0;  ///< address bits that are swizzled: 3 for 128 bytes, 2 for 64, 1 for 32, 0
  bool fills_with_nan = false;
  std::array<std::uint64_t, max_rank> sizes{};    ///< elements in each dimension, innermost first
  std::array<std::uint64_t, max_rank> strides{};  ///< bytes; the first is the size of an element
  std::array<std::uint32_t, max_rank> box{};      ///< elements of the tensor that the box spans
  std::array<std::uint32_t, max_rank> steps{};    ///< a copy takes every n-th element; the first has no effect

  static TensorMap of(const std::uint8_t* map);

  std::uint32_t element_bytes() const { return static_cast<std::uint32_t>(strides[0]); }
  /// Elements of a box in a dimension.
  std::uint32_t count(unsigned dimension) const {
    return dimension == 0 ? box[0] : (box[dimension] + steps[dimension] - 1) / steps[dimension];
  }
  std::uint32_t row_bytes() const { return box[0] * element_bytes(); }
  /// From one row to the next in shared memory: rows that are shorter than what is swizzled leave room.
  std::uint32_t row_pitch() const { return swizzle_bits == 0 ? row_bytes() : 16U << swizzle_bits; }
  std::uint64_t rows() const;
  /// The address of a row of the box at these coordinates, at the row's first element, which may lie outside. Returns
  /// false if the whole row lies outside the tensor.
  bool row_at(const std::array<std::int32_t, max_rank>& at, std::uint32_t row, std::uint64_t& first) const;
  /// The bits of an element outside the tensor.
  std::uint64_t fill() const;
};

/// An offset in shared memory, swizzled as tensor copies do.
inline std::uint64_t swizzled(std::uint64_t offset, unsigned bits) {
  return offset ^ ((offset >> 7 & ((1U << bits) - 1)) << 4);
}

}  // namespace warpwalk::gpu
