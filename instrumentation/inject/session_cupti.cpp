// The part of Session about CUPTI: what it is to record, and its calls.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>
#include <string>

#include "instrumentation/inject/current_session.h"
#include "instrumentation/inject/nvtx_tool.h"
#include "instrumentation/inject/session.h"
#include "instrumentation/recording_names.h"

namespace warpwalk::instrumentation {
namespace {

constexpr std::uint32_t cbid_limit = 2048;

}  // namespace

void Session::start_gpu() {
  if (gpu_.exchange(true)) return;
  LoadedCupti loaded = load_cupti(&on_call);
  cupti_ = loaded.functions;
  subscriber_ = loaded.subscriber;
  const bool good = loaded.error.empty();
  if (!begin_file(good ? cupti_.version() : 0)) return;
  if (!good) {
    record_error(loaded.result, true, loaded.error);
    file_.close(End{now_ns(), 0});
    ended_ = true;
    return;
  }
  prepare_inside();
  enable();
  flush_regularly();
}

std::string Session::enable() {
  set_device_buffer_limit();
  std::string error = enable_kinds();
  enable_module_callback();
  enable_launch_callbacks();
  file_.flush();
  return error;
}

// Called by CUPTI on the program's own thread.
void Session::on_call(void*, std::uint32_t domain, std::uint32_t cbid, const void* data) {
  const UsedSession session;
  if (!session) return;
  if (domain == cupti::domain_driver) session->launch(*static_cast<const cupti::CallbackData*>(data));
  if (domain != cupti::domain_resource || cbid != cupti::module_loaded) return;
  const auto* const resource = static_cast<const cupti::ResourceData*>(data);
  if (resource->descriptor != nullptr)
    session->load_module(*static_cast<const cupti::ModuleData*>(resource->descriptor));
}

// CUPTI gets a buffer even if the recording has just ended: before CUDA 12.9, it crashes without one
// (https://github.com/pytorch/kineto, kCuptiBufferRejectionMinVersion).
void Session::on_buffer_requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* max_records) {
  *max_records = 0;
  *buffer = activity_buffers().take();
  *bytes = *buffer != nullptr ? BufferPool::buffer_bytes : 0;
}

void Session::on_buffer_completed(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
                                  std::size_t valid_bytes) {
  if (const UsedSession session; session) session->read_buffer(context, stream, buffer, valid_bytes);
  if (buffer != nullptr) activity_buffers().give_back(buffer);
}

void Session::read_buffer(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t valid_bytes) {
  if (buffer != nullptr && valid_bytes > 0 && !ended_) {
    LossRow loss;
    void* record = nullptr;
    while (cupti_.get_next_record(buffer, valid_bytes, &record) == cupti::success) {
      if (!decode_activity(record, *this, file_)) ++loss.unknown;
      const auto* const api = static_cast<const cupti::Api*>(record);
      if (api->kind == cupti::kind_runtime || api->kind == cupti::kind_driver) record_thread_name(api->thread);
    }
    std::size_t dropped = 0;
    if (cupti_.get_dropped(context, stream, &dropped) == cupti::success) loss.dropped = dropped;
    if (loss.dropped > 0 || loss.unknown > 0) file_.add(loss);
  }
  if (valid_bytes > BufferPool::buffer_bytes / 2) full_buffer_seen_ = true;
}

// Must run before CUDA creates a context, because a context keeps the limit it was created with.
void Session::set_device_buffer_limit() {
  const char* const kernels = std::getenv(timed_kernels_variable);
  if (kernels == nullptr || *kernels == '\0') return;
  if (late_) return record_error(0, false, "--timed-kernels has no effect: CUDA had started before the recording");
  std::size_t buffers = std::strtoull(kernels, nullptr, 10) / timed_kernels_per_buffer + 1;
  std::size_t bytes = sizeof buffers, usual = 0;
  if (cupti_.get_attribute == nullptr ||
      cupti_.get_attribute(cupti::attribute_device_buffers, &bytes, &usual) != cupti::success)
    usual = default_device_buffers;
  buffers = std::max(buffers, usual);
  bytes = sizeof buffers;
  const int result = cupti_.set_attribute == nullptr
                         ? int{cupti::not_initialized}
                         : cupti_.set_attribute(cupti::attribute_device_buffers, &bytes, &buffers);
  if (result != cupti::success)
    record_error(result, false, "--timed-kernels has no effect: " + cupti_.error_text(result));
  else
    usual_device_buffers_ = usual;
}

std::string Session::enable_kinds() {
  const auto check = [&](int result, const char* what) {
    if (result != cupti::success) record_error(result, false, std::string(what) + ": " + cupti_.error_text(result));
    return result == cupti::success;
  };
  if (cupti_.enable_latency_timestamps != nullptr)
    check(cupti_.enable_latency_timestamps(1), "queue and submit times of kernels are not recorded");
  check(cupti_.set_thread_id_type(cupti::system_thread_ids), "thread IDs are CUPTI's instead of the system's");
  if (const int registered = cupti_.register_callbacks(&on_buffer_requested, &on_buffer_completed);
      registered != cupti::success) {
    record_error(registered, true, cupti_.error_text(registered));
    return cupti_.error_text(registered);
  }
  struct Wanted {
    cupti::Kind kind;
    const char* without;
  };
  std::string error;
  for (const auto& [kind, without] : {
           Wanted{cupti::kind_device, "device properties are not recorded"},
           Wanted{cupti::kind_context, "contexts are not recorded"},
           Wanted{cupti::kind_stream, "stream priorities are not recorded"},
           Wanted{cupti::kind_concurrent_kernel, "kernels are not recorded"},
           Wanted{cupti::kind_memcpy, "copies are not recorded"},
           Wanted{cupti::kind_memcpy_peer, "copies between devices are not recorded"},
           Wanted{cupti::kind_memset, "memsets are not recorded"},
           Wanted{cupti::kind_runtime, "CUDA runtime calls are not recorded"},
           Wanted{cupti::kind_driver, "CUDA driver calls are not recorded"},
           Wanted{cupti::kind_synchronization, "synchronizations are not recorded"},
           Wanted{cupti::kind_cuda_event, "the events that streams wait for are not recorded"},
           Wanted{cupti::kind_overhead, "overhead is not recorded"},
           Wanted{cupti::kind_external_correlation, "external correlation is not recorded"},
           Wanted{cupti::kind_memory, "memory operations are not recorded"},
           Wanted{cupti::kind_memory_pool, "memory pools are not recorded"},
       }) {
    // CUPTI reports a device, context or stream when CUDA creates it. It reports those that exist only if asked to.
    const bool exists = kind == cupti::kind_device || kind == cupti::kind_context || kind == cupti::kind_stream;
    const int result =
        late_ && exists && cupti_.enable_and_dump != nullptr ? cupti_.enable_and_dump(kind) : cupti_.enable(kind);
    if (kind == cupti::kind_concurrent_kernel && result != cupti::success) {
      error = cupti_.error_text(result);
      record_error(result, true, error);
      continue;
    }
    if (check(result, without)) kinds_.push_back(kind);
  }
  if (!kinds_.empty()) disable_frequent_calls();
  return error;
}

