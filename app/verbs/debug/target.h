#pragma once

// This folder is the verb `debug`: the Debug Adapter Protocol on a stream, and a command line with gdb's words, for the
// engine in core/debug.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/debug/session.h"
#include "core/run/kernel_lab/compiled_launch.h"

namespace warpwalk::verbs {

/// The options of a launch to debug.
struct DebugTarget {
  std::filesystem::path file;                   ///< a launch file, CUDA C++, a compiled kernel, or a walk
  std::optional<std::uint64_t> launch;          ///< of a program or a walk: which launch, from 1
  std::string gpu;                              ///< empty: as the launch file says, else h200
  std::string code = "auto";                    ///< auto, sass or ptx
  run::GivenLaunch given;                       ///< of a compiled kernel
  int threads = 0;                              ///< host threads; 0: all
  std::uint64_t max_instructions = 20'000'000;  ///< warp instructions of the launch that are simulated
};

/// Compiles a CUDA program, runs it on the simulated GPU and records its launches in a walk.
using RecordProgram = std::function<base::Result<void>(const std::filesystem::path& file, const std::string& gpu,
                                                       const std::filesystem::path& walk)>;

/// Loads what a target names, and simulates its launch. On failure, one line.
class DebugLoader {
 public:
  explicit DebugLoader(RecordProgram record_program) : record_program_(std::move(record_program)) {}
  base::Result<std::unique_ptr<debug::Session>> load(const DebugTarget& target,
                                                     const debug::RecordOptions& options) const;

 private:
  RecordProgram record_program_;
};

/// The file of a source on this machine: the path in the code, or the file of that name beside the launch file or the
/// module; empty if there is none.
std::filesystem::path source_path(const debug::Session& session, std::uint32_t file);

}  // namespace warpwalk::verbs
