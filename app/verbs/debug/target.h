#pragma once

// This folder is the verb `debug`: the Debug Adapter Protocol on a stream, and a command line with gdb's words, for the
// engine in core/debug.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
  std::filesystem::path program = {};           ///< set by prepare(): the program whose launches `file` has
  std::vector<std::string> arguments;           ///< of a program
  std::optional<std::uint64_t> launch;          ///< of a program or a walk: which launch, from 1
  std::string gpu;                              ///< empty: as the launch file says, else h200
  std::string code = "auto";                    ///< auto, sass or ptx
  run::GivenLaunch given;                       ///< of a compiled kernel
  bool device_debug = false;                    ///< compiles CUDA C++ without optimisation, for its variables
  int threads = 0;                              ///< host threads; 0: all
  std::uint64_t max_instructions = 20'000'000;  ///< warp instructions of the launch that are simulated
  std::uint64_t kept_launches = 1;              ///< of a program, which ends after the last of them
  bool no_input = false;                        ///< the stdin of a program is empty
  const std::atomic<bool>* cancel = nullptr;    ///< ends a program once it is set
  std::atomic<int>* ended = nullptr;            ///< receives a signal to this process while a program runs
};

/// Compiles a CUDA program, runs it on the simulated GPU and records its launches in a walk.
using RecordProgram = std::function<base::Result<void>(const DebugTarget& target, const std::filesystem::path& walk)>;

/// Loads what a target names, and simulates its launch. On failure, one line.
class DebugLoader {
 public:
  explicit DebugLoader(RecordProgram record_program) : record_program_(std::move(record_program)) {}
  /// Runs a program and makes a launch file for a compiled kernel, so that `load` may be called for several launches.
  base::Result<DebugTarget> prepare(const DebugTarget& target);
  /// Runs the program of a prepared target again, up to a later launch. On failure, one line.
  base::Result<void> run_on_to(DebugTarget& prepared, std::uint64_t launch);
  /// Whether the program was to run up to this launch. If it is not there, it has no such launch.
  bool ran_to(std::uint64_t launch) const { return launch <= ran_to_; }
  base::Result<std::unique_ptr<debug::Session>> load(const DebugTarget& prepared,
                                                     const debug::RecordOptions& options) const;
  /// Gives a session the tensors of a Triton program, if the target is one.
  void open_tiles(const DebugTarget& prepared, debug::Session& session) const;

 private:
  RecordProgram record_program_;
  std::shared_ptr<platform::TemporaryFolder> folder_;  ///< for what prepare() makes
  std::uint64_t ran_to_ = 0;                           ///< launches that the program was to keep when it ran last
};

/// The launches of a program or a walk, or one launch: one is debugged at a time.
class DebugRun {
 public:
  static base::Result<std::unique_ptr<DebugRun>> open(DebugLoader loader, const DebugTarget& target,
                                                      debug::RecordOptions options);
  /// The same for what DebugLoader::prepare() has returned.
  static base::Result<std::unique_ptr<DebugRun>> open_prepared(DebugLoader loader, const DebugTarget& prepared,
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
  /// Session::set() and set_bytes(). Changes hold until another launch is loaded.
  base::Result<debug::Value> set(std::string_view expression, std::string_view value, const debug::Focus& focus,
                                 std::size_t frame);
  base::Result<void> set_bytes(std::uint64_t address, std::span<const std::uint8_t> bytes, std::string_view name);
  /// What ends and reports long work from now on, instead of what it was opened with.
  void set_control(const std::atomic<bool>* cancel,
                   std::function<void(std::uint64_t done, std::uint64_t all)> progress);

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