// Disables the recording of calls that only query state or that the compiler and runtime add to each launch. These are
// four of the five calls around a launch. The recorder of launches asks cuStreamIsCapturing itself, inside the launch
// call, whose correlation it would share.
void Session::disable_frequent_calls() {
  constexpr std::string_view chatter[] = {"__cudaPushCallConfiguration",
                                          "__cudaPopCallConfiguration",
                                          "cudaGetLastError",
                                          "cudaPeekAtLastError",
                                          "cudaGetDevice",
                                          "cudaDeviceGetAttribute",
                                          "cuKernelGetName",
                                          "cuGetProcAddress",
                                          "cuDeviceGetAttribute",
                                          "cuCtxGetCurrent",
                                          "cuCtxGetDevice",
                                          "cuDevicePrimaryCtxGetState",
                                          "cuStreamIsCapturing"};
  const auto leave_out = [&](cupti::Domain domain, int (*enable)(std::uint32_t, std::uint8_t)) {
    if (enable == nullptr) return;
    for (std::uint32_t cbid = 1; cbid < cbid_limit; ++cbid) {
      // The name includes a version suffix: cudaGetDevice_v3020.
      const std::string_view call = name(domain, cbid);
      const std::string_view plain = call.substr(0, call.find("_v", 2));
      if (std::find(std::begin(chatter), std::end(chatter), plain) != std::end(chatter)) enable(cbid, 0);
    }
  };
  leave_out(cupti::domain_runtime, cupti_.enable_runtime_api);
  leave_out(cupti::domain_driver, cupti_.enable_driver_api);
}

std::string_view Session::name(std::uint32_t domain, std::uint32_t cbid) {
  const std::uint64_t key = (std::uint64_t{domain} << 32) | cbid;
  {
    const std::lock_guard lock(names_mutex_);
    if (const auto found = call_names_.find(key); found != call_names_.end()) return found->second;
  }
  const char* text = nullptr;
  if (cupti_.get_callback_name(domain, cbid, &text) != cupti::success || text == nullptr) text = "";
  const std::lock_guard lock(names_mutex_);
  return call_names_.try_emplace(key, text).first->second;
}

// On failure, everything except the machine code is still recorded.
void Session::enable_module_callback() {
  if (const char* const wanted = std::getenv(code_variable); wanted == nullptr || *wanted == '\0') return;
  constexpr std::string_view without = "the machine code of kernels is not recorded";
  if (cupti_.enable_callback == nullptr) return record_error(0, false, without);
  const int result = cupti_.enable_callback(1, subscriber_, cupti::domain_resource, cupti::module_loaded);
  if (result == cupti::success)
    file_.add(CodeBegin{});
  else
    record_error(result, false, std::string(without) + ": " + cupti_.error_text(result));
}

// Called by CUPTI on the program's own thread; no exception may escape.
void Session::load_module(const cupti::ModuleData& module) try {
  if (!gpu_ || ended_ || module.cubin == nullptr) return;
  cubins_.add({module.cubin, module.bytes});
  if (inside_ != nullptr) inside_->load_module({module.cubin, module.bytes});
} catch (const std::bad_alloc&) {
  record_error(0, false, "some of the machine code is not recorded: out of memory");
}

void Session::prepare_inside() {
  const char* const patterns = std::getenv(inside_variable);
  if (patterns == nullptr || *patterns == '\0') return;
  if (cupti_.enable_callback == nullptr)
    return record_error(0, false, "no launch is recorded inside: CUPTI is too old");
  const char* const limit = std::getenv(inside_limit_variable);
  const std::uint64_t bytes = limit == nullptr ? 0 : std::strtoull(limit, nullptr, 10);
  // The code of the chosen kernels is needed, and which modules hold it is not known when they are loaded.
  constexpr std::uint64_t max_code_bytes = std::uint64_t{2} << 30;
  cubins_.set_limit(max_code_bytes);
  inside_ = std::make_unique<InsideRecorder>(
      InsideHost{
          .to = file_, .now = now_ns, .session = number_, .max_bytes = bytes, .late = late_, .open_ops = open_ops},
      split_patterns(patterns));
  follows_ops_ = true;
}

