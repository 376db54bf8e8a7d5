#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/gpu/texture/texture.h"

namespace warpwalk::gpu {

/// The weights of the four texels of a linear filter in one image, in units of 1/256. Their sum is `total`: 256, or the
/// image's share where a filter combines several images. Order: (0,0), (1,0), (0,1), (1,1).
std::array<std::uint32_t, 4> image_weights(std::uint32_t total, std::uint32_t x_weight, std::uint32_t y_weight);

/// One channel of one texel with its weight. `value` is the channel's integer, or the bits of its float (f16 and f32).
struct WeightedChannel {
  std::int64_t value = 0;
  std::uint32_t weight = 0;  ///< in units of 1/256; the weights of all images add up to 256
};

/// Combines one channel of several images with four texels each, as the texture unit of an H200 does. Returns a float.
///
/// Floats: within an image, values are aligned to the largest exponent among the texels whose weight is not 0, with
/// four additional bits, and truncated. The sum is rounded to the format, half away from zero. Normalized integers: the
/// sum is rounded half up to 16 bits and divided by 65535 or 32767. It is exact, apart from 8-bit signed texels, which
/// are rescaled from 127 to 32767 after the sum.
///
/// Derived from recordings (tests/cases/texture_rounding), which they reproduce to the bit.
float filtered(TexelType type, std::span<const std::array<WeightedChannel, 4>> images);

}  // namespace warpwalk::gpu
