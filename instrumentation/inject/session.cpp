#include "instrumentation/inject/session.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include <sys/syscall.h>
#include <unistd.h>

#include "instrumentation/inject/current_session.h"
#include "instrumentation/inject/nvtx_tool.h"
#include "instrumentation/process_rank.h"
#include "instrumentation/recording_names.h"

namespace warpwalk::instrumentation {
namespace {

// Identifies the running kernel of the operating system, across containers.
std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  std::getline(file, text);
  return text;
}

/// The clock of a program that runs on the simulated GPU; null: measured time.
std::atomic<std::uint64_t (*)()>& simulated_clock() {
  static std::atomic<std::uint64_t (*)()> clock = nullptr;
  return clock;
}

/// For the simulated GPU, on the thread that launches.
std::vector<std::string> ops_of_launch() {
  const UsedSession session;
  return session ? open_ops(session->number()) : std::vector<std::string>();
}

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

std::uint64_t now_ns() {
  if (const auto clock = simulated_clock().load(std::memory_order_relaxed); clock != nullptr) return clock();
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
}

BufferPool& activity_buffers() {
  static BufferPool* const the_buffers = new BufferPool;
  return *the_buffers;
}

Session::Session(std::filesystem::path output) : output_(std::move(output)), number_(next_number()) {}

void Session::record_error(int result, bool fatal, std::string_view what) {
  file_.add(ErrorRow{static_cast<std::uint32_t>(result), fatal ? 1u : 0u, what});
}

bool Session::begin_file(std::uint32_t cupti_api) {
  if (!file_.open(output_, getpid())) return false;
  add_first_rows(cupti_api);
  return true;
}

void Session::add_first_rows(std::uint32_t cupti_api) {
  const std::string program = command_line();
  file_.add(Begin{static_cast<std::uint32_t>(getpid()), cupti_api, now_ns(), program});
  if (const auto rank = rank_from_environment()) file_.add(RankRow{rank->rank, rank->world});
  file_.add(ClockRow{boot_id()});
}

RowSink* Session::start_simulated(std::uint64_t (*clock)(), std::string_view device) {
  if (gpu_.exchange(true)) return nullptr;
  simulated_clock() = clock;
  if (!begin_file(0)) return nullptr;
  if (SimulatedGpu gpu; gpu.find()) simulated_ = gpu;
  file_.add(SimulatedRow{device});
  if (const char* const wanted = std::getenv(code_variable); wanted != nullptr && *wanted != '\0')
    file_.add(CodeBegin{});
  file_.flush();
  flush_regularly();
  return &file_;
}

std::string Session::begin_on(const SimulatedGpu& gpu) {
  gpu_ = true;
  if (std::string error = file_.create_for(output_); !error.empty()) return error;
  std::uint64_t (*clock)() = nullptr;
  const std::string device = gpu.start(clock);
  simulated_clock() = clock;
  add_first_rows(0);
  file_.add(SimulatedRow{device});
  file_.add(CodeBegin{});
  add_thread_names();
  const char* const patterns = std::getenv(inside_variable);
  follows_ops_ = patterns != nullptr && *patterns != '\0';
  simulated_ = gpu;
  gpu.attach(file_, &ops_of_launch);
  file_.flush();
  return {};
}

void Session::leave_simulated() {
  if (simulated_) simulated_->detach();
  simulated_.reset();
}

void Session::add_thread_names() {
  for (const auto& [thread, name] : nvtx_thread_names()) {
    threads_.insert(thread);
    file_.add(ThreadRow{thread, name});
  }
}

std::string Session::open() {
  gpu_ = true;
  if (std::string error = file_.create_for(output_); !error.empty()) return error;
  late_ = cuda_has_started();
  const LoadedCupti loaded = load_cupti(&on_call);
  if (!loaded.error.empty()) {
    file_.discard();
    if (loaded.result != cupti::multiple_subscribers)
      return has_cuda_driver() ? loaded.error : loaded.error + ": no NVIDIA driver is installed (libcuda.so.1)";
    // Kineto subscribes when torch.profiler first records CUDA. Versions before August 2026 stay subscribed.
    return loaded.error +
           ": another profiler uses CUPTI. If torch.profiler has recorded CUDA in this process, start the process "
           "again";
  }
  cupti_ = loaded.functions;
  subscriber_ = loaded.subscriber;
  add_first_rows(cupti_.version());
  if (late_) file_.add(LateBegin{});
  add_thread_names();
  prepare_inside();
  return {};
}

void Session::discard() {
  stop();
  file_.discard();
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

void Session::flush() {
  const std::lock_guard lock(flushing_);
  if (ended_) return;
  if (cupti_.flush_all == nullptr) return file_.flush();  // on the simulated GPU, or nothing is recorded
  activity_buffers().refill();
  constexpr int max_skipped_flushes = 9;
  skipped_flushes_ =
      full_buffer_seen_.exchange(false) && skipped_flushes_ < max_skipped_flushes ? skipped_flushes_ + 1 : 0;
  if (skipped_flushes_ == 0) cupti_.flush_all(0);
  file_.flush();
}

void Session::end(std::uint32_t signal) {
  const std::lock_guard lock(flushing_);
  if (ended_ || !gpu_) return;
  if (cupti_.flush_all != nullptr) flush_everything();
  file_.close(End{now_ns(), signal});
  ended_ = true;
}

// CUPTI itself stays loaded, without a client. cuptiFinalize would remove it from the process, but is only safe while
// no other thread is in CUPTI: in the exit callback of a CUDA call, with all work of the GPU done. A library cannot
// bring this about in a program whose other threads use CUDA, and Kineto, which did, crashed in such threads
// (https://github.com/pytorch/kineto/pull/686). It also removes the state that other clients of CUPTI rely on.
void Session::stop() {
  if (subscriber_ == nullptr) return end(0);
  if (inside_ != nullptr) inside_->finish();
  disable_callbacks();
  {
    const std::lock_guard lock(flushing_);
    // Twice: records are complete before their kinds are disabled, and no kind adds a record after the second time.
    cupti_.flush_all(0);
    disable_kinds();
    if (!ended_) {
      flush_everything();
      file_.close(End{now_ns(), 0});
      ended_ = true;
    }
  }
}

}  // namespace warpwalk::instrumentation
