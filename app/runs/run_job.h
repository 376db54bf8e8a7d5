#pragma once

// This folder runs expressions and drafts in threads and child processes. Their forms and results are in app/pages.

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/runs/run_outcome.h"

namespace warpwalk::runs {

/// The progress of a run.
struct RunStage {
  std::string what;             ///< what is being done, e.g. "matmul_tiled"; empty: not known yet
  std::optional<double> share;  ///< the share of it that is done, 0 to 1; none: not known
  double seconds = 0;           ///< since the run started
};

/// Runs an expression without blocking the window: on the simulated GPU and the cpu in a thread, on cuda in a child
/// process. One run at a time.
class RunJob {
 public:
  /// `program`: this program, whose run verb is used on cuda. `words`: the texts of the outcome; must outlive the job.
  RunJob(std::filesystem::path program, const story::Narration& words) : program_(std::move(program)), words_(words) {}
  RunJob(const RunJob&) = delete;
  RunJob& operator=(const RunJob&) = delete;
  /// Cancels the run and waits for its end.
  ~RunJob();

  /// Starts a run; none may be under way. The job fills in the request's cancel, progress and clock.
  void start(run::RunRequest request, const std::filesystem::path& name);
  /// Asks the run to end; poll() returns its outcome.
  void cancel() { cancel_ = true; }
  bool busy() const { return thread_.joinable(); }
  RunStage stage() const;
  /// Returns the outcome once the run has ended; then another one can start.
  std::optional<RunOutcome> poll();

 private:
  void set_stage(const std::string& what, std::optional<double> share);

  const std::filesystem::path program_;
  const story::Narration& words_;
  std::thread thread_;
  std::atomic<bool> cancel_ = false;
  std::atomic<bool> ended_ = false;
  RunOutcome outcome_;  // valid once ended_
  std::chrono::steady_clock::time_point started_;
  mutable std::mutex mutex_;  // guards the members below
  std::string what_;
  std::optional<double> share_;
};

}  // namespace warpwalk::runs
