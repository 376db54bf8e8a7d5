#include "instrumentation/simulated/engine/gpu.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include "core/gpu/device/device_file.h"
#include "instrumentation/recording_names.h"
#include "instrumentation/simulated/engine/fat_binary.h"

namespace warpwalk::simulated {
namespace {

/// CUPTI's numbers for kinds of waits (CUpti_ActivitySynchronizationType).
enum : std::uint32_t { wait_for_event = 1, stream_waits = 2, wait_for_stream = 3, wait_for_context = 4 };

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

Options options_from_environment() {
  Options options;
  options.device_file = variable("WARPWALK_GPU");
  options.sanitize = variable("WARPWALK_SANITIZE") == "1";
  options.cycles = variable("WARPWALK_CYCLES") == "1";
  options.threads = std::max(1, std::atoi(variable("WARPWALK_THREADS").c_str()));
  options.inside_limit = std::strtoull(variable(instrumentation::inside_limit_variable).c_str(), nullptr, 10);
  return options;
}

/// The description of the GPU. Without one, no CUDA program can run.
gpu::Device load_description(const Options& options) {
  auto device = gpu::load_device(options.device_file);
  if (device) return std::move(*device);
  std::fprintf(stderr, "warpwalk: %s; start the program with: warpwalk record --on sim -- PROGRAM\n",
               device.error().c_str());
  std::_Exit(2);
}

Gpu*& instance() {
  static Gpu* gpu = nullptr;
  return gpu;
}

std::uint64_t program_time() { return static_cast<std::uint64_t>(instance()->clock.now()); }

/// How deep this thread is in CUDA's functions: a function that calls another one is recorded alone.
int& depth_of_calls() {
  thread_local int depth = 0;
  return depth;
}

/// Calls that CUPTI's recorder leaves out, because they only ask or accompany every launch (docs/record.md).
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
                                               "cudaStreamIsCapturing",
                                               "__cudaGetKernel"};
  return std::ranges::find(names, name) != std::end(names);
}

}  // namespace

Gpu::Gpu(Options given, gpu::Device description)
    : options(std::move(given)),
      device(std::move(description)),
      memory(device.memory_bytes ? static_cast<std::uint64_t>(*device.memory_bytes) : std::uint64_t{16} << 30,
             options.sanitize),
      queue(clock, options.sanitize),
      streams(queue, clock),
      textures(memory),
      checks(options.sanitize ? std::make_unique<Checks>(*this) : nullptr) {
  if (checks == nullptr) return;
  memory.on_free = [this](const Allocation& allocation) { checks->host_access.forget(allocation); };
  queue.on_wait = [this](const Order& done) { checks->host_access.release(done); };
}

Gpu& Gpu::the() {
  static std::once_flag once;
  std::call_once(once, [] {
    Options options = options_from_environment();
    gpu::Device device = load_description(options);
    instance() = new Gpu(std::move(options), std::move(device));
    pthread_atfork(nullptr, nullptr, [] { instance()->queue.abandon_in_child(); });
  });
  Gpu& gpu = *instance();
  static std::once_flag recorded;
  std::call_once(recorded, [&] {
    gpu.start_recording();
    on_exit([](int status, void*) { instance()->end(status); }, nullptr);  // before the recording ends
    call_sites::prepare();
    install_fault_handler();  // after the recorder's
  });
  return gpu;
}

