#include "core/gpu/texture/texture.h"

#include <algorithm>

namespace warpwalk::gpu {

std::uint32_t TexelFormat::channel_bytes() const {
  switch (type) {
    case TexelType::u8:
    case TexelType::s8: return 1;
    case TexelType::u16:
    case TexelType::s16:
    case TexelType::f16: return 2;
    default: return 4;
  }
}

bool is_array(TextureShape shape) {
  return shape == TextureShape::line_array || shape == TextureShape::plane_array || shape == TextureShape::cube_array;
}

bool is_cube(TextureShape shape) { return shape == TextureShape::cube || shape == TextureShape::cube_array; }

int dimensions(TextureShape shape) {
  switch (shape) {
    case TextureShape::line:
    case TextureShape::line_array: return 1;
    case TextureShape::plane:
    case TextureShape::plane_array: return 2;
    default: return 3;
  }
}

std::uint32_t TextureDescriptor::slices(std::uint32_t level) const {
  if (shape == TextureShape::volume) return std::max(depth >> level, 1u);
  return layers * (is_cube(shape) ? 6 : 1);
}

std::uint32_t TextureDescriptor::width_at(std::uint32_t level) const { return std::max(width >> level, 1u); }
std::uint32_t TextureDescriptor::height_at(std::uint32_t level) const { return std::max(height >> level, 1u); }

std::uint64_t TextureDescriptor::level_bytes(std::uint32_t level) const {
  return std::uint64_t{width_at(level)} * height_at(level) * slices(level) * format.bytes();
}

std::uint64_t TextureDescriptor::offset(std::uint32_t level, std::uint32_t x, std::uint32_t y,
                                        std::uint32_t slice) const {
  std::uint64_t before = 0;
  for (std::uint32_t i = 0; i < level; ++i) before += level_bytes(i);
  const std::uint64_t row = std::uint64_t{slice} * height_at(level) + y;
  return before + (row * width_at(level) + x) * format.bytes();
}

std::uint64_t TextureDescriptor::bytes() const {
  std::uint64_t total = 0;
  for (std::uint32_t level = 0; level < levels; ++level) total += level_bytes(level);
  return total;
}

}  // namespace warpwalk::gpu
