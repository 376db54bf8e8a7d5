// Allocation of memory, and what is known of a pointer.
#include <algorithm>
#include <cstring>

#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/pool.h"
#include "instrumentation/simulated/runtime/types.h"
#include "instrumentation/simulated/runtime/version.h"

namespace warpwalk::simulated {
namespace {

/// The alignment of rows that cudaMallocPitch chooses.
constexpr std::size_t pitch_alignment = 512;

std::uint64_t number_of(const void* at) { return reinterpret_cast<std::uint64_t>(at); }

Error allocate(Gpu& gpu, MemoryKind kind, const char* name, std::size_t bytes, unsigned flags, void*& at) {
  at = nullptr;
  if (const Error wrong = gpu.graphs.check_unsafe(); wrong != Error::success) return wrong;
  if (bytes == 0) return Error::success;
  DeviceMemory::Place place = gpu.memory.allocate(kind, bytes, name);
  if (place == nullptr) {
    gpu.queue.wait_all();  // memory that streams are about to free
    place = gpu.memory.allocate(kind, bytes, name);
  }
  if (place == nullptr) return Error::out_of_memory;
  place->flags = flags;
  at = reinterpret_cast<void*>(place->address);
  return Error::success;
}

Error allocate_rows(Gpu& gpu, const char* name, PitchedPointer& rows, const Extent& extent) {
  rows.pitch = (extent.width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
  rows.width = extent.width;
  rows.height = extent.height;
  return allocate(gpu, MemoryKind::device, name, rows.pitch * extent.height * extent.depth, 0, rows.at);
}

/// Frees what starts at the address and is of one of two kinds, once the GPU is idle.
Error free_memory(Gpu& gpu, const void* at, MemoryKind kind, MemoryKind other) {
  if (at == nullptr) return Error::success;
  const DeviceMemory::Place place = gpu.memory.find(number_of(at));
  const auto refuse = [&] {
    if (gpu.checks != nullptr) gpu.checks->refused_free(number_of(at), kind == MemoryKind::pinned);
    return Error::invalid_value;
  };
  if (place == nullptr || place->address != number_of(at) || (place->kind != kind && place->kind != other))
    return refuse();
  if (const Error wrong = gpu.graphs.check_unsafe(); wrong != Error::success) return wrong;
  if (!pools().forget(gpu, *place)) return refuse();
  gpu.queue.wait_all();
  gpu.memory.free(place->address);
  return gpu.queue.error();
}

bool is_host(const Allocation& allocation) {
  return allocation.kind == MemoryKind::pinned || allocation.kind == MemoryKind::registered;
}

PointerAttributes attributes_of(Gpu& gpu, const void* at) {
  enum Type : int { unregistered = 0, host = 1, device = 2, managed = 3 };
  PointerAttributes attributes{};
  const DeviceMemory::Place place = gpu.memory.find(number_of(at));
  void* const pointer = const_cast<void*>(at);
  if (place == nullptr || place->kind == MemoryKind::array) {
    attributes.type = unregistered;
    attributes.device = invalid_device_id;
    attributes.on_host = pointer;
    return attributes;
  }
  attributes.on_device = pointer;
  attributes.type = is_host(*place) ? host : place->kind == MemoryKind::managed ? managed : device;
  if (attributes.type != device) attributes.on_host = pointer;
  return attributes;
}

Error allocate_host(const char* name, void** at, std::size_t bytes, unsigned flags) {
  return runtime_call(name, [&](Gpu& gpu) {
    constexpr unsigned all_flags = 7;  // portable, mapped, write-combined
    if (at == nullptr || flags > all_flags) return Error::invalid_value;
    return allocate(gpu, MemoryKind::pinned, name, bytes, flags, *at);
  });
}

}  // namespace

extern "C" {

Error cudaMalloc(void** at, std::size_t bytes) {
  return runtime_call("cudaMalloc", [&](Gpu& gpu) {
    if (at == nullptr) return Error::invalid_value;
    return allocate(gpu, MemoryKind::device, "cudaMalloc", bytes, 0, *at);
  });
}

Error cudaMallocManaged(void** at, std::size_t bytes, unsigned flags) {
  return runtime_call("cudaMallocManaged", [&](Gpu& gpu) {
    constexpr unsigned attach_global = 1, attach_host = 2;
    if (at == nullptr || (flags != attach_global && flags != attach_host)) return Error::invalid_value;
    return allocate(gpu, MemoryKind::managed, "cudaMallocManaged", bytes, flags, *at);
  });
}

Error cudaMallocPitch(void** at, std::size_t* pitch, std::size_t width, std::size_t height) {
  return runtime_call("cudaMallocPitch", [&](Gpu& gpu) {
    if (at == nullptr || pitch == nullptr) return Error::invalid_value;
    PitchedPointer rows{};
    const Error error = allocate_rows(gpu, "cudaMallocPitch", rows, {width, height, 1});
    *at = rows.at;
    *pitch = rows.pitch;
    return error;
  });
}

Error cudaMalloc3D(PitchedPointer* rows, Extent extent) {
  return runtime_call("cudaMalloc3D", [&](Gpu& gpu) {
    return rows == nullptr ? Error::invalid_value : allocate_rows(gpu, "cudaMalloc3D", *rows, extent);
  });
}

Error cudaFree(void* at) {
  return runtime_call("cudaFree",
                      [&](Gpu& gpu) { return free_memory(gpu, at, MemoryKind::device, MemoryKind::managed); });
}

Error cudaMallocHost(void** at, std::size_t bytes) { return allocate_host("cudaMallocHost", at, bytes, 0); }

Error cudaHostAlloc(void** at, std::size_t bytes, unsigned flags) {
  return allocate_host("cudaHostAlloc", at, bytes, flags);
}

Error cudaFreeHost(void* at) {
  return runtime_call("cudaFreeHost",
                      [&](Gpu& gpu) { return free_memory(gpu, at, MemoryKind::pinned, MemoryKind::pinned); });
}

Error cudaHostRegister(void* at, std::size_t bytes, unsigned flags) {
  return runtime_call("cudaHostRegister", [&](Gpu& gpu) {
    constexpr unsigned all_flags = 15, io_memory = 4;  // portable, mapped, I/O memory, read-only
    if (at == nullptr || bytes == 0 || flags > all_flags) return Error::invalid_value;
    if ((flags & io_memory) != 0) return Error::not_supported;
    return gpu.memory.register_host(at, bytes, flags) == nullptr ? Error::host_memory_already_registered
                                                                 : Error::success;
  });
}

Error cudaHostUnregister(void* at) {
  return runtime_call("cudaHostUnregister", [&](Gpu& gpu) {
    if (at == nullptr) return Error::invalid_value;
    const DeviceMemory::Place place = gpu.memory.find(number_of(at));
    if (place == nullptr || place->kind != MemoryKind::registered) return Error::host_memory_not_registered;
    if (place->address != number_of(at)) return Error::invalid_value;
    gpu.queue.wait_all();
    gpu.memory.free(place->address);
    return gpu.queue.error();
  });
}

Error cudaHostGetDevicePointer(void** on_device, void* on_host, unsigned flags) {
  return runtime_call("cudaHostGetDevicePointer", [&](Gpu& gpu) {
    if (on_device == nullptr || flags != 0) return Error::invalid_value;
    const DeviceMemory::Place place = gpu.memory.find(number_of(on_host));
    if (place == nullptr || !is_host(*place)) return Error::invalid_value;
    *on_device = on_host;
    return Error::success;
  });
}

Error cudaHostGetFlags(unsigned* flags, void* on_host) {
  return runtime_call("cudaHostGetFlags", [&](Gpu& gpu) {
    const DeviceMemory::Place place = gpu.memory.find(number_of(on_host));
    if (flags == nullptr || place == nullptr || !is_host(*place)) return Error::invalid_value;
    // With unified addresses, all of it is mapped and portable; only the former is reported.
    constexpr unsigned portable = 1, mapped = 2;
    *flags = (place->flags & ~portable) | mapped;
    return Error::success;
  });
}

Error cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return runtime_call("cudaMemGetInfo", [&](Gpu& gpu) {
    const std::uint64_t capacity = gpu.memory.capacity();
    if (total != nullptr) *total = capacity;
    if (free != nullptr) *free = capacity - std::min(capacity, gpu.memory.used());
    return Error::success;
  });
}

Error cudaPointerGetAttributes(PointerAttributes* into, const void* at) {
  return runtime_call("cudaPointerGetAttributes", [&](Gpu& gpu) {
    if (into == nullptr) return Error::invalid_value;
    const PointerAttributes attributes = attributes_of(gpu, at);
    std::memcpy(into, &attributes, runtime_major >= 13 ? sizeof attributes : pointer_attributes_12);
    return Error::success;
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated
