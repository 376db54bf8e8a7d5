#pragma once

#include <vector>

#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace {

/// GPU work whose duration cannot be right, because a stream works in order: work that ends after the second
/// next work of its stream has ended. Overlap with the next kernel alone is not reported: with programmatic dependent
/// launch a kernel starts before the one before it ends, but it does not end earlier. Exempt are the nodes of a graph,
/// which run in parallel but may be recorded on one stream (work with a graph id, and work that shares its correlation
/// with other work), and work whose stream is not recorded. The slices must be sorted.
std::vector<SliceId> doubtful_durations(const Trace& trace);
/// Reports them.
void check_stream_overlap(const Trace& trace, Problems& problems);

}  // namespace warpwalk::trace
