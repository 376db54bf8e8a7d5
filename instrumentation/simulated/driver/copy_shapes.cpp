// Copies of rows and slices, of linear memory and arrays, and batches of copies.
#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/copy_sides.h"

namespace warpwalk::simulated {
namespace {

template <class Given>
CUresult copy_shape(const char* name, CUstream stream, const Given* given, bool waits) {
  return call_for_work(name, stream, [&](Gpu& gpu, Stream& found) {
    if (given == nullptr) return Error::invalid_value;
    if (waits)
      if (const Error unsafe = gpu.graphs.check_unsafe(); unsafe != Error::success) return unsafe;
    Copy copy;
    if (const Error wrong = make_copy(gpu, *given, copy); wrong != Error::success) return wrong;
    return gpu.copy(copy, found, waits);
  });
}

/// `failed`: receives the number of the copy that failed, in CUDA 12; null in CUDA 13.
CUresult copy_batch(const char* name, CUstream stream, const CUdeviceptr* to, const CUdeviceptr* from,
                    const std::size_t* bytes, std::size_t count, std::size_t* failed) {
  return call_for_work(name, stream, [&](Gpu& gpu, Stream& found) {
    // Not in the legacy default stream (CUDA Driver API, cuMemcpyBatchAsync).
    if (to == nullptr || from == nullptr || bytes == nullptr || count == 0 || found.is_default)
      return Error::invalid_value;
    for (std::size_t i = 0; i < count; ++i) {
      const Error error = gpu.copy(linear_copy(to[i], from[i], bytes[i], CopyKind::automatic), found, false);
      if (error == Error::success) continue;
      if (failed != nullptr) *failed = i;
      return error;
    }
    return Error::success;
  });
}

}  // namespace

extern "C" {

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) { return copy_shape("cuMemcpy2D_v2", legacy_stream(), copy, true); }
CUresult cuMemcpy2D_v2_ptds(const CUDA_MEMCPY2D* copy) { return copy_shape("cuMemcpy2D_v2", own_stream(), copy, true); }

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return copy_shape("cuMemcpy2DAsync_v2", stream, copy, false);
}
CUresult cuMemcpy2DAsync_v2_ptsz(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return cuMemcpy2DAsync_v2(copy, per_thread(stream));
}

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy) {
  return copy_shape("cuMemcpy2DUnaligned_v2", legacy_stream(), copy, true);
}
CUresult cuMemcpy2DUnaligned_v2_ptds(const CUDA_MEMCPY2D* copy) {
  return copy_shape("cuMemcpy2DUnaligned_v2", own_stream(), copy, true);
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy) { return copy_shape("cuMemcpy3D_v2", legacy_stream(), copy, true); }
CUresult cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D* copy) { return copy_shape("cuMemcpy3D_v2", own_stream(), copy, true); }

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return copy_shape("cuMemcpy3DAsync_v2", stream, copy, false);
}
CUresult cuMemcpy3DAsync_v2_ptsz(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return cuMemcpy3DAsync_v2(copy, per_thread(stream));
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D* copy) { return copy_shape("cuMemcpy3DPeer", legacy_stream(), copy, true); }
CUresult cuMemcpy3DPeer_ptds(const CUDA_MEMCPY3D* copy) {
  return copy_shape("cuMemcpy3DPeer", own_stream(), copy, true);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return copy_shape("cuMemcpy3DPeerAsync", stream, copy, false);
}
CUresult cuMemcpy3DPeerAsync_ptsz(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return cuMemcpy3DPeerAsync(copy, per_thread(stream));
}

// The attributes of a batch say when a source may be read, and where memory is: all sources are read in stream order.

CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, std::size_t* bytes, std::size_t count,
                            CUmemcpyAttributes*, std::size_t*, std::size_t, std::size_t* failed, CUstream stream) {
  return copy_batch("cuMemcpyBatchAsync", stream, to, from, bytes, count, failed);
}
CUresult cuMemcpyBatchAsync_ptsz(CUdeviceptr* to, CUdeviceptr* from, std::size_t* bytes, std::size_t count,
                                 CUmemcpyAttributes*, std::size_t*, std::size_t, std::size_t* failed, CUstream stream) {
  return copy_batch("cuMemcpyBatchAsync", per_thread(stream), to, from, bytes, count, failed);
}

CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* to, CUdeviceptr* from, std::size_t* bytes, std::size_t count,
                               CUmemcpyAttributes*, std::size_t*, std::size_t, CUstream stream) {
  return copy_batch("cuMemcpyBatchAsync_v2", stream, to, from, bytes, count, nullptr);
}
CUresult cuMemcpyBatchAsync_v2_ptsz(CUdeviceptr* to, CUdeviceptr* from, std::size_t* bytes, std::size_t count,
                                    CUmemcpyAttributes*, std::size_t*, std::size_t, CUstream stream) {
  return copy_batch("cuMemcpyBatchAsync_v2", per_thread(stream), to, from, bytes, count, nullptr);
}

}  // extern "C"
}  // namespace warpwalk::simulated
