#pragma once

#include <cstdint>
#include <span>

#include "core/gpu/texture/texture.h"

namespace warpwalk::gpu {

/// The coordinates of a fetch.
struct FetchPlace {
  std::array<float, 3> at{};  ///< coordinates; of a cube, a direction whose largest component is 1 or -1
  std::uint32_t layer = 0;    ///< layers past the last one are clamped
  float level = 0;            ///< mipmap level before the sampler's bias and limits
};

/// Fetches with the texture's filter (tex). `texels` are the texture's contents. Never reads outside of them.
TexelBits sample(const TextureDescriptor& texture, std::span<const std::uint8_t> texels, const FetchPlace& place,
                 TexelReads& reads);

/// The coordinates of a fetch at integer positions.
struct TexelPlace {
  std::array<std::int32_t, 3> at{};
  std::uint32_t layer = 0;
  std::int32_t level = 0;
};

/// Fetches one texel at an integer position, without a filter (tex with integer coordinates). Outside of linear memory
/// it returns 0; outside of an array, the sampler's address modes hold.
TexelBits fetch(const TextureDescriptor& texture, std::span<const std::uint8_t> texels, const TexelPlace& place,
                TexelReads& reads);

/// The four texels of a linear filter, one component of each (tld4). Order: lower left, lower right, upper right, upper
/// left; y grows downwards.
TexelBits gather(const TextureDescriptor& texture, std::span<const std::uint8_t> texels, const FetchPlace& place,
                 int component, TexelReads& reads);

}  // namespace warpwalk::gpu
