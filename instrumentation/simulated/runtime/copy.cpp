// Copies of linear memory.
#include "instrumentation/simulated/device/copy.h"

#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {
namespace {

std::uint64_t place_of(const void* at) { return reinterpret_cast<std::uint64_t>(at); }

Copy linear_copy(const void* to, const void* from, std::size_t bytes, int kind) {
  Copy copy;
  copy.to.address = place_of(to);
  copy.from.address = place_of(from);
  copy.extent = {bytes, 1, 1};
  copy.kind = static_cast<CopyKind>(kind);
  return copy;
}

/// Two-dimensional memory as the program describes it.
struct Rows {
  const void* at;
  std::size_t pitch;
};

Copy rows_copy(const Rows& to, const Rows& from, std::size_t width, std::size_t height, int kind) {
  Copy copy = linear_copy(to.at, from.at, width, kind);
  copy.to.pitch = to.pitch;
  copy.from.pitch = from.pitch;
  copy.extent[1] = height;
  return copy;
}

/// With a width, both pitches must be at least as large.
Error check_pitches(const Copy& copy) {
  const std::uint64_t width = copy.extent[0];
  return copy.to.pitch < width || copy.from.pitch < width ? Error::invalid_pitch_value : Error::success;
}

Error copy_now(const char* name, const Copy& copy, const void* stream) {
  return runtime_call(name, [&](Gpu& gpu) {
    return with_stream(gpu, stream, [&](Stream& found) { return gpu.copy(copy, found, true); });
  });
}

Error copy_later(const char* name, const Copy& copy, const void* stream) {
  return runtime_call(name, [&](Gpu& gpu) {
    return with_stream(gpu, stream, [&](Stream& found) { return gpu.copy(copy, found, false); });
  });
}

Error rows_now(const char* name, const Copy& copy, const void* stream) {
  const Error wrong = check_pitches(copy);
  return wrong == Error::success ? copy_now(name, copy, stream) : runtime_call(name, [&](Gpu&) { return wrong; });
}

Error rows_later(const char* name, const Copy& copy, const void* stream) {
  const Error wrong = check_pitches(copy);
  return wrong == Error::success ? copy_later(name, copy, stream) : runtime_call(name, [&](Gpu&) { return wrong; });
}

constexpr int within_device = 3;

}  // namespace

extern "C" {

Error cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
  return copy_now("cudaMemcpy", linear_copy(to, from, bytes, kind), nullptr);
}

Error cudaMemcpy_ptds(void* to, const void* from, std::size_t bytes, int kind) {
  return copy_now("cudaMemcpy", linear_copy(to, from, bytes, kind), per_thread_stream);
}

Error cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, const void* stream) {
  return copy_later("cudaMemcpyAsync", linear_copy(to, from, bytes, kind), stream);
}

Error cudaMemcpyAsync_ptsz(void* to, const void* from, std::size_t bytes, int kind, const void* stream) {
  return cudaMemcpyAsync(to, from, bytes, kind, of_thread(stream));
}

Error cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
  if (to_device != 0 || from_device != 0)
    return runtime_call("cudaMemcpyPeer", [](Gpu&) { return Error::invalid_device; });
  return copy_now("cudaMemcpyPeer", linear_copy(to, from, bytes, within_device), nullptr);
}

Error cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                          const void* stream) {
  if (to_device != 0 || from_device != 0)
    return runtime_call("cudaMemcpyPeerAsync", [](Gpu&) { return Error::invalid_device; });
  return copy_later("cudaMemcpyPeerAsync", linear_copy(to, from, bytes, within_device), stream);
}

Error cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                   std::size_t height, int kind) {
  return rows_now("cudaMemcpy2D", rows_copy({to, to_pitch}, {from, from_pitch}, width, height, kind), nullptr);
}

Error cudaMemcpy2D_ptds(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                        std::size_t height, int kind) {
  return rows_now("cudaMemcpy2D", rows_copy({to, to_pitch}, {from, from_pitch}, width, height, kind),
                  per_thread_stream);
}

Error cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                        std::size_t height, int kind, const void* stream) {
  return rows_later("cudaMemcpy2DAsync", rows_copy({to, to_pitch}, {from, from_pitch}, width, height, kind), stream);
}

Error cudaMemcpy2DAsync_ptsz(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                             std::size_t width, std::size_t height, int kind, const void* stream) {
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, of_thread(stream));
}

}  // extern "C"

}  // namespace warpwalk::simulated
