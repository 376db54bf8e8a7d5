#pragma once

#include "app/verbs/common/run_options.h"
#include "core/base/result.h"
#include "core/platform/blocked_signals.h"
#include "core/trace/records.h"

namespace warpwalk::verbs {

/// Repeats the run of `options` under Nsight Compute, without a walk, and adds the hardware's counters to the records
/// of the walk. It is a separate run because Nsight Compute cannot share a process with another profiler. A signal ends
/// that run at once.
base::Result<void> count_run(const RunOptions& options, trace::Records& records, platform::BlockedSignals& signals);

}  // namespace warpwalk::verbs
