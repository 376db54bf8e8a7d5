#include <atomic>
#include <string>
#include <utility>

#include "instrumentation/simulated/runtime/call.h"

namespace warpwalk::simulated {
namespace {

std::atomic<bool> any_call_failed = false;

/// With the sanitizer: the program looks at its errors.
void note_asked() {
  if (!any_call_failed) return;
  if (Gpu& gpu = Gpu::the(); gpu.checks != nullptr) gpu.checks->asked();
}

Error& last_error() {
  thread_local Error error = Error::success;
  return error;
}

const char* describe(const char* call, int error, const char* (*find)(int)) {
  const char* text = nullptr;
  description_call(Api::runtime, call, [&] {
    text = find(error);
    return Error::success;
  });
  return text == nullptr ? "unrecognized error code" : text;
}

}  // namespace

Error remember(Error error) {
  // cudaGetLastError does not report that something is not done yet ("Error Checking" in the CUDA programming guide).
  if (error != Error::success && error != Error::not_ready) last_error() = error, any_call_failed = true;
  return error;
}

Error runtime_call(const char* name, const std::function<Error(Gpu&)>& body) {
  return remember(api_call(Api::runtime, name, body));
}

Error not_supported(Gpu& gpu, const char* name) {
  gpu.tell(std::string(name) + " is not supported by the simulated GPU");
  return Error::not_supported;
}

Error unsupported_call(const char* name) {
  return runtime_call(name, [&](Gpu& gpu) { return not_supported(gpu, name); });
}

Error with_stream(Gpu& gpu, const void* handle, const std::function<Error(Stream&)>& body) {
  Stream* const stream = gpu.streams.find(handle);
  return stream == nullptr ? Error::invalid_resource_handle : body(*stream);
}

Error with_event(Gpu& gpu, const void* handle, const std::function<Error(Event&)>& body) {
  Event* const event = gpu.streams.find_event(handle);
  return event == nullptr ? Error::invalid_resource_handle : body(*event);
}

extern "C" {

Error cudaGetLastError() {
  Error error = Error::success;
  api_call(Api::runtime, "cudaGetLastError", [&](Gpu&) {
    error = std::exchange(last_error(), Error::success);
    note_asked();
    return Error::success;
  });
  return error;
}

Error cudaPeekAtLastError() {
  Error error = Error::success;
  api_call(Api::runtime, "cudaPeekAtLastError", [&](Gpu&) {
    error = last_error();
    note_asked();
    return Error::success;
  });
  return error;
}

const char* cudaGetErrorName(int error) {
  if (error != 0) note_asked();
  return describe("cudaGetErrorName", error, runtime_name);
}

const char* cudaGetErrorString(int error) {
  if (error != 0) note_asked();
  return describe("cudaGetErrorString", error, runtime_text);
}

}  // extern "C"

}  // namespace warpwalk::simulated
