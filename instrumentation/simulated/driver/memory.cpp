// Memory: device, managed and page-locked.
#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/memory_pool.h"

namespace warpwalk::simulated {
namespace {

/// Rows of cuMemAllocPitch start at multiples of this, so that accesses to each are coalesced and textures can read
/// them.
constexpr std::size_t row_alignment = 512;

bool is_page_locked(const Allocation& place) {
  return place.kind == MemoryKind::pinned || place.kind == MemoryKind::registered;
}

/// The allocation that contains the address; null if there is none of which programs see addresses.
DeviceMemory::Place find_place(Gpu& gpu, std::uint64_t address) {
  DeviceMemory::Place place = gpu.memory.find(address);
  return place == nullptr || place->kind == MemoryKind::array ? nullptr : place;
}

/// The page-locked allocation or registration that contains the address.
DeviceMemory::Place find_page_locked(Gpu& gpu, const void* address) {
  DeviceMemory::Place place = find_place(gpu, reinterpret_cast<std::uintptr_t>(address));
  return place == nullptr || !is_page_locked(*place) ? nullptr : place;
}

Error allocate(Gpu& gpu, MemoryKind kind, std::size_t bytes, unsigned flags, const char* name, CUdeviceptr* address) {
  if (address == nullptr || bytes == 0) return Error::invalid_value;
  if (const Error unsafe = gpu.graphs.check_unsafe(); unsafe != Error::success) return unsafe;
  const DeviceMemory::Place place = gpu.memory.allocate(kind, bytes, name);
  if (place == nullptr) return Error::out_of_memory;
  place->flags = flags;
  *address = place->address;
  return Error::success;
}

CUresult allocate_host(const char* name, void** pointer, std::size_t bytes, unsigned flags) {
  return call_in_context(name, [&](Gpu& gpu) {
    constexpr unsigned known_flags = 7;  // portable, mapped, write-combined
    CUdeviceptr address = 0;
    if (pointer == nullptr || (flags & ~known_flags) != 0) return Error::invalid_value;
    const Error error = allocate(gpu, MemoryKind::pinned, bytes, flags, name, &address);
    if (error == Error::success) *pointer = reinterpret_cast<void*>(address);
    return error;
  });
}

/// Frees what starts at the address, when all work before has ended.
Error free_memory(Gpu& gpu, std::uint64_t address, bool host) {
  const DeviceMemory::Place place = find_place(gpu, address);
  const bool fits = place != nullptr && place->address == address &&
                    (host ? place->kind == MemoryKind::pinned
                          : place->kind == MemoryKind::device || place->kind == MemoryKind::managed);
  if (!fits) {
    if (gpu.checks != nullptr) gpu.checks->refused_free(address, host);
    return Error::invalid_value;
  }
  if (const Error unsafe = gpu.graphs.check_unsafe(); unsafe != Error::success) return unsafe;
  gpu.queue.wait_all();
  if (place->pool != nullptr) gpu.record_memory(*place, true, use_of_pool(place->pool));
  const Error error = gpu.memory.free(address);
  if (error == Error::success) count_in_pool(place->pool, -static_cast<std::int64_t>(place->bytes));
  return error;
}

}  // namespace

extern "C" {

CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  return call_in_context("cuMemGetInfo_v2", [&](Gpu& gpu) {
    if (free == nullptr || total == nullptr) return Error::invalid_value;
    *total = gpu.memory.capacity();
    *free = *total - gpu.memory.used();
    return Error::success;
  });
}

CUresult cuMemAlloc_v2(CUdeviceptr* address, std::size_t bytes) {
  return call_in_context("cuMemAlloc_v2",
                         [&](Gpu& gpu) { return allocate(gpu, MemoryKind::device, bytes, 0, "cuMemAlloc", address); });
}

CUresult cuMemAllocPitch_v2(CUdeviceptr* address, std::size_t* pitch, std::size_t width, std::size_t height,
                            unsigned element_bytes) {
  return call_in_context("cuMemAllocPitch_v2", [&](Gpu& gpu) {
    const bool known_element = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
    if (pitch == nullptr || !known_element || width == 0 || height == 0) return Error::invalid_value;
    const std::size_t row = (width + row_alignment - 1) / row_alignment * row_alignment;
    if (row < width || height > ~std::size_t{0} / row) return Error::out_of_memory;
    *pitch = row;
    return allocate(gpu, MemoryKind::device, row * height, 0, "cuMemAllocPitch", address);
  });
}

CUresult cuMemAllocManaged(CUdeviceptr* address, std::size_t bytes, unsigned flags) {
  return call_in_context("cuMemAllocManaged", [&](Gpu& gpu) {
    constexpr unsigned global = 1, host = 2;
    if (flags != global && flags != host) return Error::invalid_value;
    return allocate(gpu, MemoryKind::managed, bytes, flags, "cuMemAllocManaged", address);
  });
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  return call_in_context("cuMemFree_v2", [&](Gpu& gpu) { return free_memory(gpu, address, false); });
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* first, std::size_t* bytes, CUdeviceptr address) {
  return call_in_context("cuMemGetAddressRange_v2", [&](Gpu& gpu) {
    const DeviceMemory::Place place = find_place(gpu, address);
    if (place == nullptr) return Error::symbol_not_found;
    if (first != nullptr) *first = place->address;
    if (bytes != nullptr) *bytes = place->bytes;
    return Error::success;
  });
}

CUresult cuMemAllocHost_v2(void** pointer, std::size_t bytes) {
  return allocate_host("cuMemAllocHost_v2", pointer, bytes, 0);
}

CUresult cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return allocate_host("cuMemHostAlloc", pointer, bytes, flags);
}

