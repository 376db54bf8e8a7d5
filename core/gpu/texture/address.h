#pragma once

#include <cstdint>

#include "core/gpu/texture/texture.h"

namespace warpwalk::gpu {

/// The texel of a point fetch along one dimension. The index may be outside the texture.
std::int64_t point_position(float coordinate, std::uint32_t size, AddressMode mode, bool normalized);

/// The two texels of a linear filter along one dimension and the weight of the second one, in units of 1/256.
struct LinearPosition {
  std::int64_t first = 0;  ///< the other one is first + 1; both may be outside the texture
  std::uint32_t weight = 0;
};
/// The position has 8 fraction bits, rounded half up. Normalized coordinates are truncated to 21 fraction bits first.
/// (Both were found from recordings of an H200: tests/cases/texture_weights.)
LinearPosition linear_position(float coordinate, std::uint32_t size, AddressMode mode, bool normalized);

/// Applies an address mode to the index of a texel. Returns -1 for the border.
std::int64_t addressed(std::int64_t index, std::uint32_t size, AddressMode mode);

/// Layers outside an array are clamped. `layer` is an unsigned 16-bit value for texture instructions: see sample.cpp.
std::uint32_t clamped(std::int64_t index, std::uint32_t size);

}  // namespace warpwalk::gpu
