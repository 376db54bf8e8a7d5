#pragma once

#include <functional>

#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {

/// The body of one of the runtime's functions, run by api_call(). Its error becomes the thread's last error.
Error runtime_call(const char* name, const std::function<Error(Gpu&)>& body);

/// Remembers an error for cudaGetLastError. Returns it.
Error remember(Error error);

/// For a function that the simulated GPU does not have: says so once on stderr.
Error not_supported(Gpu& gpu, const char* name);
Error unsupported_call(const char* name);

/// Runs `body` with the stream or event of a handle, or returns invalid_resource_handle.
Error with_stream(Gpu& gpu, const void* handle, const std::function<Error(Stream&)>& body);
Error with_event(Gpu& gpu, const void* handle, const std::function<Error(Event&)>& body);

/// Success for the one device that there is, else invalid_device.
inline Error check_device(int device) { return device == 0 ? Error::success : Error::invalid_device; }

}  // namespace warpwalk::simulated
