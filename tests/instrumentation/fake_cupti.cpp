// A fake CUPTI for tests. It accepts the recorder's calls like the real one, and delivers records of the launches that
// a program (fake_program.cpp) reports to it. WARPWALK_FAKE_CUPTI selects failures to simulate.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "instrumentation/cupti_abi.h"

namespace {

namespace cupti = warpwalk::instrumentation::cupti;

using Requested = void(std::uint8_t**, std::size_t*, std::size_t*);
using Callback = void(void*, std::uint32_t, std::uint32_t, const void*);
using Completed = void(void*, std::uint32_t, std::uint8_t*, std::size_t, std::size_t);

struct State {
  std::mutex mutex;
  Requested* requested = nullptr;
  Completed* completed = nullptr;
  bool subscribed = false;
  std::set<std::uint32_t> kinds;                            // enabled
  std::set<std::pair<std::uint32_t, std::uint32_t>> calls;  // enabled callbacks, by domain and number
  std::uint32_t thread_ids = 0, latencies = 0;
  int subscriptions = 0;
  bool started = false;  // the program has used CUDA
  std::uint8_t* buffer = nullptr;
  std::size_t bytes = 0, used = 0;
  std::size_t dropped = 0;
  std::uint32_t correlation = 0;
  bool full = false;  // no space left for kernel times
  Callback* callback = nullptr;
  std::atomic<bool> modules = false;  // module load callbacks are enabled
};
State& state() {
  static State* const the_state = new State;
  return *the_state;
}

bool asks_for(const char* what) {
  const char* const value = std::getenv("WARPWALK_FAKE_CUPTI");
  return value != nullptr && std::strcmp(value, what) == 0;
}

std::uint64_t now() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
}

// Records are as large as the real ones, to check that the recorder does not rely on its own struct sizes.
constexpr std::size_t record_bytes = 216;

void put(const void* record, std::size_t bytes) {
  State& s = state();
  if (s.requested == nullptr) return;
  if (s.buffer == nullptr) {
    std::size_t limit = 0;
    s.requested(&s.buffer, &s.bytes, &limit);
    s.used = 0;
  }
  if (s.buffer == nullptr || s.used + record_bytes > s.bytes) {
    ++s.dropped;
    return;
  }
  std::memset(s.buffer + s.used, 0, record_bytes);
  std::memcpy(s.buffer + s.used, record, bytes);
  s.used += record_bytes;
}

constexpr std::uint32_t launch_call = 211, graph_call = 311;  // of the runtime
constexpr std::uint32_t driver_launch_call = 307;

// Calls the client at the begin or end of a launch of the driver, if it has asked for that.
void call_back(std::uint32_t site, std::uint32_t correlation) {
  Callback* callback = nullptr;
  {
    const std::lock_guard lock(state().mutex);
    if (!state().calls.contains({cupti::domain_driver, driver_launch_call})) return;
    callback = state().callback;
  }
  const int result = 0;
  void* const no_parameters[16] = {};
  cupti::CallbackData data{};
  data.site = site, data.function = "cuLaunchKernel", data.symbol = "_Z5scalePffi";
  data.parameters = no_parameters, data.result = &result, data.correlation = correlation;
  callback(nullptr, cupti::domain_driver, driver_launch_call, &data);
}

// Returns the start of the call.
std::uint64_t put_call(std::uint32_t cbid, std::uint32_t thread) {
  cupti::Api call{};
  call.kind = cupti::kind_runtime, call.cbid = cbid, call.start = now(), call.end = now();
  call.thread = thread, call.correlation = ++state().correlation;
  if (state().kinds.contains(cupti::kind_runtime)) put(&call, sizeof call);
  return call.start;
}

