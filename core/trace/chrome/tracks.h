#pragma once

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Brings the tracks into their order (see Trace::tracks), makes one of those with the same name, drops those with
/// nothing on them, and gives all tracks of a process the same process name, labels and sort index. All rows follow.
void order_tracks(Trace& trace);

/// Device and stream of the GPU tracks, from the work on them. The slices must be sorted.
void name_streams(Trace& trace);

}  // namespace warpwalk::trace
