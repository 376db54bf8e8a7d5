// Events.
#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {
namespace {

/// Flags of events: blocking waits, without times, between processes.
enum EventFlag : unsigned { blocking_sync = 1, disable_timing = 2, interprocess = 4 };

CUresult record_event(const char* name, CUevent event, CUstream stream, unsigned flags) {
  return call_for_work(name, stream, [&](Gpu& gpu, Stream& found) {
    if (flags > 1) return Error::invalid_value;  // 1: a node of its own in a graph
    Event* const known = gpu.streams.find_event(event);
    return known == nullptr ? Error::invalid_resource_handle : gpu.streams.record(*known, found);
  });
}

CUresult elapsed_time(const char* name, float* milliseconds, CUevent from, CUevent to) {
  return call_on_event(name, from, [&](Gpu& gpu, Event& first) {
    const Event* const last = gpu.streams.find_event(to);
    if (last == nullptr) return Error::invalid_resource_handle;
    return milliseconds == nullptr ? Error::invalid_value : gpu.streams.elapsed(first, *last, *milliseconds);
  });
}

}  // namespace

extern "C" {

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return call_in_context("cuEventCreate", [&](Gpu& gpu) {
    if (event == nullptr || flags > (blocking_sync | disable_timing | interprocess)) return Error::invalid_value;
    if ((flags & interprocess) != 0) return not_supported(gpu, "cuEventCreate for other processes");
    *event = gpu.streams.create_event(flags);
    return Error::success;
  });
}

CUresult cuEventDestroy_v2(CUevent event) {
  return call_on_event("cuEventDestroy_v2", event,
                       [](Gpu& gpu, Event& found) { return gpu.streams.destroy_event(&found); });
}
[[gnu::alias("cuEventDestroy_v2")]] CUresult cuEventDestroy(CUevent event);

CUresult cuEventRecord(CUevent event, CUstream stream) { return record_event("cuEventRecord", event, stream, 0); }
CUresult cuEventRecord_ptsz(CUevent event, CUstream stream) {
  return record_event("cuEventRecord", event, per_thread(stream), 0);
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return record_event("cuEventRecordWithFlags", event, stream, flags);
}
CUresult cuEventRecordWithFlags_ptsz(CUevent event, CUstream stream, unsigned flags) {
  return record_event("cuEventRecordWithFlags", event, per_thread(stream), flags);
}

CUresult cuEventQuery(CUevent event) {
  return call_on_event("cuEventQuery", event, [](Gpu& gpu, Event& found) { return gpu.query(found); });
}

CUresult cuEventSynchronize(CUevent event) {
  return call_on_event("cuEventSynchronize", event, [](Gpu& gpu, Event& found) { return gpu.synchronize(found); });
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent from, CUevent to) {
  return elapsed_time("cuEventElapsedTime", milliseconds, from, to);
}
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent from, CUevent to) {
  return elapsed_time("cuEventElapsedTime_v2", milliseconds, from, to);
}

CUresult cuCtxRecordEvent(CUcontext, CUevent) { return refuse("cuCtxRecordEvent"); }
CUresult cuCtxWaitEvent(CUcontext, CUevent) { return refuse("cuCtxWaitEvent"); }

}  // extern "C"
}  // namespace warpwalk::simulated
