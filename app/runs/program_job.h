#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/runs/lab_job.h"
#include "core/platform/temporary_folder.h"
#include "core/run/kernel_lab/program_draft.h"

namespace warpwalk::runs {

/// A CUDA program to run on the simulated GPU for the Kernel lab.
struct ProgramRequest {
  std::string name;                     ///< of its file, without the extension
  std::string source;                   ///< CUDA C++ with main()
  std::filesystem::path folder;         ///< its includes are looked up here
  std::string gpu, compute_capability;  ///< an id in assets/devices, and "9.0"
  int threads = 1;                      ///< host threads
  std::size_t launch = 0;               ///< the launch to make a draft of, from 1; 0: the launches are listed
};

/// What came of it.
struct ProgramOutcome {
  ProgramRequest request;
  bool cancelled = false;
  std::string error;                         ///< one line; empty: it ran
  std::vector<run::Diagnostic> messages;     ///< errors of the compiler, at their lines
  std::vector<run::ProgramLaunch> launches;  ///< if they are listed
  std::optional<run::KernelDraft> draft;     ///< of the launch that was asked for
};

/// Compiles a CUDA program and runs it on the simulated GPU, in child processes (the verbs `compile` and `record`) that
/// a thread waits for, so that neither the window waits nor a program's crash harms it.
class ProgramJob {
 public:
  ProgramJob() = default;
  ProgramJob(const ProgramJob&) = delete;
  ProgramJob& operator=(const ProgramJob&) = delete;
  /// Cancels the job and waits for its end.
  ~ProgramJob();

  /// Starts; none may be under way. `program`: this program. A source that was compiled last is not compiled again.
  void start(const std::filesystem::path& program, ProgramRequest request);
  void cancel() { cancel_ = true; }
  bool busy() const { return thread_.joinable(); }
  /// The current step, "program.compile" or "program.run".
  LabStage stage() const;
  /// The outcome once the job has ended; then another one can start.
  std::optional<ProgramOutcome> poll();

 private:
  void work();
  bool compile();
  void record();
  void set_stage(std::string what);

  /// The last source that compiled, with the program in its folder.
  struct Built {
    std::string source, compute_capability;
    std::filesystem::path program;
    platform::TemporaryFolder folder;
  };
  std::unique_ptr<Built> built_;
  std::filesystem::path program_;
  ProgramOutcome outcome_;  // valid once ended_
  std::thread thread_;
  std::atomic<bool> cancel_ = false;
  std::atomic<bool> ended_ = false;
  std::chrono::steady_clock::time_point started_;
  mutable std::mutex mutex_;  // guards what_
  std::string what_;
};

}  // namespace warpwalk::runs
