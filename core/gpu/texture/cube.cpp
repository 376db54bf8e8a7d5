#include "core/gpu/texture/cube.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::gpu {

namespace {

/// (value + 1) / 2, truncated to 21 fraction bits as normalized coordinates are. Exact for values close to 0.
float on_face(float value) {
  const double steps = std::floor(std::clamp(static_cast<double>(value), -2.0, 2.0) * 0x1p20) + 0x1p20;
  return static_cast<float>(steps * 0x1p-21);
}

}  // namespace

CubePlace cube_place(float x, float y, float z) {
  for (float* const component : {&x, &y, &z})
    if (std::isnan(*component)) *component = 0;
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  CubePlace place;
  float s = 0, t = 0;
  if (az >= ax && az >= ay) {
    place.face = std::signbit(z) ? 5 : 4;
    s = std::signbit(z) ? -x : x;
    t = -y;
  } else if (ay >= ax) {
    place.face = std::signbit(y) ? 3 : 2;
    s = x;
    t = std::signbit(y) ? -z : z;
  } else {
    place.face = std::signbit(x) ? 1 : 0;
    s = std::signbit(x) ? z : -z;
    t = -y;
  }
  place.s = on_face(s);
  place.t = on_face(t);
  return place;
}

bool cross_edge(std::uint32_t size, std::uint32_t& face, std::int64_t& x, std::int64_t& y) {
  const auto n = static_cast<std::int64_t>(size);
  const bool x_outside = x < 0 || x >= n, y_outside = y < 0 || y >= n;
  if (x_outside && y_outside) return false;
  if (!x_outside && !y_outside) return true;
  // The middle of the texel as a point in space, in units of half a texel, on the plane of its face.
  const std::int64_t s = 2 * x + 1 - n, t = 2 * y + 1 - n;
  std::int64_t p[3] = {};
  switch (face) {
    case 0: p[0] = n, p[1] = -t, p[2] = -s; break;
    case 1: p[0] = -n, p[1] = -t, p[2] = s; break;
    case 2: p[0] = s, p[1] = n, p[2] = t; break;
    case 3: p[0] = s, p[1] = -n, p[2] = -t; break;
    case 4: p[0] = s, p[1] = -t, p[2] = n; break;
    default: p[0] = -s, p[1] = -t, p[2] = -n; break;
  }
  // Fold it over the edge: the component beyond the edge becomes the new axis, and the old axis moves in by one texel.
  int beyond = 0;
  for (int i = 0; i < 3; ++i)
    if (p[i] > n || p[i] < -n) beyond = i;
  const int axis = static_cast<int>(face / 2);
  p[axis] += p[axis] > 0 ? -1 : 1;
  p[beyond] = p[beyond] > 0 ? n : -n;
  face = static_cast<std::uint32_t>(2 * beyond + (p[beyond] < 0 ? 1 : 0));
  std::int64_t new_s = 0, new_t = 0;
  switch (face) {
    case 0: new_s = -p[2], new_t = -p[1]; break;
    case 1: new_s = p[2], new_t = -p[1]; break;
    case 2: new_s = p[0], new_t = p[2]; break;
    case 3: new_s = p[0], new_t = -p[2]; break;
    case 4: new_s = p[0], new_t = -p[1]; break;
    default: new_s = -p[0], new_t = -p[1]; break;
  }
  x = (new_s + n - 1) / 2;
  y = (new_t + n - 1) / 2;
  return true;
}

}  // namespace warpwalk::gpu
