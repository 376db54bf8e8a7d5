#pragma once

#include <optional>
#include <string>

#include "app/verbs/run.h"
#include "core/platform/held_signals.h"
#include "core/trace/records.h"

namespace warpwalk::verbs {

/// Does the run of `options` once more, without a walk, under Nsight Compute, which no other profiler may share a
/// process with, and puts what the hardware counted into the records of the walk. A signal ends that run at once. None,
/// or one line.
std::optional<std::string> count_run(const RunOptions& options, trace::Records& records,
                                     platform::HeldSignals& signals);

}  // namespace warpwalk::verbs
