// Virtual memory management: memory, ranges of addresses and mappings, each on its own.
#include "instrumentation/simulated/device/virtual_memory.h"

#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {
namespace {

/// The properties that all memory of cuMemCreate has: it is in the memory of device 0, without compression.
constexpr CUmemAllocationProp only_properties{.type = 1, .location = {.type = LocationType::device, .id = 0}};

Error check_properties(Gpu& gpu, const CUmemAllocationProp* properties) {
  if (properties == nullptr || properties->type != only_properties.type) return Error::invalid_value;
  if (properties->location.type != LocationType::device) return not_supported(gpu, "cuMemCreate in the host's memory");
  if (properties->handle_types != 0) return not_supported(gpu, "cuMemCreate for other processes");
  return check_device(properties->location.id);
}

}  // namespace

extern "C" {

CUresult cuMemGetAllocationGranularity(std::size_t* granularity, const CUmemAllocationProp* properties, int option) {
  return call_in_context("cuMemGetAllocationGranularity", [&](Gpu& gpu) {
    if (granularity == nullptr || option < 0 || option > 1) return Error::invalid_value;
    *granularity = VirtualMemory::granularity;
    return check_properties(gpu, properties);
  });
}

/// The address that the program wants is a hint.
CUresult cuMemAddressReserve(CUdeviceptr* address, std::size_t bytes, std::size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  return call_in_context("cuMemAddressReserve", [&](Gpu& gpu) {
    if (address == nullptr || flags != 0) return Error::invalid_value;
    return gpu.virtual_memory.reserve(bytes, alignment, *address);
  });
}

CUresult cuMemAddressFree(CUdeviceptr address, std::size_t bytes) {
  return call_in_context("cuMemAddressFree",
                         [&](Gpu& gpu) { return gpu.virtual_memory.end_reservation(address, bytes); });
}

/// Memory may be compressed: this one is not, as cuMemGetAllocationPropertiesFromHandle tells.
CUresult cuMemCreate(std::uint64_t* handle, std::size_t bytes, const CUmemAllocationProp* properties,
                     unsigned long long flags) {
  return call_in_context("cuMemCreate", [&](Gpu& gpu) {
    if (handle == nullptr || flags != 0) return Error::invalid_value;
    if (const Error wrong = check_properties(gpu, properties); wrong != Error::success) return wrong;
    return gpu.virtual_memory.create(bytes, *handle);
  });
}

CUresult cuMemRelease(std::uint64_t handle) {
  return call_in_context("cuMemRelease", [&](Gpu& gpu) { return gpu.virtual_memory.release(handle); });
}

CUresult cuMemRetainAllocationHandle(std::uint64_t* handle, void* address) {
  return call_in_context("cuMemRetainAllocationHandle", [&](Gpu& gpu) {
    if (handle == nullptr) return Error::invalid_value;
    return gpu.virtual_memory.retain(reinterpret_cast<std::uintptr_t>(address), *handle);
  });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties, std::uint64_t handle) {
  return call_in_context("cuMemGetAllocationPropertiesFromHandle", [&](Gpu& gpu) {
    if (properties == nullptr || !gpu.virtual_memory.is_handle(handle)) return Error::invalid_value;
    *properties = only_properties;
    return Error::success;
  });
}

CUresult cuMemMap(CUdeviceptr address, std::size_t bytes, std::size_t offset, std::uint64_t handle,
                  unsigned long long flags) {
  return call_in_context("cuMemMap", [&](Gpu& gpu) {
    // "offset: must be zero"
    if (offset != 0 || flags != 0) return Error::invalid_value;
    return gpu.virtual_memory.map(address, bytes, offset, handle);
  });
}

CUresult cuMemUnmap(CUdeviceptr address, std::size_t bytes) {
  return call_in_context("cuMemUnmap", [&](Gpu& gpu) {
    gpu.queue.wait_all();
    return gpu.virtual_memory.unmap(address, bytes);
  });
}

CUresult cuMemSetAccess(CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc* accesses, std::size_t count) {
  return call_in_context("cuMemSetAccess", [&](Gpu& gpu) {
    if (accesses == nullptr || count == 0) return Error::invalid_value;
    for (std::size_t i = 0; i < count; ++i) {
      const int flags = accesses[i].flags;
      if (flags != 0 && flags != 1 && flags != 3) return Error::invalid_value;
      if (accesses[i].location.type != LocationType::device) return not_supported(gpu, "cuMemSetAccess for the host");
      if (const Error wrong = check_device(accesses[i].location.id); wrong != Error::success) return wrong;
      gpu.queue.wait_all();
      if (const Error wrong = gpu.virtual_memory.set_access(address, bytes, static_cast<MappedAccess>(flags));
          wrong != Error::success)
        return wrong;
    }
    return Error::success;
  });
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr address) {
  return call_in_context("cuMemGetAccess", [&](Gpu& gpu) {
    if (flags == nullptr || location == nullptr) return Error::invalid_value;
    MappedAccess access = MappedAccess::none;
    const Error wrong = gpu.virtual_memory.access(address, access);
    if (wrong == Error::success)
      *flags = location->type == LocationType::device ? static_cast<unsigned long long>(access) : 0;
    return wrong;
  });
}

}  // extern "C"
}  // namespace warpwalk::simulated
