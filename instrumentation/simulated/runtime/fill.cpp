// cudaMemset and its kin.
#include "instrumentation/simulated/device/copy.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {
namespace {

Fill fill_of(void* at, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  Fill fill;
  fill.address = reinterpret_cast<std::uint64_t>(at);
  fill.pitch = pitch;
  constexpr int byte_mask = 0xff;
  fill.value = static_cast<std::uint32_t>(value & byte_mask);
  fill.width = width;
  fill.height = height;
  return fill;
}

Error fill_memory(const char* name, const Fill& fill, const void* stream, bool waits) {
  return runtime_call(name, [&](Gpu& gpu) {
    return with_stream(gpu, stream, [&](Stream& found) { return gpu.fill(fill, found, waits); });
  });
}

Error fill_3d(const char* name, const PitchedPointer& rows, int value, const Extent& extent, const void* stream,
              bool waits) {
  return runtime_call(name, [&](Gpu& gpu) {
    return with_stream(gpu, stream, [&](Stream& found) {
      // Slices that follow each other without a gap are one.
      const bool whole = rows.height == extent.height || extent.depth <= 1;
      const std::size_t slices = whole ? 1 : extent.depth,
                        height = whole ? extent.height * extent.depth : extent.height;
      for (std::size_t z = 0; z < slices; ++z) {
        auto* const at = static_cast<std::uint8_t*>(rows.at) + z * rows.pitch * rows.height;
        const Error error = gpu.fill(fill_of(at, rows.pitch, value, extent.width, height), found, waits);
        if (error != Error::success) return error;
      }
      return Error::success;
    });
  });
}

}  // namespace

extern "C" {

Error cudaMemset(void* at, int value, std::size_t bytes) {
  return fill_memory("cudaMemset", fill_of(at, bytes, value, bytes, 1), nullptr, true);
}

Error cudaMemset_ptds(void* at, int value, std::size_t bytes) {
  return fill_memory("cudaMemset", fill_of(at, bytes, value, bytes, 1), per_thread_stream, true);
}

Error cudaMemsetAsync(void* at, int value, std::size_t bytes, const void* stream) {
  return fill_memory("cudaMemsetAsync", fill_of(at, bytes, value, bytes, 1), stream, false);
}

Error cudaMemsetAsync_ptsz(void* at, int value, std::size_t bytes, const void* stream) {
  return cudaMemsetAsync(at, value, bytes, of_thread(stream));
}

Error cudaMemset2D(void* at, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return fill_memory("cudaMemset2D", fill_of(at, pitch, value, width, height), nullptr, true);
}

Error cudaMemset2D_ptds(void* at, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return fill_memory("cudaMemset2D", fill_of(at, pitch, value, width, height), per_thread_stream, true);
}

Error cudaMemset2DAsync(void* at, std::size_t pitch, int value, std::size_t width, std::size_t height,
                        const void* stream) {
  return fill_memory("cudaMemset2DAsync", fill_of(at, pitch, value, width, height), stream, false);
}

Error cudaMemset2DAsync_ptsz(void* at, std::size_t pitch, int value, std::size_t width, std::size_t height,
                             const void* stream) {
  return cudaMemset2DAsync(at, pitch, value, width, height, of_thread(stream));
}

Error cudaMemset3D(PitchedPointer rows, int value, Extent extent) {
  return fill_3d("cudaMemset3D", rows, value, extent, nullptr, true);
}

Error cudaMemset3D_ptds(PitchedPointer rows, int value, Extent extent) {
  return fill_3d("cudaMemset3D", rows, value, extent, per_thread_stream, true);
}

Error cudaMemset3DAsync(PitchedPointer rows, int value, Extent extent, const void* stream) {
  return fill_3d("cudaMemset3DAsync", rows, value, extent, stream, false);
}

Error cudaMemset3DAsync_ptsz(PitchedPointer rows, int value, Extent extent, const void* stream) {
  return cudaMemset3DAsync(rows, value, extent, of_thread(stream));
}

}  // extern "C"

}  // namespace warpwalk::simulated
