#include "core/story/facts/words/known_times.h"

#include "core/story/elements/figure.h"

namespace warpwalk::story {

bool has_time(const Trace& trace, SliceId slice) {
  return trace.slices.start[slice] != 0 || trace.slices.duration[slice] != 0;
}

std::string duration_text(const Trace& trace, SliceId slice) {
  return has_time(trace, slice) ? time_text(static_cast<double>(trace.slices.duration[slice])) : "no time";
}

TimeRecord time_record_of(const Trace& trace, const Walk& walk) {
  if (walk.kernel == no_slice || has_time(trace, walk.kernel)) return TimeRecord::timed;
  return trace.records.time_origin() == trace::Origin::simulated ? TimeRecord::unclocked : TimeRecord::unrecorded;
}

}  // namespace warpwalk::story
