#include "core/story/beats/walk_times.h"

#include "core/analysis/slices.h"
#include "core/story/facts/words/rows.h"

namespace warpwalk::story {

std::int64_t WalkTimes::start(SliceId slice) const { return analysis::since_start(trace, trace.slices.start[slice]); }

std::int64_t WalkTimes::end(SliceId slice) const { return analysis::since_start(trace, trace.slices.end(slice)); }

std::int64_t WalkTimes::end_of_trace() const { return analysis::since_start(trace, trace.end_ns); }

}  // namespace warpwalk::story