void Gpu::start_recording() {
  recorder.start(&program_time, device.name);
  if (!recorder.on()) return;
  instrumentation::DeviceRow row;
  row.name = recorder.name(device.name);
  const std::string& capability = *device.compute_capability;
  row.compute_major = static_cast<std::uint32_t>(std::atoi(capability.c_str()));
  row.compute_minor = static_cast<std::uint32_t>(std::atoi(capability.c_str() + capability.find('.') + 1));
  row.sms = static_cast<std::uint32_t>(*device.sm_count);
  row.warp_size = static_cast<std::uint32_t>(*device.threads_per_warp);
  row.max_warps_per_sm = static_cast<std::uint32_t>(*device.warps_per_sm);
  row.max_threads_per_block = static_cast<std::uint32_t>(*device.threads_per_block);
  row.registers_per_sm = static_cast<std::uint32_t>(*device.registers_per_sm);
  row.registers_per_block = static_cast<std::uint32_t>(*device.registers_per_block);
  row.shared_per_sm = static_cast<std::uint32_t>(*device.shared_per_sm);
  row.shared_per_block = static_cast<std::uint32_t>(*device.shared_per_block);
  row.memory_bytes = memory.capacity();
  recorder.add(row);
  recorder.add(instrumentation::ContextRow{1, 0, legacy_stream_id});
  streams.on_create = [this](const Stream& stream) {
    recorder.add(instrumentation::StreamRow{1, stream.id, stream.priority});
  };
  streams.on_record = [this](const Event& event, const Stream& stream) {
    recorder.add(instrumentation::EventRecordRow{1, stream.id, event.id, Recorder::correlation()});
  };
  streams.on_wait = [this](const Event& event, const Stream& stream) {
    record_wait(stream_waits, clock.now(), stream.id, event.id);
  };
  memory.on_change = [this](const Allocation& allocation, bool freed) { record_memory(allocation, freed); };
}

void Gpu::record_memory(const Allocation& allocation, bool freed) {
  std::uint32_t kind = 0;
  switch (allocation.kind) {
    case MemoryKind::device: kind = memory_device; break;
    case MemoryKind::managed: kind = memory_managed; break;
    case MemoryKind::pinned: kind = memory_pinned; break;
    case MemoryKind::array: kind = memory_array; break;
    default: return;
  }
  instrumentation::MemoryRow row;
  row.time = static_cast<std::uint64_t>(clock.now());
  row.address = allocation.address, row.bytes = allocation.bytes;
  row.operation = freed ? 2 : 1;
  row.kind = kind, row.context = 1, row.stream = instrumentation::no_id;
  row.correlation = Recorder::correlation();
  recorder.add(row);
}

/// At the program's end: what it has launched runs to its end, as a GPU would have run it in less time than this takes.
void Gpu::end(int exit_status) {
  queue.wait_all();
  flush_printf();
  if (checks == nullptr) return;
  checks->begin_call();
  checks->report_leaks({});
  checks->report_unasked(exit_status);
}

void Gpu::flush_printf() {
  std::string text;
  {
    const std::lock_guard lock(printed_mutex_);
    text.swap(printed_);
  }
  if (text.empty()) return;
  std::fwrite(text.data(), 1, text.size(), stdout);
}

bool Gpu::tell(const std::string& line) {
  const std::lock_guard lock(told_mutex_);
  if (told_[line]++ > 0) return false;
  std::fprintf(stderr, "warpwalk: %s\n", line.c_str());
  return true;
}

void Gpu::find(const std::string& line, std::uint32_t correlation) {
  if (tell(line)) recorder.add(instrumentation::FindingRow{correlation, line});
}

WorkPtr Gpu::work_of(std::function<void()> function) {
  const auto work = std::make_shared<Work>();
  work->submitted = clock.now();
  work->on_host = true;
  work->run = [this, function = std::move(function)] {
    const auto begin = std::chrono::steady_clock::now();
    function();
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
    return Outcome{took.count()};
  };
  return work;
}

Error Gpu::host_function(std::function<void()> function, Stream& stream) {
  if (const Error wrong = graphs.check_implicit(stream); wrong != Error::success) return wrong;
  streams.submit(stream, work_of(std::move(function)));
  return Error::success;
}

Error Gpu::synchronize(Stream& stream) {
  if (stream.capture != nullptr) {
    stream.capture->invalid = true;
    return Error::stream_capture_unsupported;
  }
  const WorkPtr last = streams.last(stream);
  const std::int64_t from = clock.now();
  queue.wait(last);
  flush_printf();
  record_wait(wait_for_stream, from, stream.id, instrumentation::no_id);
  return queue.error();
}

