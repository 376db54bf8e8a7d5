// Streams, without captures.
#include <algorithm>

#include "instrumentation/simulated/device/graph.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/stream_attributes.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {
namespace {

constexpr int greatest_priority = -5;
constexpr unsigned non_blocking_stream = 1;

Error create_stream(const char* name, Stream** stream, unsigned flags, int priority) {
  return runtime_call(name, [&](Gpu& gpu) {
    if (stream == nullptr || flags > non_blocking_stream) return Error::invalid_value;
    // "Priorities outside of the range are clamped."
    *stream = gpu.streams.create(flags, std::clamp(priority, greatest_priority, 0));
    return Error::success;
  });
}

/// Runs `body` with a stream for which `result` receives a property.
template <class Body>
Error ask_stream(const char* name, const void* stream, const void* result, Body body) {
  return runtime_call(name, [&](Gpu& gpu) {
    return with_stream(gpu, stream, [&](Stream& found) {
      if (result == nullptr) return Error::invalid_value;
      body(found);
      return Error::success;
    });
  });
}

}  // namespace

extern "C" {

Error cudaStreamCreate(Stream** stream) { return create_stream("cudaStreamCreate", stream, 0, 0); }

Error cudaStreamCreateWithFlags(Stream** stream, unsigned flags) {
  return create_stream("cudaStreamCreateWithFlags", stream, flags, 0);
}

Error cudaStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) {
  return create_stream("cudaStreamCreateWithPriority", stream, flags, priority);
}

Error cudaStreamDestroy(const void* stream) {
  return runtime_call("cudaStreamDestroy", [&](Gpu& gpu) {
    // The default streams cannot be destroyed.
    if (reinterpret_cast<std::uintptr_t>(stream) <= reinterpret_cast<std::uintptr_t>(per_thread_stream))
      return Error::invalid_resource_handle;
    return with_stream(gpu, stream, [&](Stream& found) {
      leave_capture(found);
      forget_attributes(&found);
      return gpu.streams.destroy(&found);
    });
  });
}

Error cudaStreamGetPriority(const void* stream, int* priority) {
  return ask_stream("cudaStreamGetPriority", stream, priority, [&](Stream& found) { *priority = found.priority; });
}

Error cudaStreamGetPriority_ptsz(const void* stream, int* priority) {
  return cudaStreamGetPriority(of_thread(stream), priority);
}

Error cudaStreamGetFlags(const void* stream, unsigned* flags) {
  return ask_stream("cudaStreamGetFlags", stream, flags, [&](Stream& found) { *flags = found.flags; });
}

Error cudaStreamGetFlags_ptsz(const void* stream, unsigned* flags) {
  return cudaStreamGetFlags(of_thread(stream), flags);
}

Error cudaStreamGetId(const void* stream, unsigned long long* id) {
  return ask_stream("cudaStreamGetId", stream, id, [&](Stream& found) { *id = found.id; });
}

Error cudaStreamGetId_ptsz(const void* stream, unsigned long long* id) {
  return cudaStreamGetId(of_thread(stream), id);
}

Error cudaStreamGetDevice(const void* stream, int* device) {
  return ask_stream("cudaStreamGetDevice", stream, device, [&](Stream&) { *device = 0; });
}

Error cudaStreamGetDevice_ptsz(const void* stream, int* device) {
  return cudaStreamGetDevice(of_thread(stream), device);
}

Error cudaStreamQuery(const void* stream) {
  return runtime_call("cudaStreamQuery", [&](Gpu& gpu) {
    return with_stream(gpu, stream, [&](Stream& found) { return gpu.query(found); });
  });
}

Error cudaStreamQuery_ptsz(const void* stream) { return cudaStreamQuery(of_thread(stream)); }

Error cudaStreamSynchronize(const void* stream) {
  return runtime_call("cudaStreamSynchronize", [&](Gpu& gpu) {
    return with_stream(gpu, stream, [&](Stream& found) { return gpu.synchronize(found); });
  });
}

Error cudaStreamSynchronize_ptsz(const void* stream) { return cudaStreamSynchronize(of_thread(stream)); }

Error cudaStreamWaitEvent(const void* stream, const void* event, unsigned flags) {
  return runtime_call("cudaStreamWaitEvent", [&](Gpu& gpu) {
    constexpr unsigned external = 1;
    if (flags > external) return Error::invalid_value;
    return with_stream(gpu, stream, [&](Stream& found) {
      return with_event(gpu, event, [&](Event& one) {
        // An external event is a node of its own in a capture.
        if (flags == external && found.capture != nullptr) return add_captured(found, EventNode{&one, true});
        return gpu.wait_event(found, one);
      });
    });
  });
}

Error cudaStreamWaitEvent_ptsz(const void* stream, const void* event, unsigned flags) {
  return cudaStreamWaitEvent(of_thread(stream), event, flags);
}

Error cudaLaunchHostFunc(const void* stream, void (*function)(void*), void* data) {
  return runtime_call("cudaLaunchHostFunc", [&](Gpu& gpu) {
    if (function == nullptr) return Error::invalid_value;
    return with_stream(gpu, stream, [&](Stream& found) {
      if (found.capture != nullptr) return add_captured(found, HostNode{function, data});
      return gpu.host_function([function, data] { function(data); }, found);
    });
  });
}

Error cudaLaunchHostFunc_ptsz(const void* stream, void (*function)(void*), void* data) {
  return cudaLaunchHostFunc(of_thread(stream), function, data);
}

Error cudaStreamAddCallback(const void* stream, void (*callback)(const void*, Error, void*), void* data,
                            unsigned flags) {
  return runtime_call("cudaStreamAddCallback", [&](Gpu& gpu) {
    if (callback == nullptr || flags != 0) return Error::invalid_value;
    return with_stream(gpu, stream, [&](Stream& found) {
      if (found.capture != nullptr) return check_not_captured(found);
      return gpu.host_function([callback, stream, data] { callback(stream, Error::success, data); }, found);
    });
  });
}

Error cudaStreamAddCallback_ptsz(const void* stream, void (*callback)(const void*, Error, void*), void* data,
                                 unsigned flags) {
  return cudaStreamAddCallback(of_thread(stream), callback, data, flags);
}

}  // extern "C"

}  // namespace warpwalk::simulated
