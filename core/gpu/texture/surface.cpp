#include "core/gpu/texture/surface.h"

#include <algorithm>

namespace warpwalk::gpu {

std::optional<std::uint64_t> surface_offset(const TextureDescriptor& surface, const SurfacePlace& place,
                                            std::uint32_t bytes) {
  const auto row = static_cast<std::int64_t>(surface.width) * surface.format.bytes();
  const bool inside = place.x >= 0 && place.x + bytes <= row && place.y >= 0 && place.y < surface.height &&
                      place.slice >= 0 && place.slice < surface.slices(0);
  if (!inside) return {};
  return (static_cast<std::uint64_t>(place.slice) * surface.height + static_cast<std::uint64_t>(place.y)) *
             static_cast<std::uint64_t>(row) +
         static_cast<std::uint64_t>(place.x);
}

SurfacePlace clamped_place(const TextureDescriptor& surface, const SurfacePlace& place, std::uint32_t bytes) {
  const auto row = static_cast<std::int64_t>(surface.width) * surface.format.bytes();
  SurfacePlace inside;
  inside.x = std::clamp<std::int64_t>(place.x, 0, std::max<std::int64_t>(row - bytes, 0));
  inside.y = std::clamp<std::int64_t>(place.y, 0, static_cast<std::int64_t>(surface.height) - 1);
  inside.slice = std::clamp<std::int64_t>(place.slice, 0, static_cast<std::int64_t>(surface.slices(0)) - 1);
  return inside;
}

bool surface_fits(TextureShape surface, TextureShape instruction) {
  return surface == instruction || (instruction == TextureShape::plane_array && is_cube(surface));
}

}  // namespace warpwalk::gpu
