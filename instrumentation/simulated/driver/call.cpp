#include "instrumentation/simulated/driver/call.h"

#include <atomic>

#include <fmt/format.h>

#include "instrumentation/simulated/driver/context.h"

namespace warpwalk::simulated {
namespace {

std::atomic<bool>& init_was_called() {
  static std::atomic<bool> called = false;
  return called;
}

/// The engine reports some errors by numbers that only the runtime has. The driver returns one number for all of them.
Error driver_error(Error error) {
  switch (error) {
    case Error::invalid_configuration:
    case Error::invalid_pitch_value:
    case Error::invalid_symbol:
    case Error::invalid_host_pointer:
    case Error::invalid_device_pointer:
    case Error::invalid_texture:
    case Error::invalid_channel_descriptor:
    case Error::invalid_memcpy_direction:
    case Error::missing_configuration: return Error::invalid_value;
    case Error::invalid_device_function: return Error::invalid_resource_handle;
    default: return error;
  }
}

}  // namespace

bool is_initialized() { return init_was_called() || runtime_is_used; }

void initialize() { init_was_called() = true; }

CUresult call_after_init(const char* name, const std::function<Error(Gpu&)>& body) {
  if (!is_initialized()) return Error::not_initialized;
  return api_call(Api::driver, name, [&](Gpu& gpu) { return driver_error(body(gpu)); });
}

CUresult call_in_context(const char* name, const std::function<Error(Gpu&)>& body) {
  return call_after_init(name, [&](Gpu& gpu) {
    const Error missing = check_current_context();
    return missing == Error::success ? body(gpu) : missing;
  });
}

CUresult call_on_stream(const char* name, CUstream stream, const std::function<Error(Gpu&, Stream&)>& body) {
  return call_in_context(name, [&](Gpu& gpu) {
    Stream* const found = gpu.streams.find(stream);
    return found == nullptr ? Error::invalid_resource_handle : body(gpu, *found);
  });
}

CUresult call_for_work(const char* name, CUstream stream, const std::function<Error(Gpu&, Stream&)>& body) {
  return call_on_stream(name, stream, [&](Gpu& gpu, Stream& found) {
    const Error implicit = gpu.graphs.check_implicit(found);
    return implicit == Error::success ? body(gpu, found) : implicit;
  });
}

CUresult call_on_event(const char* name, CUevent event, const std::function<Error(Gpu&, Event&)>& body) {
  return call_in_context(name, [&](Gpu& gpu) {
    Event* const found = gpu.streams.find_event(event);
    return found == nullptr ? Error::invalid_resource_handle : body(gpu, *found);
  });
}

Error not_supported(Gpu& gpu, const char* what) {
  gpu.tell(fmt::format("{}: not supported by the simulated GPU", what));
  return Error::not_supported;
}

CUresult refuse(const char* name) {
  return call_after_init(name, [&](Gpu& gpu) { return not_supported(gpu, name); });
}

}  // namespace warpwalk::simulated
