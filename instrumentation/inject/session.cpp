#include "instrumentation/inject/session.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <new>
#include <string>

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "instrumentation/inject/nvtx_tool.h"
#include "instrumentation/inject/recorder_thread.h"
#include "instrumentation/process_rank.h"
#include "instrumentation/recording_names.h"

namespace warpwalk::instrumentation {
namespace {

// The session of the process. It is never destroyed, because CUPTI's threads make calls until the process ends.
struct Process {
  std::atomic<Session*> session = nullptr;
  std::atomic<bool> decided = false;
  std::mutex deciding;
};
Process& process() {
  static Process* const the_process = new Process;
  return *the_process;
}

// Around a fork, the forking thread holds every lock that a call in the child may take: the child has no other thread
// that could release it.
void before_fork() {
  process().deciding.lock();
  nvtx_before_fork();
  if (Session* const session = process().session; session != nullptr) session->file().before_fork();
}

void after_fork() {
  if (Session* const session = process().session; session != nullptr) session->file().after_fork();
  nvtx_after_fork();
  process().deciding.unlock();
}

// A forked child starts over; the parent's session continues only in the parent.
void after_fork_in_child() {
  Session* const of_parent = process().session;
  after_fork();
  if (of_parent != nullptr) of_parent->file().abandon_in_child();
  process().session = nullptr;
  process().decided = false;
}

// Children inherit the handlers, and so do theirs. They are registered when the library is loaded: once per process
// image, and before any thread can be in a call.
[[maybe_unused]] const int fork_handlers = pthread_atfork(&before_fork, &after_fork, &after_fork_in_child);

// Identifies the running kernel of the operating system, across containers.
std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  std::getline(file, text);
  return text;
}

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  while (!text.empty() && text.back() == '\0') text.pop_back();
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

}  // namespace

/// The clock of a program that runs on the simulated GPU; null: measured time.
std::atomic<std::uint64_t (*)()>& simulated_clock() {
  static std::atomic<std::uint64_t (*)()> clock = nullptr;
  return clock;
}

std::uint64_t now_ns() {
  if (const auto clock = simulated_clock().load(std::memory_order_relaxed); clock != nullptr) return clock();
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint32_t thread_id() { return static_cast<std::uint32_t>(syscall(SYS_gettid)); }

Session* Session::current() {
  Process& the_process = process();
  if (the_process.decided.load(std::memory_order_acquire)) return the_process.session.load(std::memory_order_acquire);
  const std::lock_guard lock(the_process.deciding);
  if (!the_process.decided) {
    const char* const output = std::getenv(output_variable);
    if (output != nullptr && *output == '/') the_process.session = new Session(output);
    the_process.decided = true;
  }
  return the_process.session;
}

Session::Session(std::filesystem::path output) : output_(std::move(output)) {}

void Session::record_error(int result, bool fatal, std::string_view what) {
  file_.add(ErrorRow{static_cast<std::uint32_t>(result), fatal ? 1u : 0u, what});
}

void Session::start_gpu() {
  if (gpu_.exchange(true)) return;
  LoadedCupti loaded = load_cupti([](void*, std::uint32_t domain, std::uint32_t cbid, const void* data) {
    Session* const session = current();
    if (session == nullptr) return;
    if (domain == cupti::domain_driver) session->launch(cbid, *static_cast<const cupti::CallbackData*>(data));
    if (domain != cupti::domain_resource || cbid != cupti::module_loaded) return;
    const auto* const resource = static_cast<const cupti::ResourceData*>(data);
    if (resource->descriptor != nullptr)
      session->load_module(*static_cast<const cupti::ModuleData*>(resource->descriptor));
  });
  cupti_ = loaded.functions;
  const bool good = loaded.error.empty();
  if (!begin_file(good ? cupti_.version() : 0)) return;
  if (!good) {
    record_error(loaded.result, true, loaded.error);
    file_.close(End{now_ns(), 0});
    ended_ = true;
    return;
  }
  set_device_buffer_limit();
  enable_kinds();
  start_inside(loaded.subscriber);
  enable_module_callback(loaded.subscriber);
  start_flushing();
}

bool Session::begin_file(std::uint32_t cupti_api) {
  if (!file_.open(output_, getpid())) return false;
  const std::string program = command_line();
  file_.add(Begin{static_cast<std::uint32_t>(getpid()), cupti_api, now_ns(), program});
  if (const auto rank = rank_from_environment()) file_.add(RankRow{rank->rank, rank->world});
  file_.add(ClockRow{boot_id()});
  return true;
}

void Session::start_flushing() {
  file_.flush();
  // The recorder's thread and signal handlers come last: they are not needed if anything before has failed.
  start_recorder_thread([this] { flush(); }, [this](std::uint32_t signal) { end(signal); });
  std::atexit([] {
    if (Session* const session = current(); session != nullptr) session->end(0);
  });
}

RowSink* Session::start_simulated(std::uint64_t (*clock)(), std::string_view device) {
  if (gpu_.exchange(true)) return nullptr;
  simulated_clock() = clock;
  if (!begin_file(0)) return nullptr;
  file_.add(SimulatedRow{device});
  if (const char* const wanted = std::getenv(code_variable); wanted != nullptr && *wanted != '\0')
    file_.add(CodeBegin{});
  start_flushing();
  return &file_;
}

// Must run before CUDA creates a context, because a context keeps the limit it was created with.
void Session::set_device_buffer_limit() {
  const char* const kernels = std::getenv(timed_kernels_variable);
  if (kernels == nullptr || *kernels == '\0') return;
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
}

void Session::enable_kinds() {
  const auto check = [&](int result, const char* what) {
    if (result != cupti::success) record_error(result, false, std::string(what) + ": " + cupti_.error_text(result));
    return result == cupti::success;
  };
  if (cupti_.enable_latency_timestamps != nullptr)
    check(cupti_.enable_latency_timestamps(1), "queue and submit times of kernels are not recorded");
  check(cupti_.set_thread_id_type(cupti::system_thread_ids), "thread IDs are CUPTI's instead of the system's");
  const int registered = cupti_.register_callbacks(
      [](std::uint8_t** buffer, std::size_t* bytes, std::size_t* max_records) {
        *max_records = 0;
        *buffer = nullptr;
        *bytes = 0;
        if (Session* const session = current(); session != nullptr) *buffer = session->buffers_.take();
        if (*buffer != nullptr) *bytes = BufferPool::buffer_bytes;
      },
      [](void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t, std::size_t valid_bytes) {
        if (Session* const session = current(); session != nullptr)
          session->complete_buffer(context, stream, buffer, valid_bytes);
      });
  if (registered != cupti::success) return record_error(registered, true, cupti_.error_text(registered));
  struct Wanted {
    cupti::Kind kind;
    const char* without;
  };
  bool any = false;
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
    const int result = cupti_.enable(kind);
    if (kind == cupti::kind_concurrent_kernel && result != cupti::success) {
      record_error(result, true, cupti_.error_text(result));
      continue;
    }
    any = check(result, without) || any;
  }
  if (any) disable_frequent_calls();
}

