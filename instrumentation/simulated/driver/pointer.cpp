// What a program can ask about an address.
#include <cstring>
#include <optional>

#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/context.h"

namespace warpwalk::simulated {
namespace {

/// CUpointer_attribute.
enum class PointerAttribute : int {
  context = 1,
  memory_type = 2,
  device_pointer = 3,
  host_pointer = 4,
  p2p_tokens = 5,
  sync_memops = 6,
  buffer_id = 7,
  is_managed = 8,
  device_ordinal = 9,
  is_ipc_capable = 10,
  range_start = 11,
  range_bytes = 12,
  mapped = 13,
  allowed_handle_types = 14,
  is_rdma_capable = 15,
  access_flags = 16,
  pool = 17,
  mapping_bytes = 18,
  mapping_start = 19,
  block_id = 20,
  is_decompress_capable = 21,
};

/// The value of an attribute: 1, 4 or 8 bytes.
struct PointerValue {
  std::uint64_t number = 0;
  std::size_t bytes = 0;
};

bool is_of_host(const Allocation& place) {
  return place.kind == MemoryKind::pinned || place.kind == MemoryKind::registered;
}

/// Nothing for an attribute that the memory does not have.
std::optional<PointerValue> value_of(const Allocation& place, PointerAttribute attribute, std::uint64_t address) {
  const bool host = is_of_host(place), managed = place.kind == MemoryKind::managed;
  constexpr std::uint64_t host_memory = 1, device_memory = 2, read_and_write = 3;
  switch (attribute) {
    case PointerAttribute::context: return PointerValue{reinterpret_cast<std::uintptr_t>(current_context()), 8};
    case PointerAttribute::memory_type: return PointerValue{host ? host_memory : device_memory, 4};
    case PointerAttribute::device_pointer: return PointerValue{address, 8};
    case PointerAttribute::host_pointer:
      if (!host && !managed) return std::nullopt;
      return PointerValue{address, 8};
    case PointerAttribute::sync_memops: return PointerValue{0, 4};
    case PointerAttribute::buffer_id: return PointerValue{place.number, 8};
    case PointerAttribute::is_managed: return PointerValue{managed ? 1U : 0U, 4};
    case PointerAttribute::device_ordinal: return PointerValue{0, 4};
    case PointerAttribute::is_ipc_capable: return PointerValue{0, 4};
    case PointerAttribute::range_start:
    case PointerAttribute::mapping_start: return PointerValue{place.address, 8};
    case PointerAttribute::range_bytes:
    case PointerAttribute::mapping_bytes: return PointerValue{place.bytes, 8};
    case PointerAttribute::mapped: return PointerValue{1, 4};
    case PointerAttribute::allowed_handle_types: return PointerValue{0, 8};
    case PointerAttribute::is_rdma_capable:
    case PointerAttribute::is_decompress_capable: return PointerValue{0, 4};
    case PointerAttribute::access_flags: return PointerValue{read_and_write, 4};
    case PointerAttribute::pool: return PointerValue{reinterpret_cast<std::uintptr_t>(place.pool), 8};
    case PointerAttribute::block_id: return PointerValue{place.number, 8};
    default: return std::nullopt;
  }
}

/// The value for an address that CUDA does not know: 0, and -2 for the number of the device.
std::optional<PointerValue> value_of_unknown(PointerAttribute attribute) {
  if (attribute == PointerAttribute::device_ordinal) return PointerValue{static_cast<std::uint32_t>(-2), 4};
  Allocation nothing;
  nothing.kind = MemoryKind::pinned;
  auto value = value_of(nothing, attribute, 0);
  if (value) value->number = 0;
  return value;
}

Error put_attribute(Gpu& gpu, void* data, PointerAttribute attribute, std::uint64_t address) {
  if (data == nullptr) return Error::invalid_value;
  const DeviceMemory::Place place = gpu.memory.find(address);
  if (place == nullptr) return Error::invalid_value;
  const auto value = value_of(*place, attribute, address);
  if (!value) return Error::invalid_value;
  std::memcpy(data, &value->number, value->bytes);
  return Error::success;
}

/// Unlike cuPointerGetAttribute, cuPointerGetAttributes has values for all addresses.
Error put_attributes(Gpu& gpu, unsigned count, const PointerAttribute* attributes, void** data, std::uint64_t address) {
  if (attributes == nullptr || data == nullptr) return Error::invalid_value;
  const DeviceMemory::Place place = gpu.memory.find(address);
  for (unsigned i = 0; i < count; ++i) {
    auto value = place == nullptr ? std::nullopt : value_of(*place, attributes[i], address);
    if (!value) value = value_of_unknown(attributes[i]);
    if (!value || data[i] == nullptr) return Error::invalid_value;
    std::memcpy(data[i], &value->number, value->bytes);
  }
  return Error::success;
}

}  // namespace

extern "C" {

CUresult cuPointerGetAttribute(void* data, PointerAttribute attribute, CUdeviceptr address) {
  return call_in_context("cuPointerGetAttribute",
                         [&](Gpu& gpu) { return put_attribute(gpu, data, attribute, address); });
}

CUresult cuPointerGetAttributes(unsigned count, PointerAttribute* attributes, void** data, CUdeviceptr address) {
  return call_in_context("cuPointerGetAttributes",
                         [&](Gpu& gpu) { return put_attributes(gpu, count, attributes, data, address); });
}

/// The one attribute that can be set makes copies synchronous that a GPU might begin later. Here they are.
CUresult cuPointerSetAttribute(const void* value, PointerAttribute attribute, CUdeviceptr address) {
  return call_in_context("cuPointerSetAttribute", [&](Gpu& gpu) {
    const bool known = attribute == PointerAttribute::sync_memops && value != nullptr;
    return known && gpu.memory.find(address) != nullptr ? Error::success : Error::invalid_value;
  });
}

}  // extern "C"
}  // namespace warpwalk::simulated
