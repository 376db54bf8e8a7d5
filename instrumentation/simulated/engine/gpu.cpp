#include "instrumentation/simulated/engine/gpu.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/gpu/device/device_file.h"
#include "instrumentation/recording_names.h"
#include "instrumentation/simulated/device/fat_binary.h"

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
  options.exact = options.sanitize || variable("WARPWALK_EXACT") == "1";
  if (const double asked = std::strtod(variable("WARPWALK_LARGE_LAUNCH").c_str(), nullptr); asked > 0)
    options.large_launch = asked;
  options.threads = std::max(1, std::atoi(variable("WARPWALK_THREADS").c_str()));
  return options;
}

/// The description of the GPU. Without one, no CUDA program can run.
gpu::Device load_description(const Options& options) {
  std::string reason = "no GPU to simulate is named";
  if (!options.device_file.empty()) {
    auto device = gpu::load_device(options.device_file);
    if (device) return std::move(*device);
    reason = device.error();
  }
  std::fprintf(stderr, "warpwalk: %s; start the program with: warpwalk record --on sim -- PROGRAM\n", reason.c_str());
  std::_Exit(2);
}

/// Ends this process when another one has ended. A program that a script has started is no child of that one.
void end_with(const std::string& process) {
  const int number = std::atoi(process.c_str());
  const int handle = number > 0 ? static_cast<int>(syscall(SYS_pidfd_open, number, 0)) : -1;
  if (handle < 0) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([handle] {
    pollfd ended{handle, POLLIN, 0};
    while (poll(&ended, 1, -1) <= 0) {
    }
    std::_Exit(1);
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Gpu*& instance() {
  static Gpu* gpu = nullptr;
  return gpu;
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
  streams.on_create = [this](const Stream& stream) {
    recorder.add(instrumentation::StreamRow{1, stream.id, stream.priority});
  };
  streams.on_record = [this](const Event& event, const Stream& stream) {
    recorder.add(instrumentation::EventRecordRow{1, stream.id, event.id, Recorder::correlation()});
  };
  memory.on_change = [this](const Allocation& allocation, bool freed) { record_memory(allocation, freed); };
  if (options.cycles)
    if (auto caches = gpu::CacheState::make(device)) caches_.emplace(std::move(*caches));
  if (checks == nullptr) return;
  memory.on_free = [this](const Allocation& allocation) { checks->forget(allocation); };
  queue.on_wait = [this](const Order& done) { checks->host_access.release(done); };
}

Gpu* Gpu::if_made() { return instance(); }

Gpu& Gpu::the() {
  static std::once_flag once;
  std::call_once(once, [] {
    Options options = options_from_environment();
    gpu::Device device = load_description(options);
    instance() = new Gpu(std::move(options), std::move(device));
    pthread_atfork(nullptr, nullptr, [] { instance()->queue.abandon_in_child(); });
    end_with(variable(instrumentation::owner_variable));
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

void Gpu::record_memory(const Allocation& allocation, bool freed, const PoolUse& pool) {
  if (!recorder.on()) return;
  std::uint32_t kind = 0;
  switch (allocation.kind) {
    case MemoryKind::device: kind = memory_device; break;
    case MemoryKind::managed: kind = memory_managed; break;
    case MemoryKind::pinned:
    case MemoryKind::registered: kind = memory_pinned; break;
    case MemoryKind::array: kind = memory_array; break;
    default: return;
  }
  instrumentation::MemoryRow row;
  row.time = static_cast<std::uint64_t>(clock.now());
  row.address = allocation.address, row.bytes = allocation.bytes;
  row.operation = freed ? 2 : 1;
  row.kind = kind, row.context = 1, row.stream = pool.stream;
  row.correlation = Recorder::correlation();
  row.pool = pool.address, row.pool_bytes = pool.bytes, row.pool_used = pool.used;
  recorder.add(row);
}

void Gpu::record_pool(PoolChange change, const PoolUse& pool) {
  if (!recorder.on()) return;
  instrumentation::PoolRow row;
  row.time = static_cast<std::uint64_t>(clock.now());
  row.address = pool.address, row.bytes = pool.bytes, row.used = pool.used, row.release_threshold = pool.threshold;
  row.operation = static_cast<std::uint32_t>(change);
  row.correlation = Recorder::correlation();
  recorder.add(row);
}

/// At the program's end: what it has launched runs to its end, as a GPU would have run it in less time than this takes.
/// Text of printf is lost that no synchronisation has fetched ("Formatted Output" in the CUDA programming guide).
void Gpu::end(int exit_status) {
  queue.wait_all();
  {
    const std::lock_guard lock(printed_mutex_);
    if (!printed_.empty())
      tell(
          "printf of kernels after the last synchronisation is not printed, as with a GPU; call "
          "cudaDeviceSynchronize() "
          "before the program ends");
  }
  tell_repeated_findings();
  if (checks == nullptr) return;
  checks->begin_call();
  checks->report_leaks({});
  checks->report_unasked(exit_status);
}

void Gpu::end_program() {
  flush_printf();
  std::fflush(stdout);
  recorder.end();
  std::_Exit(0);
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
  // Compilers write the sources' absolute names; those in the current folder are shown as they were typed.
  std::error_code error;
  const std::string here = std::filesystem::current_path(error).string() + '/';
  const std::size_t skipped = !error && line.starts_with(here) ? here.size() : 0;
  std::fprintf(stderr, "warpwalk: %s\n", line.c_str() + skipped);
  return true;
}

void Gpu::find(const std::string& line, std::uint32_t correlation) {
  tell(line);
  if (!recorder.on()) return;
  {
    const std::lock_guard lock(told_mutex_);
    if (!recorded_findings_.insert(line).second) return;
  }
  recorder.add(instrumentation::FindingRow{correlation, line});
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

Error Gpu::recorded_wait(std::uint32_t kind, std::uint32_t stream, std::uint32_t event,
                         const std::function<Error()>& body) {
  const std::int64_t from = clock.now();
  const Error error = body();
  if (recorder.on())
    recorder.add(instrumentation::SyncRow{static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(clock.now()),
                                          kind, 1, stream, event, Recorder::correlation()});
  return error;
}

Error Gpu::wait_all() {
  queue.wait_all();
  flush_printf();
  return queue.error();
}

Error Gpu::synchronize(Stream& stream) {
  return recorded_wait(wait_for_stream, stream.id, instrumentation::no_id, [&] {
    if (const Error wrong = check_not_captured(stream); wrong != Error::success) return wrong;
    queue.wait(streams.last(stream));
    flush_printf();
    return queue.error();
  });
}

Error Gpu::synchronize() {
  return recorded_wait(wait_for_context, instrumentation::no_id, instrumentation::no_id, [&] {
    const Error wrong = graphs.check_unsafe();
    return wrong == Error::success ? wait_all() : wrong;
  });
}

Error Gpu::synchronize(Event& event) {
  return recorded_wait(wait_for_event, instrumentation::no_id, event.id, [&] {
    if (const Error wrong = check_captured(event); wrong != Error::success) return wrong;
    queue.wait(event.work);
    flush_printf();
    return queue.error();
  });
}

Error Gpu::query(Stream& stream) {
  return recorded_wait(wait_for_stream, stream.id, instrumentation::no_id, [&] {
    if (const Error wrong = check_not_captured(stream); wrong != Error::success) return wrong;
    const bool done = queue.has_ended(streams.last(stream));
    if (const Error error = queue.error(); error != Error::success) return error;
    return done ? Error::success : Error::not_ready;
  });
}

Error Gpu::query(Event& event) {
  return recorded_wait(wait_for_event, instrumentation::no_id, event.id, [&] {
    if (const Error wrong = check_captured(event); wrong != Error::success) return wrong;
    if (const Error wrong = graphs.check_unsafe(); wrong != Error::success) return wrong;
    const bool done = queue.has_ended(event.work);
    if (const Error error = queue.error(); error != Error::success) return error;
    return done ? Error::success : Error::not_ready;
  });
}

Error Gpu::wait_event(Stream& stream, const Event& event) {
  return recorded_wait(stream_waits, stream.id, event.id, [&] { return streams.wait_event(stream, event); });
}

std::unique_ptr<Module> Gpu::load(const void* image, Error& error, std::span<const std::string> managed) {
  const StoppedClock stopped(clock);
  auto images = read_code(image);
  if (!images) {
    error = Error::invalid_kernel_image;
    tell(images.error());
    return nullptr;
  }
  std::string why;
  auto module = Module::load(*images, device, memory, error, why, managed);
  if (module == nullptr) tell(why);
  if (module != nullptr && recorder.on()) record_variables(*module);
  return module;
}

}  // namespace warpwalk::simulated
