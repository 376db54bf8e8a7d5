// The frame of CUDA's functions: records calls, passes on the sticky error.
#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {
namespace {

/// How deep this thread is in CUDA's functions: a function that calls another one is recorded alone.
int& depth_of_calls() {
  thread_local int depth = 0;
  return depth;
}

/// Calls that a recording of a GPU does not have: CUPTI or its recorder leaves them out, because they only ask or
/// accompany every launch (docs/record.md).
bool is_left_out(std::string_view name) {
  static constexpr std::string_view names[] = {"cudaGetLastError",
                                               "cudaPeekAtLastError",
                                               "cudaGetDevice",
                                               "cudaDeviceGetAttribute",
                                               "cuDeviceGetAttribute",
                                               "cuGetProcAddress",
                                               "cuGetProcAddress_v2",
                                               "cuKernelGetName",
                                               "cuCtxGetCurrent",
                                               "cuCtxGetDevice",
                                               "cuDevicePrimaryCtxGetState",
                                               "cuStreamIsCapturing",
                                               "__cudaPushCallConfiguration",
                                               "__cudaPopCallConfiguration",
                                               "cudaRuntimeGetVersion",
                                               "__cudaInitModule",
                                               "__cudaGetKernel"};
  return std::ranges::find(names, name) != std::end(names);
}

/// Calls that work after an error of a kernel.
bool survives_errors(std::string_view name) { return is_left_out(name) || name == "cudaStreamIsCapturing"; }

/// Records a call of the program, from its construction to its destruction. Nested calls are not recorded.
class CallRecord {
 public:
  CallRecord(Gpu& gpu, Api api, const char* name)
      : gpu_(gpu),
        api_(api),
        name_(name),
        recording_(depth_of_calls() == 0 && !is_left_out(name) ? gpu.recorder.number() : 0) {
    ++depth_of_calls();
    if (recording_ == 0) return;
    start_ = gpu.clock.now();
    Recorder::correlation() = gpu.recorder.new_correlation();
    Recorder::call_is_async() = std::string_view(name).find("Async") != std::string_view::npos;
  }
  ~CallRecord() {
    --depth_of_calls();
    if (recording_ == 0) return;
    const std::uint32_t correlation = std::exchange(Recorder::correlation(), 0);
    const Recorder::Use use(gpu_.recorder, recording_);
    if (!use) return;
    instrumentation::CallRow row;
    row.start = static_cast<std::uint64_t>(start_), row.end = static_cast<std::uint64_t>(gpu_.clock.now());
    row.driver = api_ == Api::driver ? 1 : 0;
    row.name = gpu_.recorder.name(name_);
    row.thread = Recorder::thread();
    row.correlation = correlation;
    row.result = static_cast<std::uint32_t>(result);
    gpu_.recorder.add(row);
  }
  CallRecord(const CallRecord&) = delete;
  CallRecord& operator=(const CallRecord&) = delete;

  Error result = Error::success;

 private:
  Gpu& gpu_;
  Api api_;
  const char* name_;
  std::uint32_t recording_;  ///< 0: the call is not recorded
  std::int64_t start_ = 0;
};

}  // namespace

Error api_call(Api api, const char* name, const std::function<Error(Gpu&)>& body) {
  Gpu& gpu = Gpu::the();
  if (api == Api::runtime) runtime_is_used = true;
  CallRecord call(gpu, api, name);
  const bool checked = depth_of_calls() == 1 && gpu.checks != nullptr && !is_left_out(name);
  if (checked) {
    call_sites::add_own_library(reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
    gpu.checks->begin_call();
    call_sites::current() = {call_sites::number_of(name, call_sites::frames_here()), Recorder::correlation()};
  }
  call.result = gpu.queue.error();
  try {
    if (call.result == Error::success || survives_errors(name)) call.result = body(gpu);
  } catch (const std::bad_alloc&) {
    call.result = Error::out_of_memory;
  } catch (const std::exception& problem) {
    gpu.tell(fmt::format("{}: {}", name, problem.what()));
    call.result = Error::unknown;
  }
  if (checked) {
    // The errors of kernels have findings of their own.
    const bool failed =
        call.result != Error::success && call.result != Error::not_ready && gpu.queue.error() == Error::success;
    if (api == Api::runtime && failed) gpu.checks->failed(name, static_cast<int>(call.result));
    call_sites::current() = {};
  }
  return call.result;
}

Error description_call(Api api, const char* name, const std::function<Error()>& body) {
  Gpu* gpu = Gpu::if_made();
  // With CUPTI, the recording begins at the runtime's first call, whatever it is.
  if (gpu == nullptr && api == Api::runtime && Recorder::is_wanted()) gpu = &Gpu::the();
  if (gpu == nullptr) return body();
  CallRecord call(*gpu, api, name);
  call.result = body();
  return call.result;
}

}  // namespace warpwalk::simulated
