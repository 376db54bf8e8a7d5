// Events.
#include "instrumentation/simulated/device/graph.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {
namespace {

Error create_event(const char* name, Event** event, unsigned flags) {
  return runtime_call(name, [&](Gpu& gpu) {
    constexpr unsigned all_flags = 7, without_times = 2, between_processes = 4;
    if (event == nullptr || flags > all_flags) return Error::invalid_value;
    if ((flags & between_processes) != 0 && (flags & without_times) == 0) return Error::invalid_value;
    *event = gpu.streams.create_event(flags);
    return Error::success;
  });
}

Error record_event(const char* name, const void* event, const void* stream, unsigned flags) {
  return runtime_call(name, [&](Gpu& gpu) {
    constexpr unsigned external = 1;
    if (flags > external) return Error::invalid_value;
    return with_event(gpu, event, [&](Event& found) {
      return with_stream(gpu, stream, [&](Stream& one) {
        // An external event is a node of its own in a capture.
        if (flags == external && one.capture != nullptr) return add_captured(one, EventNode{&found, false});
        return gpu.streams.record(found, one);
      });
    });
  });
}

Error elapsed_time(const char* name, float* milliseconds, const void* from, const void* to) {
  return runtime_call(name, [&](Gpu& gpu) {
    if (milliseconds == nullptr) return Error::invalid_value;
    return with_event(gpu, from, [&](Event& first) {
      return with_event(gpu, to, [&](Event& last) {
        for (const Event* const event : {&first, &last})
          if (const Error wrong = check_captured(*event); wrong != Error::success) return wrong;
        return gpu.streams.elapsed(first, last, *milliseconds);
      });
    });
  });
}

}  // namespace

extern "C" {

Error cudaEventCreate(Event** event) { return create_event("cudaEventCreate", event, 0); }

Error cudaEventCreateWithFlags(Event** event, unsigned flags) {
  return create_event("cudaEventCreateWithFlags", event, flags);
}

Error cudaEventDestroy(const void* event) {
  return runtime_call("cudaEventDestroy", [&](Gpu& gpu) {
    return with_event(gpu, event, [&](Event& found) { return gpu.streams.destroy_event(&found); });
  });
}

Error cudaEventRecord(const void* event, const void* stream) {
  return record_event("cudaEventRecord", event, stream, 0);
}

Error cudaEventRecord_ptsz(const void* event, const void* stream) { return cudaEventRecord(event, of_thread(stream)); }

Error cudaEventRecordWithFlags(const void* event, const void* stream, unsigned flags) {
  return record_event("cudaEventRecordWithFlags", event, stream, flags);
}

Error cudaEventRecordWithFlags_ptsz(const void* event, const void* stream, unsigned flags) {
  return cudaEventRecordWithFlags(event, of_thread(stream), flags);
}

Error cudaEventQuery(const void* event) {
  return runtime_call("cudaEventQuery",
                      [&](Gpu& gpu) { return with_event(gpu, event, [&](Event& found) { return gpu.query(found); }); });
}

Error cudaEventSynchronize(const void* event) {
  return runtime_call("cudaEventSynchronize", [&](Gpu& gpu) {
    return with_event(gpu, event, [&](Event& found) { return gpu.synchronize(found); });
  });
}

Error cudaEventElapsedTime(float* milliseconds, const void* from, const void* to) {
  return elapsed_time("cudaEventElapsedTime", milliseconds, from, to);
}

Error cudaEventElapsedTime_v2(float* milliseconds, const void* from, const void* to) {
  return elapsed_time("cudaEventElapsedTime", milliseconds, from, to);
}

}  // extern "C"

}  // namespace warpwalk::simulated
