#include "core/gpu/texture/address.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpwalk::gpu {
namespace {

constexpr double coordinate_steps = 1 << 21;  // a normalized coordinate has 21 fraction bits
constexpr double far_outside = 1 << 24;       // texels; further away, only the side matters

bool repeats(AddressMode mode) { return mode == AddressMode::wrap || mode == AddressMode::mirror; }

/// The coordinate in texels. NaN becomes 0, and so does an infinity where the texture repeats. Denormals become 0.
double in_texels(float coordinate, std::uint32_t size, AddressMode mode, bool normalized) {
  if (std::isnan(coordinate) || std::fabs(coordinate) < std::numeric_limits<float>::min()) return 0;
  if (std::isinf(coordinate) && repeats(mode)) return 0;
  double value = coordinate;
  if (!normalized) return std::clamp(value, -far_outside, far_outside);
  // A mirrored texture repeats every two sizes.
  if (repeats(mode))
    value -= 2 * std::floor(value / 2);
  else
    value = std::clamp(value, -far_outside, far_outside);
  return std::clamp(std::floor(value * coordinate_steps) / coordinate_steps * size, -far_outside, far_outside);
}

/// Wrapped and mirrored textures need normalized coordinates; otherwise they are clamped.
AddressMode effective(AddressMode mode, bool normalized) {
  return !normalized && repeats(mode) ? AddressMode::clamp : mode;
}

}  // namespace

std::int64_t point_position(float coordinate, std::uint32_t size, AddressMode mode, bool normalized) {
  mode = effective(mode, normalized);
  const auto index = static_cast<std::int64_t>(std::floor(in_texels(coordinate, size, mode, normalized)));
  return addressed(index, size, mode);
}

LinearPosition linear_position(float coordinate, std::uint32_t size, AddressMode mode, bool normalized) {
  mode = effective(mode, normalized);
  const double texels = in_texels(coordinate, size, mode, normalized);
  std::int64_t position = static_cast<std::int64_t>(std::floor(texels * 256 + 0.5)) - 128;
  if (mode == AddressMode::clamp)
    position = std::clamp<std::int64_t>(position, 0, (static_cast<std::int64_t>(size) - 1) * 256);
  return {position >> 8, static_cast<std::uint32_t>(position & 255)};
}

std::int64_t addressed(std::int64_t index, std::uint32_t size, AddressMode mode) {
  const auto extent = static_cast<std::int64_t>(size);
  switch (mode) {
    case AddressMode::wrap: return (index % extent + extent) % extent;
    case AddressMode::clamp: return std::clamp<std::int64_t>(index, 0, extent - 1);
    case AddressMode::mirror: {
      const std::int64_t place = (index % (2 * extent) + 2 * extent) % (2 * extent);
      return place < extent ? place : 2 * extent - 1 - place;
    }
    case AddressMode::border: return index < 0 || index >= extent ? -1 : index;
  }
  return -1;
}

std::uint32_t clamped(std::int64_t index, std::uint32_t size) {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(index, 0, static_cast<std::int64_t>(size) - 1));
}

}  // namespace warpwalk::gpu
