#pragma once

#include "core/trace/ranks.h"
#include "core/trace/trace.h"

namespace warpwalk::trace {

/// If the file describes one device and all GPU work is on one device with another number, both are the same device:
/// ROCm numbers its agents from the CPUs on. The work then takes the number of the description, which is that of
/// PyTorch's memory events.
void adopt_only_device(Trace& trace);

/// Gives each GPU a device number of its own. Two GPUs can share a number only if their pids are texts: each process of
/// a merged file calls its GPU device 0. The first one, in the order of the tracks, keeps its number; the others get
/// the lowest unused ones, in their tracks and in the details of their work, and a copy of the description. The pids
/// stay as they are. Run after set_stream_ids() (tracks.h).
void separate_devices(Trace& trace, const Ranks& ranks);

}  // namespace warpwalk::trace
