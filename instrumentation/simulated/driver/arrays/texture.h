#pragma once

#include "instrumentation/simulated/driver/abi.h"

namespace warpwalk::simulated {

struct CUDA_RESOURCE_DESC {
  int type;  ///< TextureSource::Kind
  union {
    CUarray array;  ///< or a mipmapped one
    struct {
      CUdeviceptr address;
      int format;  ///< CUarray_format
      unsigned channels;
      std::size_t bytes;
    } linear;
    struct {
      CUdeviceptr address;
      int format;
      unsigned channels;
      std::size_t width, height, pitch;
    } pitched;
    int reserved[32];
  };
  unsigned flags;
};
static_assert(sizeof(CUDA_RESOURCE_DESC) == 144);

struct CUDA_TEXTURE_DESC {
  std::array<int, 3> address;
  int filter;
  unsigned flags;  ///< CU_TRSF_...
  unsigned anisotropy;
  int level_filter;
  float level_bias, lowest_level, highest_level;
  std::array<float, 4> border;
  int reserved[12];
};
static_assert(sizeof(CUDA_TEXTURE_DESC) == 104);

struct CUDA_RESOURCE_VIEW_DESC {
  int format;  ///< CUresourceViewFormat
  std::size_t width, height, depth;
  unsigned first_level, last_level, first_layer, last_layer;
  unsigned reserved[16];
};
static_assert(sizeof(CUDA_RESOURCE_VIEW_DESC) == 112);

}  // namespace warpwalk::simulated
