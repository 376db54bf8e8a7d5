#pragma once

#include <array>
#include <cstdint>

#include "core/ptx/type.h"

namespace warpwalk::gpu {

/// A tensor map (CUtensorMap): a tensor in global memory, and the box or the pixels that one copy of the tensor memory
/// accelerator moves. The driver does not document its 128 bytes; the fields were found from 354 maps that
/// cuTensorMapEncodeTiled of CUDA 13.0 made of known parameters, and 400 of cuTensorMapEncodeIm2col. The GPU reads only
/// the first half, and cuDNN passes no more.
///
/// In im2col mode, the dimensions are channels, one to three of the image (width, height, depth), and images. A copy
/// moves some channels of consecutive pixels of a box in the images, row by row and image by image, each pixel read at
/// the same offset from its place (PTX ISA 9.0, "im2col mode").
struct TensorMap {
  static constexpr std::uint64_t bytes = 64;
  static constexpr unsigned max_rank = 5;
  static constexpr unsigned max_image_rank = 3;
  using Coordinates = std::array<std::int32_t, max_rank>;

  std::uint64_t address = 0;
  unsigned rank = 1;
  ptx::Type type = ptx::Type::none;  ///< none: a number that no known map has
  bool rounds_to_tf32 = false;
  bool flushes = false;  ///< reductions: subnormals of f32 become zeros
  unsigned interleave = 0;
  unsigned l2_promotion = 0;  ///< as the driver numbers it; has no effect here
  unsigned swizzle_bits = 0;  ///< address bits that are swizzled: 3 for 128 bytes, 2 for 64, 1 for 32, 0
  bool fills_with_nan = false;
  std::array<std::uint64_t, max_rank> sizes{};    ///< elements in each dimension, innermost first
  std::array<std::uint64_t, max_rank> strides{};  ///< bytes; the first is the size of an element
  std::array<std::uint32_t, max_rank> box{};      ///< elements of the tensor that the box spans; im2col: channels first
  std::array<std::uint32_t, max_rank> steps{};    ///< a copy takes every n-th element; the first has no effect

  bool is_image = false;     ///< im2col mode
  std::uint32_t pixels = 0;  ///< that an im2col copy moves
  /// Im2col: the corners of the box of pixels, both inside, in each dimension of the image.
  std::array<std::int32_t, max_image_rank> first_pixel{}, last_pixel{};

  static TensorMap of(const std::uint8_t* map);
  /// The map as the driver writes it, all 128 bytes of it.
  std::array<std::uint64_t, 16> words() const;

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
  bool row_at(const Coordinates& at, std::uint32_t row, std::uint64_t& first) const;
  /// Im2col: the address of the channels of the pixel at these coordinates plus the offsets, likewise.
  bool pixel_at(const Coordinates& at, const std::array<std::int32_t, max_image_rank>& offsets,
                std::uint64_t& first) const;
  /// Im2col: moves the coordinates to the next pixel of the box.
  void to_next_pixel(Coordinates& at) const;
  /// Im2col: whether a copy may begin at these coordinates.
  bool is_in_pixel_box(const Coordinates& at) const;
  /// Im2col: the offsets that an instruction packs into 16 bits.
  std::array<std::int32_t, max_image_rank> offsets_of(std::uint32_t packed) const;
  /// The bits of an element outside the tensor.
  std::uint64_t fill() const;
};

/// Bits of a coordinate or offset of a pixel, by the dimensions of the image: 16, 8 or 5.
constexpr unsigned image_coordinate_bits(unsigned image_rank) { return image_rank == 1 ? 16 : image_rank == 2 ? 8 : 5; }

/// An offset in shared memory, swizzled as tensor copies do.
inline std::uint64_t swizzled(std::uint64_t offset, unsigned bits) {
  return offset ^ ((offset >> 7 & ((1U << bits) - 1)) << 4);
}

}  // namespace warpwalk::gpu
