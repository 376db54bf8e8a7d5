#pragma once

#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Adds a problem for events that `warpwalk record` reports as missing (the trace's entry "warpwalk_recording"). Lost
/// events leave no visible gap in the trace.
void report_recording_losses(const Trace& trace, Problems& problems);

}  // namespace warpwalk::trace
