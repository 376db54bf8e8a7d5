#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/verbs/record/record.h"
#include "app/verbs/record/record_checks.h"
#include "app/verbs/record/record_compiled.h"
#include "core/base/result.h"
#include "core/platform/blocked_signals.h"
#include "instrumentation/recording_names.h"

namespace warpwalk::verbs {

/// Turns the partial files of a recording into walks, with the kernels' machine code and the launches that were
/// recorded with their memory, and says what they have and lack. Processes without GPU work are left out if another one
/// has some. Adds the errors in kernels that the simulated GPU found to `findings`, if that is not null. Returns the
/// first error; its line is then to be the only one. `compilers` gets their kernels and keeps its files; may be null.
base::Result<void> finish_walks(const std::vector<instrumentation::Partial>& partials, const RecordOptions& options,
                                const RecordPlace& place, platform::BlockedSignals& signals, CompilerFiles* compilers,
                                std::uint64_t* findings = nullptr);

/// What a core dump says of the kernel that failed, or that hangs.
struct FailedKernel {
  std::string name;               ///< mangled; empty: there is no dump
  std::vector<std::string> code;  ///< the modules in the dump
};
/// Turns the partial file that an armed program left of a launch into a walk of it, if it is one of that kernel, or,
/// without a dump, if it failed or had not ended; otherwise it is removed. Returns the lines that tell of the walk.
base::Result<std::vector<std::string>> finish_replay(const instrumentation::Partial& partial,
                                                     const FailedKernel& failed, platform::BlockedSignals& signals);

}  // namespace warpwalk::verbs
