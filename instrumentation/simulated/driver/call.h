#pragma once

// This folder is CUDA's driver API, libcuda.so.1, on the simulated GPU: one file per topic.

#include <functional>

#include "instrumentation/simulated/driver/abi.h"
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {

/// Calls the body of a function that needs no context, only cuInit before it. Every function of this folder that can
/// fail goes through here.
CUresult call_after_init(const char* name, const std::function<Error(Gpu&)>& body);
/// The same for a function that needs a current context.
CUresult call_in_context(const char* name, const std::function<Error(Gpu&)>& body);
/// The same for a function that gets a stream, which is looked up.
CUresult call_on_stream(const char* name, CUstream stream, const std::function<Error(Gpu&, Stream&)>& body);
/// The same for a function that submits work to the stream: in the legacy default stream, that is an error while
/// streams are being captured for which it would wait.
CUresult call_for_work(const char* name, CUstream stream, const std::function<Error(Gpu&, Stream&)>& body);
/// The same for a function that gets an event.
CUresult call_on_event(const char* name, CUevent event, const std::function<Error(Gpu&, Event&)>& body);

/// Says once that the simulated GPU does not support this.
Error not_supported(Gpu& gpu, const char* what);
/// The same as the whole body of a function.
CUresult refuse(const char* name);

/// The default stream of all threads, and that of the calling thread.
inline CUstream legacy_stream() { return nullptr; }
inline CUstream own_stream() { return reinterpret_cast<CUstream>(std::uintptr_t{2}); }
/// The stream that a function compiled for per-thread default streams (_ptsz) means.
inline CUstream per_thread(CUstream stream) { return stream == nullptr ? own_stream() : stream; }

/// cuInit has been called, or the runtime has done the same.
bool is_initialized();
void initialize();

/// Error of the number of a device: there is one.
inline Error check_device(CUdevice device) { return device == 0 ? Error::success : Error::invalid_device; }

}  // namespace warpwalk::simulated