// Adds a kernel with the correlation of the last call.
void put_kernel(std::uint64_t start, std::uint32_t graph) {
  cupti::Kernel kernel{};
  kernel.kind = cupti::kind_concurrent_kernel, kernel.start = start, kernel.end = start == 0 ? 0 : start + 500;
  kernel.name = "_Z5scalePffi", kernel.correlation = state().correlation, kernel.context = 1, kernel.stream = 7;
  kernel.graph = graph;
  for (std::int32_t& extent : kernel.grid) extent = 1;
  for (std::int32_t& extent : kernel.block) extent = 1;
  if (state().kinds.contains(cupti::kind_concurrent_kernel)) put(&kernel, sizeof kernel);
}

void add_launch(std::uint32_t thread) {
  const std::lock_guard lock(state().mutex);
  state().started = true;
  const std::uint64_t start = put_call(launch_call, thread);
  put_kernel(state().full ? 0 : start + 2000, 0);
}

void put_device() {
  cupti::Device device{};
  device.kind = cupti::kind_device, device.sms = 4, device.warp_size = 32, device.name = "Test GPU";
  put(&device, sizeof device);
}

}  // namespace

extern "C" {

int cuptiGetVersion(std::uint32_t* version) {
  *version = 130001;
  return 0;
}
int cuptiGetResultString(int result, const char** text) {
  *text = result == 39 ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED" : "CUPTI_ERROR_OTHER";
  return 0;
}
int cuptiSubscribe(void** subscriber, Callback* callback, void*) {
  if (asks_for("fork"))  // as CUDA does while it starts
    if (const pid_t child = fork(); child == 0)
      _exit(0);
    else
      waitpid(child, nullptr, 0);
  if (asks_for("no driver")) return 999;
  const std::lock_guard lock(state().mutex);
  if (asks_for("busy") || state().subscribed) return cupti::multiple_subscribers;
  *subscriber = &state();
  state().subscribed = true;
  ++state().subscriptions;
  state().callback = callback;
  return 0;
}
int cuptiUnsubscribe(void* subscriber) {
  const std::lock_guard lock(state().mutex);
  if (subscriber != &state() || !state().subscribed) return 1;
  state().subscribed = false;
  return 0;
}
int cuptiEnableCallback(std::uint32_t enable, void* subscriber, std::uint32_t domain, std::uint32_t cbid) {
  if (asks_for("no modules") || subscriber != &state()) return cupti::multiple_subscribers;
  const std::lock_guard lock(state().mutex);
  if (enable != 0)
    state().calls.emplace(domain, cbid);
  else
    state().calls.erase({domain, cbid});
  state().modules = state().calls.contains({cupti::domain_resource, cupti::module_loaded});
  return 0;
}
int cuptiActivityRegisterCallbacks(Requested* requested, Completed* completed) {
  const std::lock_guard lock(state().mutex);
  state().requested = requested;
  state().completed = completed;
  return state().subscribed ? 0 : 16;
}
int cuptiActivityEnable(std::uint32_t kind) {
  if (asks_for("no privileges") && kind == cupti::kind_concurrent_kernel) return cupti::insufficient_privileges;
  if (kind == cupti::kind_memory_pool) return 1;  // like an older CUPTI
  const std::lock_guard lock(state().mutex);
  state().kinds.insert(kind);
  // The device is reported when CUDA starts, which is here just after a client that CUDA itself has loaded asks for it.
  if (kind == cupti::kind_device && !state().started) put_device();
  return 0;
}
int cuptiActivityEnableAndDump(std::uint32_t kind) {
  const int result = cuptiActivityEnable(kind);
  const std::lock_guard lock(state().mutex);
  if (kind == cupti::kind_device && state().started) put_device();
  return result;
}
int cuptiActivityDisable(std::uint32_t kind) {
  const std::lock_guard lock(state().mutex);
  state().kinds.erase(kind);
  return 0;
}
int cuptiActivityFlushAll(std::uint32_t) {
  State& s = state();
  std::uint8_t* buffer = nullptr;
  std::size_t bytes = 0, used = 0;
  {
    const std::lock_guard lock(s.mutex);
    buffer = s.buffer, bytes = s.bytes, used = s.used;
    s.buffer = nullptr;
  }
  if (buffer != nullptr) s.completed(nullptr, 0, buffer, bytes, used);
  return 0;
}
int cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid, void** record) {
  auto* const last = static_cast<std::uint8_t*>(*record);
  auto* const next = last == nullptr ? buffer : last + record_bytes;
  if (next + record_bytes > buffer + valid) return cupti::max_limit_reached;
  *record = next;
  return 0;
}
int cuptiActivityGetNumDroppedRecords(void*, std::uint32_t, std::size_t* dropped) {
  const std::lock_guard lock(state().mutex);
  *dropped = state().dropped;
  state().dropped = 0;
  return 0;
}
int cuptiGetCallbackName(std::uint32_t domain, std::uint32_t cbid, const char** name) {
  if (domain == cupti::domain_driver && cbid == driver_launch_call) {
    *name = "cuLaunchKernel";
    return 0;
  }
  if (domain != cupti::domain_runtime || (cbid != launch_call && cbid != graph_call)) return 1;
  *name = cbid == launch_call ? "cudaLaunchKernel_v7000" : "cudaGraphLaunch_v10000";
  return 0;
}
int cuptiActivityGetAttribute(std::uint32_t attribute, std::size_t* bytes, void* value) {
  if (asks_for("no attributes") || attribute != cupti::attribute_device_buffers || *bytes != sizeof(std::size_t))
    return 1;
  *static_cast<std::size_t*>(value) = 270;
  return 0;
}
int cuptiActivitySetAttribute(std::uint32_t attribute, std::size_t* bytes, const void* value) {
  if (asks_for("no attributes")) return 1;
  if (attribute == cupti::attribute_device_buffers && *bytes == sizeof(std::size_t))
    std::fprintf(stderr, "device buffers: %zu\n", *static_cast<const std::size_t*>(value));
  return 0;
}
int cuptiSetThreadIdType(std::uint32_t type) {
  state().thread_ids = type;
  return 0;
}
int cuptiActivityEnableLatencyTimestamps(std::uint8_t enable) {
  state().latencies = enable;
  return 0;
}

