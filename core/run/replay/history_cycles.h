#pragma once

#include <string>
#include <variant>

#include "core/gpu/timing/time_launch.h"
#include "core/run/replay/history_result.h"

namespace warpwalk::run {

/// Simulates the cycles of a kernel whose history was built, on the contents that its buffers had before the launch: of
/// its machine code if the trace has some, else of its PTX with an estimated schedule. On failure, returns the reason,
/// one sentence without its full stop; "cancelled" if it was cancelled. Does not call HistoryOptions::progress.
std::variant<gpu::LaunchTiming, std::string> history_cycles(const trace::Trace& trace, trace::SliceId kernel,
                                                            const History& history, const HistoryOptions& options);

}  // namespace warpwalk::run
