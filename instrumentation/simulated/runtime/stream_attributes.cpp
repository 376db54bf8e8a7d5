// Attributes of streams. They are hints for a GPU: the simulated one returns them as they were set.
#include "instrumentation/simulated/runtime/stream_attributes.h"

#include <map>
#include <mutex>

#include "instrumentation/simulated/device/device_attributes.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {
namespace {

using StreamAttributeValues = std::map<LaunchAttributeId, LaunchAttributeValue>;

struct StreamAttributes {
  std::mutex mutex;
  std::map<const Stream*, StreamAttributeValues> values;
};

StreamAttributes& stream_attributes() {
  static auto& all = *new StreamAttributes;
  return all;
}

bool is_of_streams(LaunchAttributeId id) {
  switch (id) {
    case LaunchAttributeId::access_window:
    case LaunchAttributeId::synchronization:
    case LaunchAttributeId::priority:
    case LaunchAttributeId::domain_map:
    case LaunchAttributeId::domain: return true;
    default: return false;
  }
}

Error check_stream_attribute(const Gpu& gpu, LaunchAttributeId id, const LaunchAttributeValue& value) {
  constexpr int first_policy = 1, last_policy = 4, persisting = 2, largest_window = 109;
  switch (id) {
    case LaunchAttributeId::synchronization:
      return value.number < first_policy || value.number > last_policy ? Error::invalid_value : Error::success;
    case LaunchAttributeId::domain: return value.number < 0 || value.number > 1 ? Error::invalid_value : Error::success;
    case LaunchAttributeId::access_window: {
      const AccessWindow& window = value.window;
      const auto limit = static_cast<std::size_t>(device_attribute(gpu.device, largest_window).value_or(0));
      // What misses cannot persist.
      return window.bytes > limit || window.hit_ratio < 0 || window.hit_ratio > 1 || window.on_miss == persisting
                 ? Error::invalid_value
                 : Error::success;
    }
    default: return Error::success;
  }
}

LaunchAttributeValue initial_value(const Stream& stream, LaunchAttributeId id) {
  LaunchAttributeValue value;
  if (id == LaunchAttributeId::synchronization) value.number = 1;
  if (id == LaunchAttributeId::priority) value.number = stream.priority;
  if (id == LaunchAttributeId::domain_map) value.domains = {0, 1};
  return value;
}

}  // namespace

void forget_attributes(const Stream* stream) {
  StreamAttributes& all = stream_attributes();
  const std::lock_guard lock(all.mutex);
  all.values.erase(stream);
}

extern "C" {

Error cudaStreamSetAttribute(const void* stream, LaunchAttributeId id, const LaunchAttributeValue* value) {
  return runtime_call("cudaStreamSetAttribute", [&](Gpu& gpu) {
    if (value == nullptr || !is_of_streams(id)) return Error::invalid_value;
    if (const Error wrong = check_stream_attribute(gpu, id, *value); wrong != Error::success) return wrong;
    return with_stream(gpu, stream, [&](Stream& found) {
      StreamAttributes& all = stream_attributes();
      const std::lock_guard lock(all.mutex);
      all.values[&found][id] = *value;
      return Error::success;
    });
  });
}

Error cudaStreamSetAttribute_ptsz(const void* stream, LaunchAttributeId id, const LaunchAttributeValue* value) {
  return cudaStreamSetAttribute(of_thread(stream), id, value);
}

Error cudaStreamGetAttribute(const void* stream, LaunchAttributeId id, LaunchAttributeValue* value) {
  return runtime_call("cudaStreamGetAttribute", [&](Gpu& gpu) {
    if (value == nullptr || !is_of_streams(id)) return Error::invalid_value;
    return with_stream(gpu, stream, [&](Stream& found) {
      StreamAttributes& all = stream_attributes();
      const std::lock_guard lock(all.mutex);
      const StreamAttributeValues& values = all.values[&found];
      const auto set = values.find(id);
      *value = set == values.end() ? initial_value(found, id) : set->second;
      return Error::success;
    });
  });
}

Error cudaStreamGetAttribute_ptsz(const void* stream, LaunchAttributeId id, LaunchAttributeValue* value) {
  return cudaStreamGetAttribute(of_thread(stream), id, value);
}

Error cudaStreamCopyAttributes(const void* to, const void* from) {
  return runtime_call("cudaStreamCopyAttributes", [&](Gpu& gpu) {
    return with_stream(gpu, to, [&](Stream& target) {
      return with_stream(gpu, from, [&](Stream& source) {
        StreamAttributes& all = stream_attributes();
        const std::lock_guard lock(all.mutex);
        const StreamAttributeValues values = all.values[&source];
        all.values[&target] = values;
        return Error::success;
      });
    });
  });
}

Error cudaStreamCopyAttributes_ptsz(const void* to, const void* from) {
  return cudaStreamCopyAttributes(of_thread(to), of_thread(from));
}

}  // extern "C"

}  // namespace warpwalk::simulated
