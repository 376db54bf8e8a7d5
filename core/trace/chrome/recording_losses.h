#pragma once

#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Tells what `warpwalk record` says that its recording lacks (the trace's entry "warpwalk_recording"): a walk shows no
/// gap where an event never came.
void tell_recording_losses(const Trace& trace, Problems& problems);

}  // namespace warpwalk::trace
