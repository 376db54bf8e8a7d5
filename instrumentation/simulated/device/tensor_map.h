#pragma once

#include <array>
#include <cstdint>

#include "instrumentation/simulated/device/error.h"

namespace warpwalk::simulated {

/// What cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col get, with the driver's numbers of enumerations.
struct TensorMapRequest {
  int type = 0;
  std::uint32_t rank = 0;
  std::uint64_t address = 0;
  const std::uint64_t* sizes = nullptr;    ///< elements, of each dimension
  const std::uint64_t* strides = nullptr;  ///< bytes, of each dimension but the first
  const std::uint32_t* box = nullptr;      ///< elements, of each dimension; null for im2col
  const std::uint32_t* steps = nullptr;    ///< of each dimension
  int interleave = 0, swizzle = 0, l2_promotion = 0, fill = 0;

  bool is_image = false;                         ///< im2col
  const int *lower = nullptr, *upper = nullptr;  ///< corners of the box of pixels, of each dimension of the image
  std::uint32_t channels = 0, pixels = 0;
};

using TensorMapWords = std::array<std::uint64_t, 16>;

/// The tensor map for a request, as a GPU reads it; invalid_value for what an H200's driver refuses (of sm_90: no types
/// of 4 and 6 bits, no swizzle with other atoms than 16 bytes).
Error encode_tensor_map(const TensorMapRequest& request, TensorMapWords& words);

}  // namespace warpwalk::simulated
