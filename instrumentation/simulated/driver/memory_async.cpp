// Stream-ordered memory: cuMemAllocAsync and pools.
#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/memory_pool.h"

namespace warpwalk::simulated {
namespace {

/// Calls the body of a function that gets a pool.
template <class Body>
CUresult call_with_pool(const char* name, CUmemoryPool pool, const Body& body) {
  return call_after_init(name, [&](Gpu& gpu) {
    MemoryPool* const found = find_pool(pool);
    return found == nullptr ? Error::invalid_value : body(gpu, *found);
  });
}

/// Puts the handle of a device's pool.
CUresult put_pool(const char* name, CUmemoryPool* pool, CUdevice device, MemoryPool& (*find)()) {
  return call_after_init(name, [&](Gpu&) {
    if (pool == nullptr) return Error::invalid_value;
    if (const Error wrong = check_device(device); wrong != Error::success) return wrong;
    *pool = &find();
    return Error::success;
  });
}

/// Since CUDA 13, pools are of a location and a type of memory: here, the device and pinned memory (1).
Error check_pool_place(Gpu& gpu, const CUmemLocation* location, int type) {
  if (location == nullptr) return Error::invalid_value;
  if (location->type != LocationType::device || type != 1)
    return not_supported(gpu, "a memory pool outside the GPU's memory");
  return check_device(location->id);
}

}  // namespace

extern "C" {

CUresult cuMemAllocAsync(CUdeviceptr* address, std::size_t bytes, CUstream stream) {
  return call_for_work("cuMemAllocAsync", stream, [&](Gpu& gpu, Stream& found) {
    return allocate_in_stream(gpu, current_pool(), found, bytes, address);
  });
}
CUresult cuMemAllocAsync_ptsz(CUdeviceptr* address, std::size_t bytes, CUstream stream) {
  return cuMemAllocAsync(address, bytes, per_thread(stream));
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* address, std::size_t bytes, CUmemoryPool pool, CUstream stream) {
  return call_for_work("cuMemAllocFromPoolAsync", stream, [&](Gpu& gpu, Stream& found) {
    MemoryPool* const known = find_pool(pool);
    return known == nullptr ? Error::invalid_value : allocate_in_stream(gpu, *known, found, bytes, address);
  });
}
CUresult cuMemAllocFromPoolAsync_ptsz(CUdeviceptr* address, std::size_t bytes, CUmemoryPool pool, CUstream stream) {
  return cuMemAllocFromPoolAsync(address, bytes, pool, per_thread(stream));
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return call_for_work("cuMemFreeAsync", stream,
                       [&](Gpu& gpu, Stream& found) { return free_in_stream(gpu, found, address); });
}
CUresult cuMemFreeAsync_ptsz(CUdeviceptr address, CUstream stream) {
  return cuMemFreeAsync(address, per_thread(stream));
}

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return call_after_init("cuMemPoolCreate", [&](Gpu& gpu) {
    if (pool == nullptr || properties == nullptr) return Error::invalid_value;
    if (properties->handle_types != 0) return not_supported(gpu, "cuMemPoolCreate for other processes");
    if (const Error wrong = check_pool_place(gpu, &properties->location, properties->type); wrong != Error::success)
      return wrong;
    *pool = create_pool(*properties);
    gpu.record_pool(PoolChange::created, use_of_pool(*pool));
    return Error::success;
  });
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return call_after_init("cuMemPoolDestroy", [&](Gpu& gpu) {
    const PoolUse use = use_of_pool(pool);
    const Error error = destroy_pool(pool);
    if (error == Error::success) gpu.record_pool(PoolChange::destroyed, use);
    return error;
  });
}

/// A pool keeps no freed memory that it could trim.
CUresult cuMemPoolTrimTo(CUmemoryPool pool, std::size_t) {
  return call_with_pool("cuMemPoolTrimTo", pool, [](Gpu& gpu, MemoryPool& found) {
    gpu.record_pool(PoolChange::trimmed, use_of_pool(&found));
    return Error::success;
  });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, PoolAttribute attribute, void* value) {
  return call_with_pool("cuMemPoolSetAttribute", pool, [&](Gpu&, MemoryPool& found) {
    return value == nullptr ? Error::invalid_value : set_pool_attribute(found, attribute, value);
  });
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, PoolAttribute attribute, void* value) {
  return call_with_pool("cuMemPoolGetAttribute", pool, [&](Gpu&, MemoryPool& found) {
    return value == nullptr ? Error::invalid_value : get_pool_attribute(found, attribute, value);
  });
}

/// The device always has access to its own pools.
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* accesses, std::size_t count) {
  return call_with_pool("cuMemPoolSetAccess", pool, [&](Gpu&, MemoryPool&) {
    constexpr int read_and_write = 3;
    for (std::size_t i = 0; i < count; ++i) {
      if (accesses == nullptr || accesses[i].location.type != LocationType::device) return Error::invalid_value;
      if (accesses[i].location.id != 0 || accesses[i].flags != read_and_write) return Error::invalid_device;
    }
    return Error::success;
  });
}

CUresult cuMemPoolGetAccess(int* flags, CUmemoryPool pool, CUmemLocation* location) {
  return call_with_pool("cuMemPoolGetAccess", pool, [&](Gpu&, MemoryPool&) {
    if (flags == nullptr || location == nullptr || location->type != LocationType::device) return Error::invalid_value;
    *flags = 3;
    return check_device(location->id);
  });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return put_pool("cuDeviceGetDefaultMemPool", pool, device, &default_pool);
}

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return put_pool("cuDeviceGetMemPool", pool, device, &current_pool);
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return call_with_pool("cuDeviceSetMemPool", pool, [&](Gpu&, MemoryPool& found) {
    if (const Error wrong = check_device(device); wrong != Error::success) return wrong;
    set_current_pool(found);
    return Error::success;
  });
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, int type) {
  return call_after_init("cuMemGetDefaultMemPool", [&](Gpu& gpu) {
    if (pool == nullptr) return Error::invalid_value;
    if (const Error wrong = check_pool_place(gpu, location, type); wrong != Error::success) return wrong;
    *pool = &default_pool();
    return Error::success;
  });
}

CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, int type) {
  return call_after_init("cuMemGetMemPool", [&](Gpu& gpu) {
    if (pool == nullptr) return Error::invalid_value;
    if (const Error wrong = check_pool_place(gpu, location, type); wrong != Error::success) return wrong;
    *pool = &current_pool();
    return Error::success;
  });
}

CUresult cuMemSetMemPool(CUmemLocation* location, int type, CUmemoryPool pool) {
  return call_with_pool("cuMemSetMemPool", pool, [&](Gpu& gpu, MemoryPool& found) {
    if (const Error wrong = check_pool_place(gpu, location, type); wrong != Error::success) return wrong;
    set_current_pool(found);
    return Error::success;
  });
}

}  // extern "C"
}  // namespace warpwalk::simulated
