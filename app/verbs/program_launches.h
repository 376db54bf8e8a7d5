#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/verbs/debug/target.h"
#include "app/verbs/simulate.h"
#include "core/base/result.h"
#include "core/gpu/device/device.h"
#include "core/platform/blocked_signals.h"
#include "core/platform/toolchain/compiled_cuda.h"
#include "core/run/launch/run_launch.h"

namespace warpwalk::verbs {

/// Whether the file is CUDA C++ (.cu).
bool is_cuda_source(const std::filesystem::path& file);

/// How record_program() compiles and runs a program.
struct ProgramRun {
  std::vector<std::string> arguments = {};
  std::string kernel = "*";     ///< a part of the kernels' names
  std::uint64_t launches = 64;  ///< of them, that are recorded
  platform::KeptSource kept = platform::KeptSource::lines;
  bool ends = false;                          ///< the program ends after the last of them, and no other is recorded
  bool no_input = false;                      ///< its stdin is empty
  const std::atomic<bool>* cancel = nullptr;  ///< ends it once it is set
  std::atomic<int>* ended = nullptr;          ///< receives a signal that this process was sent meanwhile to end it
};

/// Compiles a CUDA program with clang and runs it on the simulated GPU, whose first launches it writes to
/// `walk` with their memory. A file that is not .cu is run as it is. What the program prints goes to stderr. On
/// failure: one line, or an empty one if it was printed.
base::Result<void> record_program(const std::filesystem::path& file, const SimulateOptions& options,
                                  const std::filesystem::path& walk, const ProgramRun& run = {});

/// The same for the verb `debug`.
base::Result<void> record_debugged(const DebugTarget& target, const std::filesystem::path& walk);

/// Runs several launches on the simulated GPU, as the options of `simulate` say, and counts by instruction.
class LaunchRunner {
 public:
  /// Both must outlive this object.
  LaunchRunner(const SimulateOptions& options, const gpu::Device& device, run::CyclesOptions cycles);

  /// `caches`: how they start, unless --caches says it. Fails after Ctrl-C as well.
  base::Result<run::LaunchResult> run(run::LoadedLaunch& loaded, gpu::CacheStart caches);

 private:
  const SimulateOptions& options_;
  const gpu::Device& device_;
  run::CyclesOptions cycles_;
  platform::BlockedSignals signals_;
};

}  // namespace warpwalk::verbs
