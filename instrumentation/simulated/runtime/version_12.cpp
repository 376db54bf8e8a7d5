// What differs in CUDA 12 from CUDA 13: devices as numbers instead of locations, other members of cudaDeviceProp, and
// functions that CUDA 13 has no more.
#include <cstring>

#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/copy_batch.h"
#include "instrumentation/simulated/runtime/managed.h"
#include "instrumentation/simulated/runtime/properties.h"

namespace warpwalk::simulated {
namespace {

Error put_properties(void* into, std::size_t bytes, int device) {
  return runtime_call("cudaGetDeviceProperties", [&](Gpu& gpu) {
    if (into == nullptr) return Error::invalid_value;
    if (device != 0) return Error::invalid_device;
    const Properties12 properties = properties_12(gpu.device);
    std::memcpy(into, &properties, bytes);
    return Error::success;
  });
}

}  // namespace

extern "C" {

// Defined in other files.
Error cudaDeviceSynchronize();
Error cudaDeviceReset();
Error cudaDeviceSetLimit(int limit, std::size_t value);
Error cudaDeviceGetLimit(std::size_t* value, int limit);
Error cudaDeviceGetCacheConfig(int* cache);
Error cudaDeviceSetCacheConfig(int cache);

/// The name that CUDA 12's header gives to cudaGetDeviceProperties.
Error cudaGetDeviceProperties_v2(Properties12* properties, int device) {
  return put_properties(properties, sizeof *properties, device);
}

/// Programs compiled for CUDA 11 have fewer members.
Error cudaGetDeviceProperties(void* properties, int device) {
  return put_properties(properties, properties_11, device);
}

Error cudaMemPrefetchAsync(const void* at, std::size_t bytes, int device, const void* stream) {
  return prefetch("cudaMemPrefetchAsync", at, bytes, location_of(device), 0, stream);
}

Error cudaMemPrefetchAsync_ptsz(const void* at, std::size_t bytes, int device, const void* stream) {
  return cudaMemPrefetchAsync(at, bytes, device, of_thread(stream));
}

Error cudaMemPrefetchAsync_v2(const void* at, std::size_t bytes, Location to, unsigned flags, const void* stream) {
  return prefetch("cudaMemPrefetchAsync_v2", at, bytes, to, flags, stream);
}

Error cudaMemPrefetchAsync_v2_ptsz(const void* at, std::size_t bytes, Location to, unsigned flags, const void* stream) {
  return cudaMemPrefetchAsync_v2(at, bytes, to, flags, of_thread(stream));
}

Error cudaMemAdvise(const void* at, std::size_t bytes, int advice, int device) {
  return advise("cudaMemAdvise", at, bytes, advice, location_of(device));
}

Error cudaMemAdvise_v2(const void* at, std::size_t bytes, int advice, Location location) {
  return advise("cudaMemAdvise_v2", at, bytes, advice, location);
}

Error cudaMemcpyBatchAsync(void* const* to, const void* const* from, const std::size_t* bytes, std::size_t count,
                           const CopyAttributes* attributes, const std::size_t* first, std::size_t attribute_count,
                           std::size_t* failed, const void* stream) {
  return copy_batch({to, from, bytes, count, attributes, first, attribute_count}, failed, stream);
}

Error cudaMemcpyBatchAsync_ptsz(void* const* to, const void* const* from, const std::size_t* bytes, std::size_t count,
                                const CopyAttributes* attributes, const std::size_t* first, std::size_t attribute_count,
                                std::size_t* failed, const void* stream) {
  return copy_batch({to, from, bytes, count, attributes, first, attribute_count}, failed, of_thread(stream));
}

Error cudaMemcpy3DBatchAsync(std::size_t count, const Copy3DOperation* operations, std::size_t* failed,
                             unsigned long long flags, const void* stream) {
  return copy_3d_batch(operations, count, flags, failed, stream);
}

Error cudaMemcpy3DBatchAsync_ptsz(std::size_t count, const Copy3DOperation* operations, std::size_t* failed,
                                  unsigned long long flags, const void* stream) {
  return copy_3d_batch(operations, count, flags, failed, of_thread(stream));
}

Error cudaLaunchCooperativeKernelMultiDevice() { return unsupported_call("cudaLaunchCooperativeKernelMultiDevice"); }

Error cudaSignalExternalSemaphoresAsync_v2() { return unsupported_call("cudaSignalExternalSemaphoresAsync_v2"); }

Error cudaSignalExternalSemaphoresAsync_v2_ptsz() { return unsupported_call("cudaSignalExternalSemaphoresAsync_v2"); }

Error cudaWaitExternalSemaphoresAsync_v2() { return unsupported_call("cudaWaitExternalSemaphoresAsync_v2"); }

Error cudaWaitExternalSemaphoresAsync_v2_ptsz() { return unsupported_call("cudaWaitExternalSemaphoresAsync_v2"); }

// Old names. cudaThread... is cudaDevice...

Error cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

Error cudaThreadExit() { return cudaDeviceReset(); }

Error cudaThreadSetLimit(int limit, std::size_t value) { return cudaDeviceSetLimit(limit, value); }

Error cudaThreadGetLimit(std::size_t* value, int limit) { return cudaDeviceGetLimit(value, limit); }

Error cudaThreadGetCacheConfig(int* cache) { return cudaDeviceGetCacheConfig(cache); }

Error cudaThreadSetCacheConfig(int cache) { return cudaDeviceSetCacheConfig(cache); }

/// Do nothing since CUDA 5: doubles are the same on host and device.
Error cudaSetDoubleForDevice(double*) {
  return runtime_call("cudaSetDoubleForDevice", [](Gpu&) { return Error::success; });
}

Error cudaSetDoubleForHost(double*) {
  return runtime_call("cudaSetDoubleForHost", [](Gpu&) { return Error::success; });
}

}  // extern "C"

}  // namespace warpwalk::simulated