// On failure, everything except the machine code is still recorded.
void Session::enable_module_callback(void* subscriber) {
  if (const char* const wanted = std::getenv(code_variable); wanted == nullptr || *wanted == '\0') return;
  constexpr std::string_view without = "the machine code of kernels is not recorded";
  if (cupti_.enable_callback == nullptr) return record_error(0, false, without);
  const int result = cupti_.enable_callback(1, subscriber, cupti::domain_resource, cupti::module_loaded);
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

void Session::start_inside(void* subscriber) {
  const char* const patterns = std::getenv(inside_variable);
  if (patterns == nullptr || *patterns == '\0') return;
  if (cupti_.enable_callback == nullptr)
    return record_error(0, false, "no launch is recorded inside: CUPTI is too old");
  const char* const limit = std::getenv(inside_limit_variable);
  const std::uint64_t bytes = limit == nullptr ? 0 : std::strtoull(limit, nullptr, 10);
  // The code of the chosen kernels is needed, and which modules hold it is not known when they are loaded.
  constexpr std::uint64_t max_code_bytes = std::uint64_t{2} << 30;
  cubins_.set_limit(max_code_bytes);
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
  constexpr std::uint32_t cbid_limit = 2048;
  subscriber_ = subscriber;
  inside_ = std::make_unique<InsideRecorder>(file_, split_patterns(patterns), bytes);
  for (std::uint32_t cbid = 1; cbid < cbid_limit; ++cbid)
    if (std::ranges::find(launches, name(cupti::domain_driver, cbid)) != std::end(launches) &&
        cupti_.enable_callback(1, subscriber, cupti::domain_driver, cbid) == cupti::success)
      launch_calls_.push_back(cbid);
  if (launch_calls_.empty()) record_error(0, false, "no launch is recorded inside: CUPTI does not report launches");
}

// Called by CUPTI on the program's own thread; no exception may escape.
void Session::launch(std::uint32_t, const cupti::CallbackData& call) try {
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
  if (enters) return inside_->enter_launch(call);
  inside_->exit_launch(call);
  if (inside_->wants_more() || launch_calls_.empty()) return;
  // Nothing more to choose: launches cost nothing from here on.
  for (const std::uint32_t cbid : launch_calls_) cupti_.enable_callback(0, subscriber_, cupti::domain_driver, cbid);
} catch (const std::bad_alloc&) {
  record_error(0, false, "a launch is not recorded inside: out of memory");
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
    constexpr std::uint32_t cbid_limit = 2048;
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

void Session::record_thread_name(std::uint32_t thread) {
  {
    const std::lock_guard lock(threads_mutex_);
    if (!threads_.insert(thread).second) return;
  }
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/comm");
  std::string text;
  if (std::getline(file, text) && !text.empty()) file_.add(ThreadRow{thread, text});
}

void Session::complete_buffer(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t valid_bytes) {
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
  if (buffer != nullptr) buffers_.give_back(buffer);
}

void Session::flush() {
  const std::lock_guard lock(flushing_);
  if (ended_) return;
  if (cupti_.flush_all == nullptr) return file_.flush();  // on the simulated GPU, or nothing is recorded
  buffers_.refill();
  constexpr int max_skipped_flushes = 9;
  skipped_flushes_ =
      full_buffer_seen_.exchange(false) && skipped_flushes_ < max_skipped_flushes ? skipped_flushes_ + 1 : 0;
  if (skipped_flushes_ == 0) cupti_.flush_all(0);
  file_.flush();
}

void Session::end(std::uint32_t signal) {
  const std::lock_guard lock(flushing_);
  if (ended_ || !gpu_) return;
  if (cupti_.flush_all != nullptr) {
    cupti_.flush_all(0);
    // Work that is still running is delivered without an end time.
    cupti_.flush_all(cupti::flush_forced);
    // Records dropped since the last buffer.
    std::size_t dropped = 0;
    if (cupti_.get_dropped(nullptr, 0, &dropped) == cupti::success && dropped > 0) file_.add(LossRow{dropped, 0, 0});
  }
  file_.close(End{now_ns(), signal});
  ended_ = true;
}

}  // namespace warpwalk::instrumentation
