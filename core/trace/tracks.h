#pragma once

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Sorts the tracks (see Trace::tracks), merges tracks with the same identity, drops empty tracks, and gives all tracks
/// of a process the same process name, labels and sort index. Updates the track ids of all rows.
void order_tracks(Trace& trace);

/// Sets the device and stream of each GPU track: from the work on it, else the device from other tracks with its pid,
/// else from the numbers in pid and tid. The slices must be sorted.
void set_stream_ids(Trace& trace);

}  // namespace warpwalk::trace
