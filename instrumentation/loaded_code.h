#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/run/replay/recorded_memory.h"
#include "core/trace/trace.h"

namespace warpwalk::instrumentation {

/// The function that a kernel launch ran.
struct LaunchedFunction {
  trace::StringId name = 0;  ///< mangled, as in the cubin
  std::uint32_t dynamic_shared_bytes = 0;
  std::array<std::uint32_t, 3> cluster{};  ///< blocks per cluster, as CUPTI reports them
};

/// The machine code that a recorded program loaded, and the functions it launched.
struct LoadedCode {
  bool recorded = false;  ///< recording the code was requested, and CUPTI provided it
  bool late = false;      ///< the recording began after CUDA: modules that were loaded before are not in it
  std::vector<std::string> cubins;
  std::uint64_t cubins_missing = 0;          ///< loaded, but missing or incomplete in the recording
  std::vector<LaunchedFunction> launched;    ///< one per row of the trace's kernels
  std::vector<run::LaunchRecording> inside;  ///< launches that were recorded with their memory
};

}  // namespace warpwalk::instrumentation
