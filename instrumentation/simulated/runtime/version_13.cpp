// What differs in CUDA 13 from CUDA 12.
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/copy_batch.h"
#include "instrumentation/simulated/runtime/managed.h"
#include "instrumentation/simulated/runtime/properties.h"

namespace warpwalk::simulated {

extern "C" {

Error cudaGetDeviceProperties(Properties13* properties, int device) {
  return runtime_call("cudaGetDeviceProperties", [&](Gpu& gpu) {
    if (properties == nullptr) return Error::invalid_value;
    if (device != 0) return Error::invalid_device;
    *properties = properties_13(gpu.device);
    return Error::success;
  });
}

Error cudaMemPrefetchAsync(const void* at, std::size_t bytes, Location to, unsigned flags, const void* stream) {
  return prefetch("cudaMemPrefetchAsync", at, bytes, to, flags, stream);
}

Error cudaMemPrefetchAsync_ptsz(const void* at, std::size_t bytes, Location to, unsigned flags, const void* stream) {
  return cudaMemPrefetchAsync(at, bytes, to, flags, of_thread(stream));
}

Error cudaMemAdvise(const void* at, std::size_t bytes, int advice, Location location) {
  return advise("cudaMemAdvise", at, bytes, advice, location);
}

Error cudaMemcpyBatchAsync(void* const* to, const void* const* from, const std::size_t* bytes, std::size_t count,
                           const CopyAttributes* attributes, const std::size_t* first, std::size_t attribute_count,
                           const void* stream) {
  return copy_batch({to, from, bytes, count, attributes, first, attribute_count}, nullptr, stream);
}

Error cudaMemcpyBatchAsync_ptsz(void* const* to, const void* const* from, const std::size_t* bytes, std::size_t count,
                                const CopyAttributes* attributes, const std::size_t* first, std::size_t attribute_count,
                                const void* stream) {
  return copy_batch({to, from, bytes, count, attributes, first, attribute_count}, nullptr, of_thread(stream));
}

Error cudaMemcpy3DBatchAsync(std::size_t count, const Copy3DOperation* operations, unsigned long long flags,
                             const void* stream) {
  return copy_3d_batch(operations, count, flags, nullptr, stream);
}

Error cudaMemcpy3DBatchAsync_ptsz(std::size_t count, const Copy3DOperation* operations, unsigned long long flags,
                                  const void* stream) {
  return copy_3d_batch(operations, count, flags, nullptr, of_thread(stream));
}

}  // extern "C"

}  // namespace warpwalk::simulated
