#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/run/run_outcome.h"

namespace warpwalk::runs {

/// How far a run is.
struct RunStage {
  std::string what;             ///< goes on: "matmul_tiled"; empty: nothing was told yet
  std::optional<double> share;  ///< of it, 0 to 1; none: nobody knows
  double seconds = 0;           ///< since the run's start
};

/// Runs an expression beside the window: on the simulated GPU and the cpu on a thread, on cuda in a process of its own.
/// One at a time.
class RunJob {
 public:
  /// `program`: this very one, whose verb runs what is run on cuda.
  explicit RunJob(std::filesystem::path program) : program_(std::move(program)) {}
  RunJob(const RunJob&) = delete;
  RunJob& operator=(const RunJob&) = delete;
  /// Cancels, and waits for that.
  ~RunJob();

  /// `request` without cancel, progress and clock. Only where none is under way.
  void start(run::RunRequest request, const std::filesystem::path& name);
  /// It ends soon; poll() says so.
  void cancel() { cancel_ = true; }
  bool busy() const { return thread_.joinable(); }
  RunStage stage() const;
  /// What came of it once it has ended; then another can start.
  std::optional<RunOutcome> poll();

 private:
  void tell(const std::string& what, std::optional<double> share);

  const std::filesystem::path program_;
  std::thread thread_;
  std::atomic<bool> cancel_ = false;
  std::atomic<bool> ended_ = false;
  RunOutcome outcome_;  // once it has ended
  std::chrono::steady_clock::time_point started_;
  mutable std::mutex mutex_;  // of what follows
  std::string what_;
  std::optional<double> share_;
};

}  // namespace warpwalk::runs
