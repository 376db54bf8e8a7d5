#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::recording {

/// The function that a kernel is a launch of.
struct LaunchedFunction {
  trace::StringId name = 0;  ///< as it stands in its cubin, mangled
  std::uint32_t dynamic_shared_bytes = 0;
};

/// The machine code that a recorded program loaded, and what it launched of it.
struct LoadedCode {
  bool recorded = false;  ///< it was asked for, and CUPTI showed it
  std::vector<std::string> cubins;
  std::uint64_t cubins_missing = 0;        ///< loaded, but not in the recording, or only in part
  std::vector<LaunchedFunction> launched;  ///< of each row of the trace's kernels
};

}  // namespace warpwalk::recording