/// The state that the last client left: nothing, if it has given CUPTI back.
void fake_report() {
  const std::lock_guard lock(state().mutex);
  std::printf("cupti: %d subscriptions, %s, %zu kinds, %zu callbacks, thread IDs %u, latencies %u, buffer %s\n",
              state().subscriptions, state().subscribed ? "subscribed" : "free", state().kinds.size(),
              state().calls.size(), state().thread_ids, state().latencies, state().buffer == nullptr ? "none" : "held");
  std::fflush(stdout);
}

/// The program loads a module.
void fake_load(const char* cubin, std::size_t bytes) {
  if (!state().modules) return;
  const cupti::ModuleData module = {1, bytes, cubin};
  const cupti::ResourceData data = {nullptr, nullptr, &module};
  state().callback(nullptr, cupti::domain_resource, cupti::module_loaded, &data);
}
/// The program launches a kernel: adds a call and, a little later, its kernel. If the space for times is used
/// up, the kernel is untimed.
void fake_launch(std::uint32_t thread) {
  static std::atomic<std::uint32_t> launches = 0;
  const std::uint32_t launch = ++launches;
  call_back(cupti::call_enters, launch);
  add_launch(thread);
  call_back(cupti::call_exits, launch);
}
/// The program launches a graph: adds a call and its kernels. None if the space for times is used up.
void fake_graph(std::uint32_t thread, std::uint32_t kernels) {
  const std::lock_guard lock(state().mutex);
  const std::uint64_t start = put_call(graph_call, thread);
  for (std::uint32_t k = 0; k < kernels && !state().full; ++k) put_kernel(start + 2000 + 1000 * k, 1);
}
/// No space is left for kernel times, as in the real CUPTI after 16,666,699 kernels.
void fake_full() {
  const std::lock_guard lock(state().mutex);
  state().full = true;
}
/// CUPTI loses this many records.
void fake_drop(std::size_t records) {
  const std::lock_guard lock(state().mutex);
  state().dropped += records;
}
}
