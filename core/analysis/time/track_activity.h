#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/walk.h"

namespace warpwalk::analysis {

/// The busy times of one thread or stream, prepared so that any range of time is answered without reading all of its
/// slices.
struct TrackActivity {
  trace::TrackId track = 0;
  bool gpu = false;
  std::vector<SliceId> slices;       ///< outermost ops of a thread, or GPU work of a stream, by start
  std::vector<std::int64_t> starts;  ///< ns since the trace's start
  std::vector<std::int64_t> ends;    ///< increasing: overlapping time counts once
  std::vector<std::int64_t> busy;    ///< busy[i]: total ns of slices 0 .. i-1

  /// ns of [from, to) in which the track was busy.
  std::int64_t busy_in(std::int64_t from, std::int64_t to) const;
  /// The slice at this time, or the next one within `reach` ns; no_slice if there is none.
  SliceId at(std::int64_t time, std::int64_t reach) const;
};

/// The threads that ran ops, then the streams that worked, in the order of the trace.
std::vector<TrackActivity> track_activities(const Trace& trace);

/// The tracks to show if there is room for `limit`: those of the followed work, then the busiest. Indices, in order.
std::vector<std::size_t> tracks_to_show(const std::vector<TrackActivity>& tracks, const Trace& trace, const Walk& walk,
                                        std::size_t limit);

}  // namespace warpwalk::analysis