void Session::enable_launch_callbacks() {
  if (inside_ == nullptr) return;
  constexpr std::string_view launches[] = {"cuLaunchKernel",
                                           "cuLaunchKernel_ptsz",
                                           "cuLaunchKernelEx",
                                           "cuLaunchKernelEx_ptsz",
                                           "cuLaunchCooperativeKernel",
                                           "cuLaunchCooperativeKernel_ptsz",
                                           "cuGraphLaunch",
                                           "cuGraphLaunch_ptsz",
                                           "cuGraphInstantiate_v2",
                                           "cuGraphInstantiateWithFlags",
                                           "cuGraphInstantiateWithParams",
                                           "cuGraphInstantiateWithParams_ptsz",
                                           "cuGraphExecDestroy"};
  // The list is complete before the first call comes, which may be on another thread.
  for (std::uint32_t cbid = 1; cbid < cbid_limit; ++cbid)
    if (std::ranges::find(launches, name(cupti::domain_driver, cbid)) != std::end(launches))
      launch_calls_.push_back(cbid);
  bool any = false;
  for (const std::uint32_t cbid : launch_calls_)
    any = cupti_.enable_callback(1, subscriber_, cupti::domain_driver, cbid) == cupti::success || any;
  if (!any) record_error(0, false, "no launch is recorded inside: CUPTI does not report launches");
}

// Called by CUPTI on the program's own thread; no exception may escape.
void Session::launch(const cupti::CallbackData& call) try {
  if (inside_ == nullptr || ended_) return;
  const bool enters = call.site == cupti::call_enters;
  const std::string_view function = call.function == nullptr ? "" : call.function;
  if (function.starts_with("cuGraph")) {
    if (call.parameters == nullptr) return;
    if (enters && function.starts_with("cuGraphLaunch")) return inside_->enter_graph_launch(call);
    if (enters && function.starts_with("cuGraphExecDestroy")) return inside_->enter_graph_destroy(call);
    if (!enters && function.starts_with("cuGraphInstantiate")) return inside_->exit_instantiate(call);
    return;
  }
  if (enters) {
    inside_->enter_launch(call);
    return;
  }
  inside_->exit_launch(call);
  if (inside_->wants_more() || launch_calls_.empty()) return;
  // Nothing more to choose: launches cost nothing from here on.
  for (const std::uint32_t cbid : launch_calls_) cupti_.enable_callback(0, subscriber_, cupti::domain_driver, cbid);
} catch (const std::bad_alloc&) {
  record_error(0, false, "a launch is not recorded inside: out of memory");
}

void Session::flush_everything() {
  cupti_.flush_all(0);
  // Work that is still running is delivered without an end time.
  cupti_.flush_all(cupti::flush_forced);
  // Records dropped since the last buffer.
  std::size_t dropped = 0;
  if (cupti_.get_dropped(nullptr, 0, &dropped) == cupti::success && dropped > 0) file_.add(LossRow{dropped, 0, 0});
}

void Session::disable_callbacks() {
  if (cupti_.enable_callback == nullptr) return;
  cupti_.enable_callback(0, subscriber_, cupti::domain_resource, cupti::module_loaded);
  for (const std::uint32_t cbid : launch_calls_) cupti_.enable_callback(0, subscriber_, cupti::domain_driver, cbid);
}

void Session::disable_kinds() {
  for (const cupti::Kind kind : kinds_) cupti_.disable(kind);
}

// The next client of CUPTI finds the settings that it would find without a recording. Kineto expects threads as CUPTI
// numbers them by default.
void Session::leave_cupti() {
  if (subscriber_ == nullptr) return;
  cupti_.set_thread_id_type(cupti::default_thread_ids);
  if (cupti_.enable_latency_timestamps != nullptr) cupti_.enable_latency_timestamps(0);
  if (std::size_t bytes = sizeof usual_device_buffers_; usual_device_buffers_ != 0)
    cupti_.set_attribute(cupti::attribute_device_buffers, &bytes, &usual_device_buffers_);
  cupti_.unsubscribe(subscriber_);
}

}  // namespace warpwalk::instrumentation
