#pragma once

#include "instrumentation/simulated/device/array.h"
#include "instrumentation/simulated/driver/abi.h"

namespace warpwalk::simulated {

struct CUDA_ARRAY_DESCRIPTOR {
  std::size_t width, height;
  int format;  ///< CUarray_format
  unsigned channels;
};
static_assert(sizeof(CUDA_ARRAY_DESCRIPTOR) == 24);

struct CUDA_ARRAY3D_DESCRIPTOR {
  std::size_t width, height, depth;
  int format;
  unsigned channels;
  unsigned flags;  ///< Array::Flag
};
static_assert(sizeof(CUDA_ARRAY3D_DESCRIPTOR) == 40);

/// The channels of a CUarray_format. For a format that there is not, Textures::create() returns an error.
ChannelFormat format_of(int format, unsigned channels);
/// The reverse.
int array_format(const ChannelFormat& format);
unsigned channel_count(const ChannelFormat& format);

}  // namespace warpwalk::simulated