Error Gpu::synchronize() {
  const std::int64_t from = clock.now();
  queue.wait_all();
  flush_printf();
  record_wait(wait_for_context, from, instrumentation::no_id, instrumentation::no_id);
  return queue.error();
}

Error Gpu::synchronize(Event& event) {
  const std::int64_t from = clock.now();
  queue.wait(event.work);
  flush_printf();
  record_wait(wait_for_event, from, instrumentation::no_id, event.id);
  return queue.error();
}

void Gpu::record_wait(std::uint32_t kind, std::int64_t from, std::uint32_t stream, std::uint32_t event) {
  if (!recorder.on()) return;
  recorder.add(instrumentation::SyncRow{static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(clock.now()), kind,
                                        1, stream, event, Recorder::correlation()});
}

std::unique_ptr<Module> Gpu::load(const void* image, Error& error, std::span<const std::string> managed) {
  auto images = read_code(image);
  if (!images) {
    error = Error::invalid_kernel_image;
    tell(images.error());
    return nullptr;
  }
  std::string why;
  auto module = Module::load(*images, device, memory, error, why, managed);
  if (module == nullptr) tell(why);
  if (module != nullptr && recorder.on() && !module->cubin().empty()) record_code(module->cubin());
  return module;
}

void Gpu::record_code(const std::string& cubin) {
  const std::uint32_t number = ++last_cubin_;
  recorder.add(instrumentation::CubinRow{number, cubin.size(), 1});
  for (std::size_t at = 0; at < cubin.size(); at += recorded_part)
    recorder.add(instrumentation::CubinPart{number, std::string_view(cubin).substr(at, recorded_part)});
}

Error api_call(Api api, const char* name, const std::function<Error(Gpu&)>& body) {
  Gpu& gpu = Gpu::the();
  if (api == Api::runtime) runtime_is_used = true;
  int& depth = depth_of_calls();
  const bool recorded = depth == 0 && gpu.recorder.on() && !is_left_out(name);
  std::int64_t start = 0;
  if (recorded) {
    start = gpu.clock.now();
    Recorder::correlation() = gpu.recorder.new_correlation();
    Recorder::call_is_async() = std::string_view(name).find("Async") != std::string_view::npos;
  }
  const bool checked = depth == 0 && gpu.checks != nullptr && !is_left_out(name);
  if (checked) {
    call_sites::add_own_library(reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
    gpu.checks->begin_call();
    call_sites::current() = {call_sites::number_of(name, call_sites::frames_here()), Recorder::correlation()};
  }
  ++depth;
  Error error = gpu.queue.error();
  try {
    if (error == Error::success || is_left_out(name)) error = body(gpu);
  } catch (const std::bad_alloc&) {
    error = Error::out_of_memory;
  } catch (const std::exception& problem) {
    gpu.tell(fmt::format("{}: {}", name, problem.what()));
    error = Error::unknown;
  }
  --depth;
  if (checked) {
    // The errors of kernels have findings of their own.
    const bool failed = error != Error::success && error != Error::not_ready && gpu.queue.error() == Error::success;
    if (api == Api::runtime && failed) gpu.checks->failed(name, static_cast<int>(error));
    call_sites::current() = {};
  }
  if (recorded) {
    instrumentation::CallRow row;
    row.start = static_cast<std::uint64_t>(start), row.end = static_cast<std::uint64_t>(gpu.clock.now());
    row.driver = api == Api::driver ? 1 : 0;
    row.name = gpu.recorder.name(name);
    row.thread = Recorder::thread();
    row.correlation = Recorder::correlation();
    row.result = static_cast<std::uint32_t>(error);
    gpu.recorder.add(row);
    Recorder::correlation() = 0;
  }
  return error;
}

}  // namespace warpwalk::simulated
