#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/runs/lab_job.h"
#include "core/run/exercise/grade.h"

namespace warpwalk::runs {

/// The result of grading a source.
struct GradeOutcome {
  std::string exercise;  ///< its name
  std::string source;    ///< as it was started
  run::Grade grade;
  std::map<std::string, double, std::less<>> starter;  ///< figures of the starter
  bool starter_right = false;                          ///< its results are right; known if the grade has cycles
  std::string error;                                   ///< the exercise could not be prepared; empty: it could
};

/// Grades a source of an exercise in a thread, so that the window never waits. What the exercise needs for that
/// (expected results, the starter's figures) is kept for the next source of the same exercise.
class GradeJob {
 public:
  GradeJob() = default;
  GradeJob(const GradeJob&) = delete;
  GradeJob& operator=(const GradeJob&) = delete;
  /// Cancels the job and waits for its end.
  ~GradeJob();

  /// Starts; none may be under way. The job fills in the options' cancel and progress.
  void start(const run::Exercise& exercise, std::string source, run::GradeOptions options);
  void cancel() { cancel_ = true; }
  bool busy() const { return thread_.joinable(); }
  LabStage stage() const;
  /// The outcome once the job has ended; then another one can start.
  std::optional<GradeOutcome> poll();

 private:
  void work(const run::Exercise& exercise, const run::GradeOptions& options);
  void set_stage(std::string_view what, std::uint64_t done, std::uint64_t of);

  std::thread thread_;
  std::atomic<bool> cancel_ = false;
  std::atomic<bool> ended_ = false;
  GradeOutcome outcome_;                 // valid once ended_
  std::unique_ptr<run::Grader> grader_;  // of the last exercise, prepared; used by the thread alone while it runs
  std::string device_;                   // that it was prepared for
  run::DraftLanguage language_ = run::DraftLanguage::cuda;
  std::chrono::steady_clock::time_point started_;
  mutable std::mutex mutex_;  // guards the members below
  std::string what_;
  std::optional<double> share_;
};

}  // namespace warpwalk::runs
