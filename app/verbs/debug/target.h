#pragma once

// This folder is the verb `debug`: the Debug Adapter Protocol on a stream, and a command line with gdb's words, for the
// engine in core/debug.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/debug/session.h"
#include "core/platform/temporary_folder.h"
#include "core/run/kernel_lab/compiled_launch.h"

namespace warpwalk::verbs {

/// The options of a launch to debug.
struct DebugTarget {
  std::filesystem::path file;                   ///< a launch file, CUDA C++, a compiled kernel, or a walk
  std::filesystem::path compiled = {};          ///< set by prepare(): the compiled kernel for which `file` was made
  std::vector<std::string> arguments;           ///< of a program
  std::optional<std::uint64_t> launch;          ///< of a program or a walk: which launch, from 1
  std::string gpu;                              ///< empty: as the launch file says, else h200
  std::string code = "auto";                    ///< auto, sass or ptx
  run::GivenLaunch given;                       ///< of a compiled kernel
  bool device_debug = false;                    ///< compiles CUDA C++ without optimisation, for its variables
  int threads = 0;                              ///< host threads; 0: all
  std::uint64_t max_instructions = 20'000'000;  ///< warp instructions of the launch that are simulated
};

/// Compiles a CUDA program, runs it on the simulated GPU and records its launches in a walk.
using RecordProgram = std::function<base::Result<void>(const DebugTarget& target, const std::filesystem::path& walk)>;

/// Loads what a target names, and simulates its launch. On failure, one line.
class DebugLoader {
 public:
  explicit DebugLoader(RecordProgram record_program) : record_program_(std::move(record_program)) {}
  /// Runs a program and makes a launch file for a compiled kernel, so that `load` may be called for several launches.
  base::Result<DebugTarget> prepare(const DebugTarget& target);
  base::Result<std::unique_ptr<debug::Session>> load(const DebugTarget& prepared,
                                                     const debug::RecordOptions& options) const;

 private:
  RecordProgram record_program_;
  std::shared_ptr<platform::TemporaryFolder> folder_;  ///< for what prepare() makes
};

/// The launches of a program or a walk, or one launch: one is debugged at a time.
class DebugRun {
 public:
  static base::Result<std::unique_ptr<DebugRun>> open(DebugLoader loader, const DebugTarget& target,
                                                      debug::RecordOptions options);
  debug::Session& session() { return *session_; }
  const debug::Session& session() const { return *session_; }
  /// The number of the launch, from 1; nullopt if there is only one.
  std::optional<std::uint64_t> launch() const { return target_.launch; }
  /// What is debugged, prepared.
  const DebugTarget& target() const { return target_; }
  /// Debugs another launch, with the same breakpoints. On failure, one line, and the launch stays.
  base::Result<void> go_to_launch(std::uint64_t number);
  /// To the next breakpoint, in this launch or one of the next.
  void run_on();

 private:
  DebugRun(DebugLoader loader, DebugTarget target, debug::RecordOptions options)
      : loader_(std::move(loader)), target_(std::move(target)), options_(std::move(options)) {}

  DebugLoader loader_;
  DebugTarget target_;  ///< prepared
  debug::RecordOptions options_;
  std::unique_ptr<debug::Session> session_;
};

/// The file of a source on this machine: the path in the code, or the file of that name beside the launch file or the
/// module; empty if there is none.
std::filesystem::path source_path(const debug::Session& session, std::uint32_t file);

}  // namespace warpwalk::verbs
