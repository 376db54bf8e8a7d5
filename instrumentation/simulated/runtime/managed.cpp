#include "instrumentation/simulated/runtime/managed.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "instrumentation/simulated/runtime/call.h"

namespace warpwalk::simulated {
namespace {

struct Advice {
  bool read_mostly = false, by_host = false, by_device = false;
  Location preferred{Location::none, 0}, prefetched{Location::none, 0};
};

/// Advice by ranges of addresses: each entry holds up to the next one.
class AdviceMap {
 public:
  template <class Change>
  void change(std::uint64_t begin, std::uint64_t end, Change change) {
    const std::lock_guard lock(mutex_);
    split(begin);
    split(end);
    for (auto at = ranges_.find(begin); at != ranges_.end() && at->first < end; ++at) change(at->second);
  }

  /// The advice of all parts of a range.
  std::vector<Advice> find(std::uint64_t begin, std::uint64_t end) {
    const std::lock_guard lock(mutex_);
    split(begin);
    std::vector<Advice> found;
    for (auto at = ranges_.find(begin); at != ranges_.end() && at->first < end; ++at) found.push_back(at->second);
    return found;
  }

 private:
  void split(std::uint64_t address) {
    const auto after = ranges_.upper_bound(address);
    const Advice before = after == ranges_.begin() ? Advice() : std::prev(after)->second;
    ranges_.emplace(address, before);
  }

