#pragma once

// This folder has texel formats, filters and address modes as pure functions. Texture instructions are in
// core/gpu/exec.

#include <array>
#include <cstdint>

namespace warpwalk::gpu {

/// The type of one channel of a texel.
enum class TexelType : std::uint8_t { u8, u16, u32, s8, s16, s32, f16, f32 };

/// The format of a texel: one, two or four channels of a type.
struct TexelFormat {
  TexelType type = TexelType::f32;
  std::uint8_t channels = 1;

  std::uint32_t channel_bytes() const;
  std::uint32_t bytes() const { return channel_bytes() * channels; }
  bool is_float() const { return type == TexelType::f16 || type == TexelType::f32; }
};

/// How a coordinate outside the texture is mapped (CUDA programming guide, "Texture Memory").
enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };
enum class FilterMode : std::uint8_t { point, linear };

/// How a texture is read.
struct Sampler {
  std::array<AddressMode, 3> address{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  FilterMode filter = FilterMode::point;
  bool normalized = false;        ///< coordinates in [0, 1) instead of [0, size)
  bool normalized_float = false;  ///< integer formats are read as floats in [0, 1] or [-1, 1]
  bool seamless = false;          ///< cubemaps: a linear filter reads across the edges of faces
  std::array<float, 4> border{};
  FilterMode level_filter = FilterMode::point;  ///< between mipmap levels
  float level_bias = 0;
  float lowest_level = 0, highest_level = 0;
};

/// The shape of a texture or a surface, and of the instructions that access it.
enum class TextureShape : std::uint8_t { line, line_array, plane, plane_array, volume, cube, cube_array };

/// A texture or a surface without its contents. Texels are stored row by row and without gaps: x varies fastest, then
/// y, then z, face and layer. Mipmap levels follow each other, each half the size of the previous one.
struct TextureDescriptor {
  TexelFormat format;
  TextureShape shape = TextureShape::line;
  std::uint32_t width = 1, height = 1;
  std::uint32_t depth = 1;     ///< of a volume
  std::uint32_t layers = 1;    ///< of an array; for cubes, without the factor 6
  std::uint32_t levels = 1;    ///< mipmap levels
  bool linear_memory = false;  ///< one-dimensional linear memory, which is only read at integer positions
  Sampler sampler;

  /// Number of images at each level: layers and faces, or the depth of a volume at that level.
  std::uint32_t slices(std::uint32_t level) const;
  std::uint32_t width_at(std::uint32_t level) const;
  std::uint32_t height_at(std::uint32_t level) const;
  std::uint64_t level_bytes(std::uint32_t level) const;
  /// The offset of a texel in bytes. The position must be inside the texture.
  std::uint64_t offset(std::uint32_t level, std::uint32_t x, std::uint32_t y, std::uint32_t slice) const;
  /// The size of the contents in bytes.
  std::uint64_t bytes() const;
};

bool is_array(TextureShape shape);  ///< has layers
bool is_cube(TextureShape shape);
/// Coordinates within an image: 1, 2 or 3.
int dimensions(TextureShape shape);

/// The four components that a fetch returns, as bits of 32-bit integers or floats.
using TexelBits = std::array<std::uint32_t, 4>;

/// The texels that a fetch reads, as offsets in bytes. Texels outside the texture are not included.
struct TexelReads {
  static constexpr std::size_t capacity = 16;  ///< linear filter in three dimensions on two levels
  std::array<std::uint64_t, capacity> offsets{};
  std::size_t count = 0;

  void add(std::uint64_t offset) {
    if (count < capacity) offsets[count++] = offset;
  }
};

}  // namespace warpwalk::gpu
