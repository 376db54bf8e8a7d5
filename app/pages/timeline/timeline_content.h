#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/pages/timeline/trace_curves.h"
#include "core/analysis/time/timeline.h"
#include "core/analysis/time/track_activity.h"

namespace warpwalk::pages {

/// A track of the page: the slices of a thread or stream, or a curve.
struct PageTrack {
  std::string key;  ///< the same whenever this trace is open
  bool curve = false;
  std::size_t index = 0;     ///< of TimelineContent::tracks or curves
  bool same_number = false;  ///< a thread of another process has the number of this one
};

/// What the page shows of a trace; made when it is first shown.
struct TimelineContent {
  std::vector<analysis::TimelineTrack> tracks;
  /// When each of `tracks` was busy; without slices where it has neither ops nor calls nor GPU work.
  std::vector<analysis::TrackActivity> activities;
  std::vector<TraceCurve> curves;
  std::vector<PageTrack> order;  ///< threads, streams, curves, then what the profiler notes about itself

  /// The place in `order` of a slice's track; size of `order` if the slice has no time.
  std::size_t track_of(const trace::Trace& trace, trace::SliceId slice) const;
};

TimelineContent timeline_content(const trace::Trace& trace);

}  // namespace warpwalk::pages