  std::mutex mutex_;
  std::map<std::uint64_t, Advice> ranges_;
};

AdviceMap& advice_map() {
  static auto& map = *new AdviceMap;
  return map;
}

std::uint64_t begin_of(const void* at) { return reinterpret_cast<std::uint64_t>(at); }

/// Success if the whole range is managed memory.
Error check_managed(const Gpu& gpu, const void* at, std::size_t bytes) {
  if (at == nullptr || bytes == 0) return Error::invalid_value;
  const DeviceMemory::Place place = gpu.memory.find(begin_of(at));
  const bool inside =
      place != nullptr && place->kind == MemoryKind::managed && bytes <= place->bytes - (begin_of(at) - place->address);
  return inside ? Error::success : Error::invalid_value;
}

Error check_location(Location location) {
  if (location.type == Location::device) return check_device(location.id);
  return location.type >= Location::host && location.type <= Location::host_numa_current ? Error::success
                                                                                         : Error::invalid_value;
}

/// cudaMemoryAdvise
enum AdviceKind : int {
  set_read_mostly = 1,
  unset_read_mostly,
  set_preferred,
  unset_preferred,
  set_accessed_by,
  unset_accessed_by,
};

void apply(Advice& advice, int kind, Location location) {
  bool& accessed = location.type == Location::device ? advice.by_device : advice.by_host;
  switch (kind) {
    case set_read_mostly: advice.read_mostly = true; break;
    case unset_read_mostly: advice.read_mostly = false; break;
    case set_preferred: advice.preferred = location; break;
    case unset_preferred: advice.preferred = {Location::none, 0}; break;
    case set_accessed_by: accessed = true; break;
    default: accessed = false; break;
  }
}

/// A location as a device number: cudaCpuDeviceId for the host, cudaInvalidDeviceId for none.
int device_number(Location location) {
  if (location.type == Location::device) return location.id;
  return location.type == Location::none ? invalid_device_id : cpu_device;
}

/// The location that all parts have, else none.
Location common(const std::vector<Advice>& parts, Location Advice::*member) {
  const Location first = parts.front().*member;
  const bool same = std::ranges::all_of(
      parts, [&](const Advice& part) { return (part.*member).type == first.type && (part.*member).id == first.id; });
  return same ? first : Location{Location::none, 0};
}

bool all(const std::vector<Advice>& parts, bool Advice::*member) { return std::ranges::all_of(parts, member); }

/// cudaMemRangeGetAttribute. The numbers are those of cudaMemRangeAttribute.
Error range_attribute(Gpu& gpu, void* into, std::size_t into_bytes, int attribute, const void* at, std::size_t bytes) {
  constexpr int accessed_by = 3, last_attribute = 8;
  const std::size_t count = into_bytes / sizeof(int);
  if (into == nullptr || count == 0 || into_bytes % sizeof(int) != 0 || (attribute != accessed_by && count != 1) ||
      attribute < 1 || attribute > last_attribute)
    return Error::invalid_value;
  if (const Error wrong = check_managed(gpu, at, bytes); wrong != Error::success) return wrong;
  const auto parts = advice_map().find(begin_of(at), begin_of(at) + bytes);
  int* const numbers = static_cast<int*>(into);
  const Location preferred = common(parts, &Advice::preferred), prefetched = common(parts, &Advice::prefetched);
  if (attribute == accessed_by) {
    std::fill_n(numbers, count, invalid_device_id);
    std::size_t used = 0;
    if (all(parts, &Advice::by_device)) numbers[used++] = 0;
    if (used < count && all(parts, &Advice::by_host)) numbers[used] = cpu_device;
    return Error::success;
  }
  const int values[] = {all(parts, &Advice::read_mostly) ? 1 : 0,
                        device_number(preferred),
                        0,
                        device_number(prefetched),
                        preferred.type,
                        preferred.id,
                        prefetched.type,
                        prefetched.id};
  *numbers = values[attribute - 1];
  return Error::success;
}

}  // namespace

Location location_of(int device) {
  return device == cpu_device ? Location{Location::host, 0} : Location{Location::device, device};
}

Error prefetch(const char* name, const void* at, std::size_t bytes, Location to, unsigned flags, const void* stream) {
  return runtime_call(name, [&](Gpu& gpu) {
    if (flags != 0) return Error::invalid_value;
    if (const Error wrong = check_location(to); wrong != Error::success) return wrong;
    if (const Error wrong = check_managed(gpu, at, bytes); wrong != Error::success) return wrong;
    return with_stream(gpu, stream, [&](Stream& found) {
      if (found.capture != nullptr) return check_not_captured(found);
      advice_map().change(begin_of(at), begin_of(at) + bytes, [&](Advice& advice) { advice.prefetched = to; });
      return Error::success;
    });
  });
}

Error advise(const char* name, const void* at, std::size_t bytes, int advice, Location location) {
  return runtime_call(name, [&](Gpu& gpu) {
    if (advice < set_read_mostly || advice > unset_accessed_by) return Error::invalid_value;
    const bool uses_location = advice == set_preferred || advice == set_accessed_by || advice == unset_accessed_by;
    if (uses_location)
      if (const Error wrong = check_location(location); wrong != Error::success) return wrong;
    if (const Error wrong = check_managed(gpu, at, bytes); wrong != Error::success) return wrong;
    advice_map().change(begin_of(at), begin_of(at) + bytes, [&](Advice& one) { apply(one, advice, location); });
    return Error::success;
  });
}

extern "C" {

Error cudaMemRangeGetAttribute(void* into, std::size_t into_bytes, int attribute, const void* at, std::size_t bytes) {
  return runtime_call("cudaMemRangeGetAttribute",
                      [&](Gpu& gpu) { return range_attribute(gpu, into, into_bytes, attribute, at, bytes); });
}

Error cudaMemRangeGetAttributes(void** into, const std::size_t* into_bytes, const int* attributes, std::size_t count,
                                const void* at, std::size_t bytes) {
  return runtime_call("cudaMemRangeGetAttributes", [&](Gpu& gpu) {
    if (into == nullptr || into_bytes == nullptr || attributes == nullptr || count == 0) return Error::invalid_value;
    Error error = Error::success;
    for (std::size_t i = 0; i < count && error == Error::success; ++i)
      error = range_attribute(gpu, into[i], into_bytes[i], attributes[i], at, bytes);
    return error;
  });
}

Error cudaMemPrefetchBatchAsync(void* const* at, const std::size_t* bytes, std::size_t count, const Location* locations,
                                const std::size_t* first, std::size_t location_count, unsigned long long flags,
                                const void* stream) {
  return runtime_call("cudaMemPrefetchBatchAsync", [&](Gpu&) {
    if (at == nullptr || bytes == nullptr || locations == nullptr || first == nullptr || location_count == 0 ||
        location_count > count || flags != 0 || first[0] != 0)
      return Error::invalid_value;
    Error error = Error::success;
    for (std::size_t i = 0, used = 0; i < count && error == Error::success; ++i) {
      if (used + 1 < location_count && first[used + 1] <= i) ++used;
      error = prefetch("cudaMemPrefetchBatchAsync", at[i], bytes[i], locations[used], 0, stream);
    }
    return error;
  });
}

Error cudaMemPrefetchBatchAsync_ptsz(void* const* at, const std::size_t* bytes, std::size_t count,
                                     const Location* locations, const std::size_t* first, std::size_t location_count,
                                     unsigned long long flags, const void* stream) {
  return cudaMemPrefetchBatchAsync(at, bytes, count, locations, first, location_count, flags, of_thread(stream));
}

/// Managed memory may be attached to a stream. Since the host may use it at any time here, that changes nothing.
Error cudaStreamAttachMemAsync(const void* stream, void* at, std::size_t bytes, unsigned flags) {
  return runtime_call("cudaStreamAttachMemAsync", [&](Gpu& gpu) {
    constexpr unsigned global = 1, host = 2, single = 4;
    if (flags != global && flags != host && flags != single) return Error::invalid_value;
    return with_stream(gpu, stream, [&](Stream& found) {
      if (flags == single && found.is_default) return Error::invalid_value;
      return check_managed(gpu, at, std::max<std::size_t>(bytes, 1));
    });
  });
}

Error cudaStreamAttachMemAsync_ptsz(const void* stream, void* at, std::size_t bytes, unsigned flags) {
  return cudaStreamAttachMemAsync(of_thread(stream), at, bytes, flags);
}

}  // extern "C"

}  // namespace warpwalk::simulated
