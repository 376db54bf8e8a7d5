#include "core/story/timing.h"

namespace warpwalk::story {

bool has_time(const Trace& trace, SliceId slice) {
  return trace.slices.start[slice] != 0 || trace.slices.duration[slice] != 0;
}

Timing timing_of(const Trace& trace, const Walk& walk) {
  if (walk.kernel == no_slice || has_time(trace, walk.kernel)) return Timing::timed;
  return trace.records.time_origin() == trace::Origin::simulated ? Timing::unclocked : Timing::unrecorded;
}

}  // namespace warpwalk::story
