#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/run/kernel_lab/run_draft.h"

namespace warpwalk::runs {

/// The current step of the work on a draft of the Kernel lab.
struct LabStage {
  std::string what;             ///< "compile", "run" or "cycles"; empty: not known yet
  std::optional<double> share;  ///< 0 to 1; none: not known
  double seconds = 0;           ///< since the job started
};

/// The result of a job for one draft.
struct LabOutcome {
  std::size_t version = 0;    ///< the number that the draft was started with
  run::KernelDraft draft;     ///< as it was started
  bool checked_only = false;  ///< it was compiled, not run
  bool cancelled = false;
  std::vector<run::Diagnostic> messages;     ///< errors and warnings
  std::shared_ptr<const run::DraftRun> run;  ///< null if it failed, or was only compiled
};

/// Compiles and runs drafts in a thread, one after another, so that the window never waits.
class LabJob {
 public:
  LabJob() = default;
  LabJob(const LabJob&) = delete;
  LabJob& operator=(const LabJob&) = delete;
  /// Cancels the job and waits for its end.
  ~LabJob();

  /// A draft with the number that its outcome gets.
  struct Task {
    std::size_t version = 0;
    run::KernelDraft draft;
  };
  /// Starts; none may be under way. The job fills in the options' cancel and progress. `check`: only compile.
  void start(std::vector<Task> tasks, run::DraftOptions options, bool check);
  void cancel() { cancel_ = true; }
  bool busy() const { return thread_.joinable(); }
  /// Whether the job under way only compiles.
  bool checking() const { return busy() && check_; }
  LabStage stage() const;
  /// The outcomes of all drafts once the job has ended; then another one can start.
  std::optional<std::vector<LabOutcome>> poll();

 private:
  LabOutcome work(const Task& task, const run::DraftOptions& options) const;
  void set_stage(std::string_view what, std::uint64_t done, std::uint64_t of);

  std::thread thread_;
  bool check_ = false;
  std::atomic<bool> cancel_ = false;
  std::atomic<bool> ended_ = false;
  std::vector<LabOutcome> outcomes_;  // valid once ended_
  std::chrono::steady_clock::time_point started_;
  mutable std::mutex mutex_;  // guards the members below
  std::string what_;
  std::optional<double> share_;
};

}  // namespace warpwalk::runs
