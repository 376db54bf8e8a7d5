// Tensor maps: what the tensor memory accelerator copies. The driver only encodes them.
#include "instrumentation/simulated/device/tensor_map.h"

#include <cstring>

#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {
namespace {

/// Writes the map of a request to where the program wants it.
CUresult put_tensor_map(const char* name, void* map, const TensorMapRequest& request) {
  return call_in_context(name, [&](Gpu&) {
    if (map == nullptr) return Error::invalid_value;
    TensorMapWords words;
    const Error error = encode_tensor_map(request, words);
    if (error == Error::success) std::memcpy(map, words.data(), sizeof words);
    return error;
  });
}

}  // namespace

extern "C" {

CUresult cuTensorMapEncodeTiled(void* map, int type, std::uint32_t rank, void* address, const std::uint64_t* sizes,
                                const std::uint64_t* strides, const std::uint32_t* box, const std::uint32_t* steps,
                                int interleave, int swizzle, int l2_promotion, int fill) {
  TensorMapRequest request;
  request.type = type;
  request.rank = rank;
  request.address = reinterpret_cast<std::uint64_t>(address);
  request.sizes = sizes;
  request.strides = strides;
  request.box = box;
  request.steps = steps;
  request.interleave = interleave;
  request.swizzle = swizzle;
  request.l2_promotion = l2_promotion;
  request.fill = fill;
  return put_tensor_map("cuTensorMapEncodeTiled", map, request);
}

CUresult cuTensorMapEncodeIm2col(void* map, int type, std::uint32_t rank, void* address, const std::uint64_t* sizes,
                                 const std::uint64_t* strides, const int* lower, const int* upper,
                                 std::uint32_t channels, std::uint32_t pixels, const std::uint32_t* steps,
                                 int interleave, int swizzle, int l2_promotion, int fill) {
  TensorMapRequest request;
  request.type = type;
  request.rank = rank;
  request.address = reinterpret_cast<std::uint64_t>(address);
  request.sizes = sizes;
  request.strides = strides;
  request.steps = steps;
  request.interleave = interleave;
  request.swizzle = swizzle;
  request.l2_promotion = l2_promotion;
  request.fill = fill;
  request.is_image = true;
  request.lower = lower;
  request.upper = upper;
  request.channels = channels;
  request.pixels = pixels;
  return put_tensor_map("cuTensorMapEncodeIm2col", map, request);
}

CUresult cuTensorMapReplaceAddress(void* map, void* address) {
  return call_in_context("cuTensorMapReplaceAddress", [&](Gpu&) {
    const auto at = reinterpret_cast<std::uint64_t>(address);
    if (map == nullptr || at % 16 != 0) return Error::invalid_value;
    std::memcpy(map, &at, sizeof at);
    return Error::success;
  });
}

}  // extern "C"
}  // namespace warpwalk::simulated