CUresult cuMemFreeHost(void* pointer) {
  return call_in_context("cuMemFreeHost",
                         [&](Gpu& gpu) { return free_memory(gpu, reinterpret_cast<std::uintptr_t>(pointer), true); });
}

CUresult cuMemHostRegister_v2(void* pointer, std::size_t bytes, unsigned flags) {
  return call_in_context("cuMemHostRegister_v2", [&](Gpu& gpu) {
    constexpr unsigned known_flags = 15, io_memory = 4;
    if (pointer == nullptr || bytes == 0 || (flags & ~known_flags) != 0) return Error::invalid_value;
    if ((flags & io_memory) != 0) return not_supported(gpu, "cuMemHostRegister of I/O memory");
    const DeviceMemory::Place place = gpu.memory.register_host(pointer, bytes, flags);
    return place == nullptr ? Error::host_memory_already_registered : Error::success;
  });
}
[[gnu::alias("cuMemHostRegister_v2")]] CUresult cuMemHostRegister(void* pointer, std::size_t bytes, unsigned flags);

CUresult cuMemHostUnregister(void* pointer) {
  return call_in_context("cuMemHostUnregister", [&](Gpu& gpu) {
    const DeviceMemory::Place place = find_page_locked(gpu, pointer);
    const bool starts_here = place != nullptr && place->address == reinterpret_cast<std::uintptr_t>(pointer);
    if (!starts_here || place->kind != MemoryKind::registered) return Error::host_memory_not_registered;
    gpu.queue.wait_all();
    return gpu.memory.free(place->address);
  });
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* address, void* pointer, unsigned flags) {
  return call_in_context("cuMemHostGetDevicePointer_v2", [&](Gpu& gpu) {
    if (address == nullptr || flags != 0 || find_page_locked(gpu, pointer) == nullptr) return Error::invalid_value;
    *address = reinterpret_cast<std::uintptr_t>(pointer);
    return Error::success;
  });
}

CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
  return call_in_context("cuMemHostGetFlags", [&](Gpu& gpu) {
    const DeviceMemory::Place place = find_page_locked(gpu, pointer);
    if (flags == nullptr || place == nullptr) return Error::invalid_value;
    // All page-locked memory is mapped.
    constexpr unsigned mapped = 2;
    *flags = place->flags | mapped;
    return Error::success;
  });
}

}  // extern "C"
}  // namespace warpwalk::simulated
