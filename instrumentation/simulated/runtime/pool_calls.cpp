// Memory that is allocated and freed in the order of a stream, and memory pools.
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/pool.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {
namespace {

constexpr int pinned_allocation = 1, read_write = 3;

bool is_device(const Location& location) { return location.type == Location::device && location.id == 0; }

/// Pools exist on the device only.
Error check_place(Gpu& gpu, const char* name, const Location* location, int type, const void* result) {
  if (location == nullptr || result == nullptr || location->type == Location::none) return Error::invalid_value;
  if (location->type == Location::device && location->id != 0) return Error::invalid_device;
  return is_device(*location) && type == pinned_allocation ? Error::success : not_supported(gpu, name);
}

Error allocate_from(const char* name, void** at, std::size_t bytes, const void* pool, const void* stream) {
  return runtime_call(name, [&](Gpu& gpu) {
    Pool* const found = pools().find(pool);
    if (at == nullptr || found == nullptr) return Error::invalid_value;
    return with_stream(gpu, stream, [&](Stream& own) { return pools().allocate(gpu, *found, bytes, own, *at); });
  });
}

}  // namespace

extern "C" {

Error cudaMallocAsync(void** at, std::size_t bytes, const void* stream) {
  return allocate_from("cudaMallocAsync", at, bytes, pools().current(), stream);
}

Error cudaMallocAsync_ptsz(void** at, std::size_t bytes, const void* stream) {
  return cudaMallocAsync(at, bytes, of_thread(stream));
}

Error cudaMallocFromPoolAsync(void** at, std::size_t bytes, const void* pool, const void* stream) {
  return allocate_from("cudaMallocFromPoolAsync", at, bytes, pool, stream);
}

Error cudaMallocFromPoolAsync_ptsz(void** at, std::size_t bytes, const void* pool, const void* stream) {
  return cudaMallocFromPoolAsync(at, bytes, pool, of_thread(stream));
}

Error cudaFreeAsync(void* at, const void* stream) {
  return runtime_call("cudaFreeAsync", [&](Gpu& gpu) {
    return with_stream(gpu, stream, [&](Stream& own) {
      return at == nullptr ? Error::success : pools().free(gpu, reinterpret_cast<std::uint64_t>(at), own);
    });
  });
}

Error cudaFreeAsync_ptsz(void* at, const void* stream) { return cudaFreeAsync(at, of_thread(stream)); }

Error cudaDeviceGetDefaultMemPool(void** pool, int device) {
  return runtime_call("cudaDeviceGetDefaultMemPool", [&](Gpu&) {
    if (pool == nullptr) return Error::invalid_value;
    *pool = pools().device_default();
    return check_device(device);
  });
}

Error cudaDeviceGetMemPool(void** pool, int device) {
  return runtime_call("cudaDeviceGetMemPool", [&](Gpu&) {
    if (pool == nullptr) return Error::invalid_value;
    *pool = pools().current();
    return check_device(device);
  });
}

Error cudaDeviceSetMemPool(int device, const void* pool) {
  return runtime_call("cudaDeviceSetMemPool",
                      [&](Gpu&) { return device != 0 ? Error::invalid_device : pools().set_current(pool); });
}

Error cudaMemGetDefaultMemPool(void** pool, const Location* location, int type) {
  return runtime_call("cudaMemGetDefaultMemPool", [&](Gpu& gpu) {
    const Error wrong = check_place(gpu, "cudaMemGetDefaultMemPool", location, type, pool);
    if (wrong == Error::success) *pool = pools().device_default();
    return wrong;
  });
}

Error cudaMemGetMemPool(void** pool, const Location* location, int type) {
  return runtime_call("cudaMemGetMemPool", [&](Gpu& gpu) {
    const Error wrong = check_place(gpu, "cudaMemGetMemPool", location, type, pool);
    if (wrong == Error::success) *pool = pools().current();
    return wrong;
  });
}

Error cudaMemSetMemPool(const Location* location, int type, const void* pool) {
  return runtime_call("cudaMemSetMemPool", [&](Gpu& gpu) {
    const Error wrong = check_place(gpu, "cudaMemSetMemPool", location, type, pool);
    return wrong == Error::success ? pools().set_current(pool) : wrong;
  });
}

Error cudaMemPoolCreate(void** pool, const PoolProperties* properties) {
  return runtime_call("cudaMemPoolCreate", [&](Gpu& gpu) {
    if (pool == nullptr || properties == nullptr) return Error::invalid_value;
    const Error wrong = check_place(gpu, "cudaMemPoolCreate", &properties->location, properties->type, pool);
    if (wrong != Error::success) return wrong;
    // Attribute 119 reports that there are no handles for other processes.
    if (properties->handle_types != 0) return Error::not_supported;
    *pool = pools().create(gpu, properties->largest);
    return Error::success;
  });
}

Error cudaMemPoolDestroy(const void* pool) {
  return runtime_call("cudaMemPoolDestroy", [&](Gpu& gpu) { return pools().destroy(gpu, pool); });
}

Error cudaMemPoolTrimTo(const void* pool, std::size_t kept) {
  return runtime_call("cudaMemPoolTrimTo", [&](Gpu& gpu) { return pools().trim(gpu, pool, kept); });
}

Error cudaMemPoolSetAttribute(const void* pool, int attribute, const void* value) {
  return runtime_call("cudaMemPoolSetAttribute", [&](Gpu&) { return pools().set(pool, attribute, value); });
}

Error cudaMemPoolGetAttribute(const void* pool, int attribute, void* value) {
  return runtime_call("cudaMemPoolGetAttribute", [&](Gpu&) { return pools().get(pool, attribute, value); });
}

/// The device always has access to its own pools.
Error cudaMemPoolSetAccess(const void* pool, const AccessDescription* accesses, std::size_t count) {
  return runtime_call("cudaMemPoolSetAccess", [&](Gpu&) {
    if (pools().find(pool) == nullptr || (accesses == nullptr && count != 0)) return Error::invalid_value;
    for (std::size_t i = 0; i < count; ++i) {
      if (accesses[i].location.type == Location::device && accesses[i].location.id != 0) return Error::invalid_device;
      if (!is_device(accesses[i].location)) return Error::invalid_value;
      if (accesses[i].flags != read_write) return Error::invalid_device;
    }
    return Error::success;
  });
}

Error cudaMemPoolGetAccess(int* flags, const void* pool, const Location* location) {
  return runtime_call("cudaMemPoolGetAccess", [&](Gpu&) {
    if (flags == nullptr || location == nullptr || pools().find(pool) == nullptr) return Error::invalid_value;
    *flags = is_device(*location) ? read_write : 0;
    return Error::success;
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated
