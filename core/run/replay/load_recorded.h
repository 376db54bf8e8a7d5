#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/launch/run_launch.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

/// The kernels of a trace that were recorded with their memory, by start.
std::vector<trace::SliceId> recorded_launches(const trace::Trace& trace);

/// The name of the GPU that a kernel ran on; empty if the trace does not say.
std::string_view gpu_of(const trace::Trace& trace, trace::SliceId kernel);

/// A launch of a walk, as if it came from a launch file.
struct LoadedRecording {
  LoadedLaunch loaded;
  trace::RecordedState record;
  std::int64_t measured_ns = 0;  ///< the kernel's recorded duration; 0: not recorded
  std::string gpu;               ///< name of the GPU that was recorded; empty: not known
};

/// Loads the Nth (from 1) of recorded_launches(). `file` is the walk, for messages. On failure, returns a one-line
/// error.
base::Result<LoadedRecording> load_recorded(const trace::Trace& trace, std::uint64_t number,
                                            const std::filesystem::path& file);

}  // namespace warpwalk::run
