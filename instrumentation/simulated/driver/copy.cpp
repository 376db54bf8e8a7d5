// Copies of linear memory. The functions that end in _ptds and _ptsz are those of programs compiled for per-thread
// default streams.
#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/copy_sides.h"

namespace warpwalk::simulated {
namespace {

std::uint64_t address_of(const void* host) { return reinterpret_cast<std::uintptr_t>(host); }

CUresult copy_row(const char* name, CUstream stream, const Copy& copy, bool waits) {
  return call_for_work(name, stream, [&](Gpu& gpu, Stream& found) {
    if (waits)
      if (const Error unsafe = gpu.graphs.check_unsafe(); unsafe != Error::success) return unsafe;
    return gpu.copy(copy, found, waits);
  });
}

CUresult copy_now(const char* name, CUstream stream, CUdeviceptr to, CUdeviceptr from, std::size_t bytes,
                  CopyKind kind) {
  return copy_row(name, stream, linear_copy(to, from, bytes, kind), true);
}

CUresult copy_later(const char* name, CUstream stream, CUdeviceptr to, CUdeviceptr from, std::size_t bytes,
                    CopyKind kind) {
  return copy_row(name, stream, linear_copy(to, from, bytes, kind), false);
}

}  // namespace

extern "C" {

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy_now("cuMemcpy", legacy_stream(), to, from, bytes, CopyKind::automatic);
}
CUresult cuMemcpy_ptds(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy_now("cuMemcpy", own_stream(), to, from, bytes, CopyKind::automatic);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy_later("cuMemcpyAsync", stream, to, from, bytes, CopyKind::automatic);
}
CUresult cuMemcpyAsync_ptsz(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return cuMemcpyAsync(to, from, bytes, per_thread(stream));
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, std::size_t bytes) {
  return copy_now("cuMemcpyHtoD_v2", legacy_stream(), to, address_of(from), bytes, CopyKind::host_to_device);
}
CUresult cuMemcpyHtoD_v2_ptds(CUdeviceptr to, const void* from, std::size_t bytes) {
  return copy_now("cuMemcpyHtoD_v2", own_stream(), to, address_of(from), bytes, CopyKind::host_to_device);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return copy_later("cuMemcpyHtoDAsync_v2", stream, to, address_of(from), bytes, CopyKind::host_to_device);
}
CUresult cuMemcpyHtoDAsync_v2_ptsz(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return cuMemcpyHtoDAsync_v2(to, from, bytes, per_thread(stream));
}

CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, std::size_t bytes) {
  return copy_now("cuMemcpyDtoH_v2", legacy_stream(), address_of(to), from, bytes, CopyKind::device_to_host);
}
CUresult cuMemcpyDtoH_v2_ptds(void* to, CUdeviceptr from, std::size_t bytes) {
  return copy_now("cuMemcpyDtoH_v2", own_stream(), address_of(to), from, bytes, CopyKind::device_to_host);
}

CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy_later("cuMemcpyDtoHAsync_v2", stream, address_of(to), from, bytes, CopyKind::device_to_host);
}
CUresult cuMemcpyDtoHAsync_v2_ptsz(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return cuMemcpyDtoHAsync_v2(to, from, bytes, per_thread(stream));
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy_now("cuMemcpyDtoD_v2", legacy_stream(), to, from, bytes, CopyKind::device_to_device);
}
CUresult cuMemcpyDtoD_v2_ptds(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy_now("cuMemcpyDtoD_v2", own_stream(), to, from, bytes, CopyKind::device_to_device);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy_later("cuMemcpyDtoDAsync_v2", stream, to, from, bytes, CopyKind::device_to_device);
}
CUresult cuMemcpyDtoDAsync_v2_ptsz(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return cuMemcpyDtoDAsync_v2(to, from, bytes, per_thread(stream));
}

// Between contexts: all have the same memory.

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes) {
  return copy_now("cuMemcpyPeer", legacy_stream(), to, from, bytes, CopyKind::device_to_device);
}
CUresult cuMemcpyPeer_ptds(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes) {
  return copy_now("cuMemcpyPeer", own_stream(), to, from, bytes, CopyKind::device_to_device);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes, CUstream stream) {
  return copy_later("cuMemcpyPeerAsync", stream, to, from, bytes, CopyKind::device_to_device);
}
CUresult cuMemcpyPeerAsync_ptsz(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                                std::size_t bytes, CUstream stream) {
  return cuMemcpyPeerAsync(to, to_context, from, from_context, bytes, per_thread(stream));
}

}  // extern "C"
}  // namespace warpwalk::simulated
