#pragma once

#include <cstdint>
#include <optional>

#include "core/gpu/texture/texture.h"

namespace warpwalk::gpu {

/// A place in a surface as instructions give it.
struct SurfacePlace {
  std::int64_t x = 0;  ///< in bytes
  std::int64_t y = 0;
  std::int64_t slice = 0;  ///< z of a volume; the layer of an array, or layer * 6 + face of cubes
};

/// The offset in bytes of an access of `bytes` bytes; nullopt if it is not inside the surface.
std::optional<std::uint64_t> surface_offset(const TextureDescriptor& surface, const SurfacePlace& place,
                                            std::uint32_t bytes);

/// Moves a place to the nearest one inside the surface.
SurfacePlace clamped_place(const TextureDescriptor& surface, const SurfacePlace& place, std::uint32_t bytes);

/// True if an instruction for this shape can access the surface. Cubes are accessed as arrays of planes.
bool surface_fits(TextureShape surface, TextureShape instruction);

}  // namespace warpwalk::gpu
