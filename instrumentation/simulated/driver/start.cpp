// cuInit, versions, names of errors, the profiler's range.
#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {
namespace {

Error put_text(const char* text, const char** into) {
  if (into == nullptr) return Error::invalid_value;
  *into = text;
  return text == nullptr ? Error::invalid_value : Error::success;
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned flags) {
  if (flags != 0) return Error::invalid_value;
  return api_call(Api::driver, "cuInit", [](Gpu&) {
    initialize();
    return Error::success;
  });
}

CUresult cuDriverGetVersion(int* version) {
  if (version == nullptr) return Error::invalid_value;
  *version = driver_version;
  return Error::success;
}

CUresult cuGetErrorName(CUresult error, const char** name) {
  return description_call(Api::driver, "cuGetErrorName",
                          [&] { return put_text(driver_name(static_cast<int>(error)), name); });
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  return description_call(Api::driver, "cuGetErrorString",
                          [&] { return put_text(driver_text(static_cast<int>(error)), text); });
}

CUresult cuProfilerStart() {
  return call_in_context("cuProfilerStart", [](Gpu&) { return Error::success; });
}
CUresult cuProfilerStop() {
  return call_in_context("cuProfilerStop", [](Gpu&) { return Error::success; });
}
/// Of CUDA 12, where it does nothing.
CUresult cuProfilerInitialize(const char*, const char*, int) {
  return call_after_init("cuProfilerInitialize", [](Gpu&) { return Error::not_supported; });
}

}  // extern "C"
}  // namespace warpwalk::simulated
