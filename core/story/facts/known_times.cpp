#include "core/story/facts/known_times.h"

#include "core/story/stage/figure.h"

namespace warpwalk::story {

bool has_time(const Trace& trace, SliceId slice) {
  return trace.slices.start[slice] != 0 || trace.slices.duration[slice] != 0;
}

std::string duration_text(const Trace& trace, SliceId slice) {
  return has_time(trace, slice) ? time_text(static_cast<double>(trace.slices.duration[slice])) : "no time";
}

Timing timing_of(const Trace& trace, const Walk& walk) {
  if (walk.kernel == no_slice || has_time(trace, walk.kernel)) return Timing::timed;
  return trace.records.time_origin() == trace::Origin::simulated ? Timing::unclocked : Timing::unrecorded;
}

}  // namespace warpwalk::story
