#include "app/verbs/simulate.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "app/verbs/assets.h"
#include "app/verbs/files.h"
#include "app/verbs/signals.h"
#include "core/gpu/device_file.h"
#include "core/run/bind.h"
#include "core/run/record.h"
#include "core/run/report.h"
#include "core/run/run_launch.h"
#include "core/trace/writer.h"

namespace warpwalk::verbs {
namespace {

/// The device named; an error is one line.
std::variant<gpu::Device, std::string> find_device(const std::string& name) {
  std::filesystem::path file = name;
  if (name.find('/') == std::string::npos && !name.ends_with(".json")) {
    const auto assets = find_assets();
    if (!assets) return "--gpu: the folder of GPU descriptions is missing; set WARPWALK_ASSETS, or name a file";
    file = *assets / "devices" / (name + ".json");
    if (std::error_code error; name.empty() || !std::filesystem::exists(file, error))
      return fmt::format("--gpu {}: there is no such GPU; there are {}, or name a file", name,
                         fmt::join(gpu::device_ids(*assets / "devices"), ", "));
  }
  auto [device, error] = gpu::load_device(file);
  if (error) return *error;
  return std::move(device);
}

/// Beside a simulation: sets `cancel` where a signal came, and shows on a terminal how far it is once that takes a
/// second. Ends with its lifetime.
class Watch {
 public:
  explicit Watch(HeldSignals& signals) : signals_(signals), thread_([this] { run(); }) {}
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    ended_.notify_one();
    thread_.join();
    if (shown_) fmt::print(stderr, "\r\x1b[K");
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  const std::atomic<bool>* cancel() const { return &cancel_; }
  void progress(std::uint64_t blocks_done, std::uint64_t blocks) {
    blocks_done_ = blocks_done;
    blocks_ = blocks;
  }

 private:
  void run() {
    using Clock = std::chrono::steady_clock;
    const bool terminal = isatty(STDERR_FILENO) != 0;
    Clock::time_point next = Clock::now() + std::chrono::seconds(1);
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, std::chrono::milliseconds(50), [this] { return done_; })) {
      if (signals_.stop()) cancel_ = true;
      if (!terminal || Clock::now() < next) continue;
      next = Clock::now() + std::chrono::milliseconds(200);
      shown_ = true;
      fmt::print(stderr, "\rsimulating: {} of {} blocks, Ctrl-C stops ", blocks_done_.load(), blocks_.load());
      std::fflush(stderr);
    }
  }

  HeldSignals& signals_;
  std::atomic<bool> cancel_ = false;
  std::atomic<std::uint64_t> blocks_done_ = 0, blocks_ = 0;
  bool shown_ = false;
  bool done_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread thread_;  // last: it uses all others
};

/// None, or one line.
std::optional<std::string> write_results(const SimulateOptions& options, const gpu::Device& device,
                                         const run::LoadedLaunch& loaded, const run::LaunchResult& result,
                                         std::vector<trace::InitialBuffer> initial) {
  if (!options.trace.empty())
    if (auto error = trace::write_trace(run::trace_of(device, loaded, result, std::move(initial)), options.trace))
      return error;
  if (options.json.empty()) return {};
  return write_file(options.json, run::report_json(device, loaded, result));
}

}  // namespace

int simulate(const SimulateOptions& options) {
  const auto found = find_device(options.gpu);
  if (const auto* const error = std::get_if<std::string>(&found)) return refuse(*error);
  const auto& device = std::get<gpu::Device>(found);
  run::LoadOptions load;
  load.host_bytes = run::available_memory();
  load.ask_ptxas = options.ptxas;
  auto read = run::load_launch(options.file, device, load);
  if (const auto* const error = std::get_if<std::string>(&read)) return refuse(*error);
  auto& loaded = std::get<run::LoadedLaunch>(read);
  std::vector<trace::InitialBuffer> initial;
  if (!options.trace.empty()) initial = run::initial_buffers(loaded);

  HeldSignals signals;
  gpu::SimulateOptions how;
  how.threads =
      options.threads > 0 ? options.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  how.sanitize = options.sanitize;
  const auto ran = [&] {
    Watch watch(signals);
    how.cancel = watch.cancel();
    how.progress = [&](std::uint64_t done, std::uint64_t blocks) { watch.progress(done, blocks); };
    return run::run_launch(device, loaded, how);
  }();
  if (const auto* const error = std::get_if<std::string>(&ran)) return refuse(*error);
  const auto& result = std::get<run::LaunchResult>(ran);
  // The signal is raised again when `signals` goes, and ends the program as it always does.
  if (signals.stop()) return refuse("stopped before the end; nothing was written");
  if (const auto error = write_results(options, device, loaded, result, std::move(initial))) return refuse(*error);
  if (options.json != "-") fmt::print("{}{}", result.simulation.printed, run::report_text(device, loaded, result));
  return result.good() ? 0 : 1;
}

}  // namespace warpwalk::verbs
