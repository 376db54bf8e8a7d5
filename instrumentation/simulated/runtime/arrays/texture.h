#pragma once

#include <array>
#include <cstddef>

#include "instrumentation/simulated/runtime/arrays/array.h"

namespace warpwalk::simulated {

/// cudaResourceDesc. CUDA 12 has neither the reserved words nor the flags.
struct ResourceParameters {
  static constexpr std::size_t bytes_12 = 64;
  int type;
  union {
    void* array;  ///< or a mipmapped one
    struct {
      void* at;
      ChannelDescription format;
      std::size_t bytes;
    } linear;
    struct {
      void* at;
      ChannelDescription format;
      std::size_t width, height, pitch;
    } pitched;
    int reserved[32];
  };
  unsigned flags;
};
static_assert(sizeof(ResourceParameters) == 144);

/// cudaTextureDesc
struct TextureParameters {
  std::array<int, 3> address;
  int filter, read_mode, srgb;
  std::array<float, 4> border;
  int normalized;
  unsigned anisotropy;
  int level_filter;
  float level_bias, lowest_level, highest_level;
  int plain_trilinear, seamless;
};
static_assert(sizeof(TextureParameters) == 72);

/// cudaResourceViewDesc. CUDA 12 has no reserved words.
struct ViewParameters {
  static constexpr std::size_t bytes_12 = 48;
  int format;
  std::size_t width, height, depth;
  unsigned first_level, last_level, first_layer, last_layer;
  unsigned reserved[16];
};
static_assert(sizeof(ViewParameters) == 112);

}  // namespace warpwalk::simulated
