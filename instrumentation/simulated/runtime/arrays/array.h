#pragma once

#include <cstddef>

#include "instrumentation/simulated/device/array.h"
#include "instrumentation/simulated/device/copy.h"
#include "instrumentation/simulated/engine/gpu.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {

/// cudaChannelFormatDesc
struct ChannelDescription {
  int x, y, z, w;
  int kind;
};
static_assert(sizeof(ChannelDescription) == 20);

ChannelFormat format_of(const ChannelDescription& description);
ChannelDescription description_of(const ChannelFormat& format);

/// The side of a copy that is an array, from this byte of a row, row and slice on. For a handle that is none, a side to
/// which Gpu::check objects.
CopySide array_side(Gpu& gpu, const void* array, std::size_t x_bytes, std::size_t y, std::size_t z = 0);

/// The cudaMemcpy3DParms of a copy.
Copy3D parameters_of(const Copy& copy);

}  // namespace warpwalk::simulated
