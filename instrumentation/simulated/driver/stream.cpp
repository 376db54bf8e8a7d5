// Streams.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/context.h"

namespace warpwalk::simulated {
namespace {

constexpr int lowest_priority = 0, highest_priority = -5;

CUresult create_stream(const char* name, CUstream* stream, unsigned flags, int priority) {
  return call_in_context(name, [&](Gpu& gpu) {
    if (stream == nullptr || flags > 1) return Error::invalid_value;
    // Priorities outside the range are taken as its ends.
    *stream = gpu.streams.create(flags, std::clamp(priority, highest_priority, lowest_priority));
    return Error::success;
  });
}

bool is_special(CUstream stream) { return reinterpret_cast<std::uintptr_t>(stream) <= 2; }

/// What cuStreamSetAttribute has set, by the stream's number and the attribute's. It changes nothing but what
/// cuStreamGetAttribute returns.
std::pair<std::mutex, std::map<std::pair<std::uint32_t, LaunchAttributeId>, LaunchAttributeValue>>&
stream_attributes() {
  static auto* const all =
      new std::pair<std::mutex, std::map<std::pair<std::uint32_t, LaunchAttributeId>, LaunchAttributeValue>>;
  return *all;
}

bool is_stream_attribute(LaunchAttributeId id) {
  switch (id) {
    case LaunchAttributeId::access_policy_window:
    case LaunchAttributeId::synchronization_policy:
    case LaunchAttributeId::priority:
    case LaunchAttributeId::mem_sync_domain_map:
    case LaunchAttributeId::mem_sync_domain: return true;
    default: return false;
  }
}

LaunchAttributeValue initial_value(const Stream& stream, LaunchAttributeId id) {
  LaunchAttributeValue value{};
  if (id == LaunchAttributeId::synchronization_policy) value.number = 1;  // automatic
  if (id == LaunchAttributeId::priority) value.number = stream.priority;
  return value;
}

Error get_stream_attribute(const Stream& stream, LaunchAttributeId id, LaunchAttributeValue* value) {
  if (value == nullptr || !is_stream_attribute(id)) return Error::invalid_value;
  auto& [mutex, all] = stream_attributes();
  const std::lock_guard lock(mutex);
  const auto found = all.find({stream.id, id});
  *value = found == all.end() ? initial_value(stream, id) : found->second;
  return Error::success;
}

Error set_stream_attribute(Stream& stream, LaunchAttributeId id, const LaunchAttributeValue* value) {
  if (value == nullptr || !is_stream_attribute(id)) return Error::invalid_value;
  if (id == LaunchAttributeId::priority) {
    if (value->number > lowest_priority || value->number < highest_priority) return Error::invalid_value;
    stream.priority = value->number;
  }
  auto& [mutex, all] = stream_attributes();
  const std::lock_guard lock(mutex);
  all[{stream.id, id}] = *value;
  return Error::success;
}

}  // namespace

extern "C" {

CUresult cuStreamCreate(CUstream* stream, unsigned flags) { return create_stream("cuStreamCreate", stream, flags, 0); }

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return create_stream("cuStreamCreateWithPriority", stream, flags, priority);
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  return call_in_context("cuStreamDestroy_v2", [&](Gpu& gpu) {
    Stream* const found = is_special(stream) ? nullptr : gpu.streams.find(stream);
    return found == nullptr ? Error::invalid_resource_handle : gpu.streams.destroy(found);
  });
}
[[gnu::alias("cuStreamDestroy_v2")]] CUresult cuStreamDestroy(CUstream stream);

CUresult cuStreamSynchronize(CUstream stream) {
  return call_on_stream("cuStreamSynchronize", stream, [](Gpu& gpu, Stream& found) { return gpu.synchronize(found); });
}
CUresult cuStreamSynchronize_ptsz(CUstream stream) { return cuStreamSynchronize(per_thread(stream)); }

CUresult cuStreamQuery(CUstream stream) {
  return call_on_stream("cuStreamQuery", stream, [](Gpu& gpu, Stream& found) { return gpu.query(found); });
}
CUresult cuStreamQuery_ptsz(CUstream stream) { return cuStreamQuery(per_thread(stream)); }

/// `flags`: 1 is for events outside a graph that is being captured.
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return call_on_stream("cuStreamWaitEvent", stream, [&](Gpu& gpu, Stream& found) {
    if (flags > 1) return Error::invalid_value;
    const Event* const known = gpu.streams.find_event(event);
    return known == nullptr ? Error::invalid_resource_handle : gpu.wait_event(found, *known);
  });
}
CUresult cuStreamWaitEvent_ptsz(CUstream stream, CUevent event, unsigned flags) {
  return cuStreamWaitEvent(per_thread(stream), event, flags);
}

CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return call_on_stream("cuStreamGetPriority", stream, [&](Gpu&, Stream& found) {
    if (priority == nullptr) return Error::invalid_value;
    *priority = found.priority;
    return Error::success;
  });
}
CUresult cuStreamGetPriority_ptsz(CUstream stream, int* priority) {
  return cuStreamGetPriority(per_thread(stream), priority);
}

CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return call_on_stream("cuStreamGetFlags", stream, [&](Gpu&, Stream& found) {
    if (flags == nullptr) return Error::invalid_value;
    *flags = found.flags;
    return Error::success;
  });
}
CUresult cuStreamGetFlags_ptsz(CUstream stream, unsigned* flags) { return cuStreamGetFlags(per_thread(stream), flags); }

CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return call_on_stream("cuStreamGetId", stream, [&](Gpu&, Stream& found) {
    if (id == nullptr) return Error::invalid_value;
    *id = found.id;
    return Error::success;
  });
}
CUresult cuStreamGetId_ptsz(CUstream stream, unsigned long long* id) { return cuStreamGetId(per_thread(stream), id); }

CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return call_on_stream("cuStreamGetDevice", stream, [&](Gpu&, Stream&) {
    if (device == nullptr) return Error::invalid_value;
    *device = 0;
    return Error::success;
  });
}
CUresult cuStreamGetDevice_ptsz(CUstream stream, CUdevice* device) {
  return cuStreamGetDevice(per_thread(stream), device);
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return call_on_stream("cuStreamGetCtx", stream, [&](Gpu&, Stream&) {
    if (context == nullptr) return Error::invalid_value;
    *context = current_context();
    return Error::success;
  });
}
CUresult cuStreamGetCtx_ptsz(CUstream stream, CUcontext* context) {
  return cuStreamGetCtx(per_thread(stream), context);
}

/// `green`: a context of some of the SMs, which there is not.
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, void** green) {
  if (green != nullptr) *green = nullptr;
  return cuStreamGetCtx(stream, context);
}
CUresult cuStreamGetCtx_v2_ptsz(CUstream stream, CUcontext* context, void** green) {
  return cuStreamGetCtx_v2(per_thread(stream), context, green);
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned flags) {
  return call_for_work("cuStreamAddCallback", stream, [&](Gpu& gpu, Stream& found) {
    if (callback == nullptr || flags != 0) return Error::invalid_value;
    if (found.capture != nullptr) return Error::stream_capture_unsupported;
    return gpu.host_function([=] { callback(stream, Error::success, data); }, found);
  });
}
CUresult cuStreamAddCallback_ptsz(CUstream stream, CUstreamCallback callback, void* data, unsigned flags) {
  return cuStreamAddCallback(per_thread(stream), callback, data, flags);
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return call_for_work("cuLaunchHostFunc", stream, [&](Gpu& gpu, Stream& found) {
    if (function == nullptr) return Error::invalid_value;
    if (found.capture != nullptr) return add_captured(found, HostNode{function, data});
    return gpu.host_function([=] { function(data); }, found);
  });
}
CUresult cuLaunchHostFunc_ptsz(CUstream stream, CUhostFn function, void* data) {
  return cuLaunchHostFunc(per_thread(stream), function, data);
}

CUresult cuStreamGetAttribute(CUstream stream, LaunchAttributeId id, LaunchAttributeValue* value) {
  return call_on_stream("cuStreamGetAttribute", stream,
                        [&](Gpu&, Stream& found) { return get_stream_attribute(found, id, value); });
}
CUresult cuStreamGetAttribute_ptsz(CUstream stream, LaunchAttributeId id, LaunchAttributeValue* value) {
  return cuStreamGetAttribute(per_thread(stream), id, value);
}

CUresult cuStreamSetAttribute(CUstream stream, LaunchAttributeId id, const LaunchAttributeValue* value) {
  return call_on_stream("cuStreamSetAttribute", stream,
                        [&](Gpu&, Stream& found) { return set_stream_attribute(found, id, value); });
}
CUresult cuStreamSetAttribute_ptsz(CUstream stream, LaunchAttributeId id, const LaunchAttributeValue* value) {
  return cuStreamSetAttribute(per_thread(stream), id, value);
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
  return call_on_stream("cuStreamCopyAttributes", to, [&](Gpu& gpu, Stream& target) {
    const Stream* const source = gpu.streams.find(from);
    if (source == nullptr) return Error::invalid_resource_handle;
    for (int number = 1; number <= static_cast<int>(LaunchAttributeId::mem_sync_domain); ++number) {
      const auto id = static_cast<LaunchAttributeId>(number);
      LaunchAttributeValue value{};
      if (get_stream_attribute(*source, id, &value) == Error::success) set_stream_attribute(target, id, &value);
    }
    return Error::success;
  });
}
CUresult cuStreamCopyAttributes_ptsz(CUstream to, CUstream from) {
  return cuStreamCopyAttributes(per_thread(to), per_thread(from));
}

}  // extern "C"
}  // namespace warpwalk::simulated
