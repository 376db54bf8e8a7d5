#pragma once

#include <string>
#include <vector>

#include "core/run/replay/recorded_memory.h"
#include "core/trace/trace.h"
#include "instrumentation/kernel_source.h"
#include "instrumentation/loaded_code.h"

namespace warpwalk::instrumentation {

/// The outcome of the launches that were recorded with their memory.
struct InsideSummary {
  std::size_t launches = 0;        ///< in the walk
  std::size_t simulated = 0;       ///< of those, how many the simulated GPU ran in the first place
  std::size_t failed = 0;          ///< of those, how many failed or had not ended
  std::size_t same_bits = 0;       ///< of those, how many leave the same bits on the simulated GPU
  std::vector<std::string> lines;  ///< one for each launch that does not, and for each that is not in the walk
};

/// Adds the launches to the records of their kernels, each with its machine code and the memory that it accessed.
/// Kernels of the simulated GPU also get their source, which add_code() finds for others.
InsideSummary add_inside(trace::Trace& trace, const LoadedCode& code, const run::KeepOptions& options,
                         const SourceOptions& sources = {});

}  // namespace warpwalk::instrumentation
