// What a program can set for a context: limits, caches. Only the size of the heap changes what the
// simulated GPU does.
#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/context.h"

namespace warpwalk::simulated {
namespace {

/// The highest priority of a stream; the lowest is 0 (cuCtxGetStreamPriorityRange on GPUs since compute capability 7).
constexpr int greatest_priority = -5;

}  // namespace

extern "C" {

CUresult cuCtxSetLimit(Limit limit, std::size_t value) {
  return call_in_context("cuCtxSetLimit", [&](Gpu& gpu) {
    const auto index = static_cast<std::size_t>(limit);
    if (index >= limit_count) return Error::unsupported_limit;
    if (limit == Limit::malloc_heap_size)
      if (const Error wrong = gpu.set_heap_bytes(value); wrong != Error::success) return wrong;
    current_context()->limits[index] = value;
    return Error::success;
  });
}

CUresult cuCtxGetLimit(std::size_t* value, Limit limit) {
  return call_in_context("cuCtxGetLimit", [&](Gpu&) {
    if (value == nullptr) return Error::invalid_value;
    const auto index = static_cast<std::size_t>(limit);
    if (index >= limit_count) return Error::unsupported_limit;
    *value = current_context()->limits[index];
    return Error::success;
  });
}

CUresult cuCtxGetCacheConfig(int* config) {
  return call_in_context("cuCtxGetCacheConfig", [&](Gpu&) {
    if (config == nullptr) return Error::invalid_value;
    *config = current_context()->cache_config;
    return Error::success;
  });
}

CUresult cuCtxSetCacheConfig(int config) {
  return call_in_context("cuCtxSetCacheConfig", [&](Gpu&) {
    if (config < 0 || config > 3) return Error::invalid_value;
    current_context()->cache_config = config;
    return Error::success;
  });
}

/// The size of a bank of shared memory has been 4 bytes since compute capability 5.
CUresult cuCtxGetSharedMemConfig(int* config) {
  return call_in_context("cuCtxGetSharedMemConfig", [&](Gpu&) {
    if (config == nullptr) return Error::invalid_value;
    *config = 1;
    return Error::success;
  });
}
CUresult cuCtxSetSharedMemConfig(int config) {
  return call_in_context("cuCtxSetSharedMemConfig",
                         [&](Gpu&) { return config < 0 || config > 2 ? Error::invalid_value : Error::success; });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return call_in_context("cuCtxGetStreamPriorityRange", [&](Gpu&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = greatest_priority;
    return Error::success;
  });
}

CUresult cuCtxResetPersistingL2Cache() {
  return call_in_context("cuCtxResetPersistingL2Cache", [](Gpu&) { return Error::success; });
}

/// Type 0: the SMs that the context may use, all of them.
CUresult cuCtxGetExecAffinity(std::uint32_t* affinity, int type) {
  return call_in_context("cuCtxGetExecAffinity", [&](Gpu& gpu) {
    if (affinity == nullptr || type != 0) return Error::invalid_value;
    affinity[0] = 0;
    affinity[1] = static_cast<std::uint32_t>(*gpu.device.sm_count);
    return Error::success;
  });
}

CUresult cuFlushGPUDirectRDMAWrites(int, int) { return refuse("cuFlushGPUDirectRDMAWrites"); }

}  // extern "C"
}  // namespace warpwalk::simulated
