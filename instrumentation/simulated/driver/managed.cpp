// Where managed memory should be: advice and prefetches. The simulated GPU and the host use the same memory, so these
// change nothing but what a program can ask.
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {
namespace {

/// CUmem_advise and the attributes of CUmem_range_attribute.
enum Advice : int {
  read_mostly = 1,
  no_read_mostly = 2,
  preferred = 3,
  no_preferred = 4,
  accessed_by = 5,
  not_accessed_by = 6
};
enum class RangeAttribute : int {
  read_mostly = 1,
  preferred_location = 2,
  accessed_by = 3,
  last_prefetch = 4,
  preferred_type = 5,
  preferred_id = 6,
  last_prefetch_type = 7,
  last_prefetch_id = 8,
};

/// Numbers of devices for what is none: CU_DEVICE_CPU and CU_DEVICE_INVALID.
constexpr int cpu_device = -1, no_device_number = -2;

struct RangeState {
  bool read_mostly = false, accessed_by_device = false;
  CUmemLocation preferred{LocationType::none, no_device_number}, last_prefetch{LocationType::none, no_device_number};
};

/// By the number of the allocation. Ranges are whole allocations.
std::pair<std::mutex, std::map<std::uint64_t, RangeState>>& range_states() {
  static auto* const states = new std::pair<std::mutex, std::map<std::uint64_t, RangeState>>;
  return *states;
}

CUmemLocation location_of_device(CUdevice device) {
  return device == cpu_device ? CUmemLocation{LocationType::host, 0} : CUmemLocation{LocationType::device, device};
}

int device_of_location(const CUmemLocation& location) {
  if (location.type == LocationType::none) return no_device_number;
  return location.type == LocationType::device ? location.id : cpu_device;
}

Error check_location(const CUmemLocation& location) {
  return location.type == LocationType::device ? check_device(location.id) : Error::success;
}

/// The managed allocation that contains all of the range; null if none does.
DeviceMemory::Place find_managed(Gpu& gpu, CUdeviceptr address, std::size_t bytes) {
  DeviceMemory::Place place = gpu.memory.find(address);
  if (place == nullptr || place->kind != MemoryKind::managed) return nullptr;
  return bytes > place->bytes - (address - place->address) ? nullptr : place;
}

template <class Change>
void change_range(const Allocation& place, const Change& change) {
  auto& [mutex, states] = range_states();
  const std::lock_guard lock(mutex);
  change(states[place.number]);
}

Error advise(Gpu& gpu, CUdeviceptr address, std::size_t bytes, int advice, const CUmemLocation& location) {
  const DeviceMemory::Place place = find_managed(gpu, address, bytes);
  if (place == nullptr || bytes == 0 || advice < read_mostly || advice > not_accessed_by) return Error::invalid_value;
  if (advice == preferred || advice >= accessed_by)
    if (const Error wrong = check_location(location); wrong != Error::success) return wrong;
  change_range(*place, [&](RangeState& state) {
    if (advice <= no_read_mostly) state.read_mostly = advice == read_mostly;
    if (advice == preferred) state.preferred = location;
    if (advice == no_preferred) state.preferred = {LocationType::none, no_device_number};
    if (advice >= accessed_by && location.type == LocationType::device)
      state.accessed_by_device = advice == accessed_by;
  });
  return Error::success;
}

Error prefetch(Gpu& gpu, CUdeviceptr address, std::size_t bytes, const CUmemLocation& location) {
  const DeviceMemory::Place place = find_managed(gpu, address, bytes);
  if (place == nullptr || bytes == 0) return Error::invalid_value;
  if (const Error wrong = check_location(location); wrong != Error::success) return wrong;
  change_range(*place, [&](RangeState& state) { state.last_prefetch = location; });
  return Error::success;
}

Error put_range_attribute(Gpu& gpu, void* data, std::size_t data_bytes, RangeAttribute attribute, CUdeviceptr address,
                          std::size_t bytes) {
  const DeviceMemory::Place place = find_managed(gpu, address, bytes);
  if (place == nullptr || data == nullptr || data_bytes < sizeof(int)) return Error::invalid_value;
  RangeState state;
  change_range(*place, [&](const RangeState& kept) { state = kept; });
  const auto put = [&](int number) {
    std::memcpy(data, &number, sizeof number);
    return Error::success;
  };
  switch (attribute) {
    case RangeAttribute::read_mostly: return put(state.read_mostly ? 1 : 0);
    case RangeAttribute::preferred_location: return put(device_of_location(state.preferred));
    case RangeAttribute::last_prefetch: return put(device_of_location(state.last_prefetch));
    case RangeAttribute::preferred_type: return put(static_cast<int>(state.preferred.type));
    case RangeAttribute::preferred_id: return put(state.preferred.id);
    case RangeAttribute::last_prefetch_type: return put(static_cast<int>(state.last_prefetch.type));
    case RangeAttribute::last_prefetch_id: return put(state.last_prefetch.id);
    case RangeAttribute::accessed_by: break;
    default: return Error::invalid_value;
  }
  // A list of devices, filled up with CU_DEVICE_INVALID.
  for (std::size_t i = 0; i < data_bytes / sizeof(int); ++i) {
    const int device = i == 0 && state.accessed_by_device ? 0 : no_device_number;
    std::memcpy(static_cast<char*>(data) + i * sizeof device, &device, sizeof device);
  }
  return Error::success;
}

}  // namespace

extern "C" {

CUresult cuMemAdvise(CUdeviceptr address, std::size_t bytes, int advice, CUdevice device) {
  return call_in_context("cuMemAdvise",
                         [&](Gpu& gpu) { return advise(gpu, address, bytes, advice, location_of_device(device)); });
}

CUresult cuMemAdvise_v2(CUdeviceptr address, std::size_t bytes, int advice, CUmemLocation location) {
  return call_in_context("cuMemAdvise_v2", [&](Gpu& gpu) { return advise(gpu, address, bytes, advice, location); });
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, std::size_t bytes, CUdevice device, CUstream stream) {
  return call_on_stream("cuMemPrefetchAsync", stream,
                        [&](Gpu& gpu, Stream&) { return prefetch(gpu, address, bytes, location_of_device(device)); });
}
CUresult cuMemPrefetchAsync_ptsz(CUdeviceptr address, std::size_t bytes, CUdevice device, CUstream stream) {
  return cuMemPrefetchAsync(address, bytes, device, per_thread(stream));
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, std::size_t bytes, CUmemLocation location, unsigned flags,
                               CUstream stream) {
  return call_on_stream("cuMemPrefetchAsync_v2", stream, [&](Gpu& gpu, Stream&) {
    return flags != 0 ? Error::invalid_value : prefetch(gpu, address, bytes, location);
  });
}
CUresult cuMemPrefetchAsync_v2_ptsz(CUdeviceptr address, std::size_t bytes, CUmemLocation location, unsigned flags,
                                    CUstream stream) {
  return cuMemPrefetchAsync_v2(address, bytes, location, flags, per_thread(stream));
}

CUresult cuMemRangeGetAttribute(void* data, std::size_t data_bytes, RangeAttribute attribute, CUdeviceptr address,
                                std::size_t bytes) {
  return call_in_context("cuMemRangeGetAttribute", [&](Gpu& gpu) {
    return put_range_attribute(gpu, data, data_bytes, attribute, address, bytes);
  });
}

CUresult cuMemRangeGetAttributes(void** data, std::size_t* data_bytes, RangeAttribute* attributes, std::size_t count,
                                 CUdeviceptr address, std::size_t bytes) {
  return call_in_context("cuMemRangeGetAttributes", [&](Gpu& gpu) {
    if (data == nullptr || data_bytes == nullptr || attributes == nullptr || count == 0) return Error::invalid_value;
    for (std::size_t i = 0; i < count; ++i) {
      const Error wrong = put_range_attribute(gpu, data[i], data_bytes[i], attributes[i], address, bytes);
      if (wrong != Error::success) return wrong;
    }
    return Error::success;
  });
}

/// Which stream may use managed memory: all, as the host may use it at the same time.
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, std::size_t, unsigned flags) {
  return call_on_stream("cuStreamAttachMemAsync", stream, [&](Gpu& gpu, Stream&) {
    constexpr unsigned global = 1, host = 2, single = 4;
    if (flags != global && flags != host && flags != single) return Error::invalid_value;
    return find_managed(gpu, address, 0) == nullptr ? Error::invalid_value : Error::success;
  });
}
CUresult cuStreamAttachMemAsync_ptsz(CUstream stream, CUdeviceptr address, std::size_t bytes, unsigned flags) {
  return cuStreamAttachMemAsync(per_thread(stream), address, bytes, flags);
}

}  // extern "C"
}  // namespace warpwalk::simulated
