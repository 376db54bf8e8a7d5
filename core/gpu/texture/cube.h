#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// A place on the surface of a cube.
struct CubePlace {
  std::uint32_t face = 0;  ///< +x, -x, +y, -y, +z, -z
  float s = 0, t = 0;      ///< normalized coordinates on the face, in [0, 1]
};

/// The face that a direction hits (CUDA programming guide, "Cubemap Textures"). The direction is scaled so that its
/// largest component is 1 or -1; compiled code does that. NaN counts as 0.
CubePlace cube_place(float x, float y, float z);

/// Moves a texel that is outside its face along one edge to the neighbouring face. Both indices may be outside, which
/// is a corner of the cube: returns false, since three faces meet there.
bool cross_edge(std::uint32_t size, std::uint32_t& face, std::int64_t& x, std::int64_t& y);

}  // namespace warpwalk::gpu
