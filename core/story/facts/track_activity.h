#pragma once

#include <cstdint>
#include <vector>

#include "core/story/stage/stage.h"

namespace warpwalk::story {

/// The busy times of one thread or stream, prepared so that any range of time is answered without reading all of its
/// slices.
struct Lane {
  trace::TrackId track = 0;
  bool gpu = false;
  std::vector<SliceId> slices;       ///< outermost ops of a thread, or GPU work of a stream, by start
  std::vector<std::int64_t> starts;  ///< ns since the trace's start
  std::vector<std::int64_t> ends;    ///< increasing: overlapping time counts once
  std::vector<std::int64_t> busy;    ///< busy[i]: total ns of slices 0 .. i-1

  /// ns of [from, to) in which the lane was busy.
  std::int64_t busy_in(std::int64_t from, std::int64_t to) const;
  /// The slice at this time, or the next one within `reach` ns; no_slice if there is none.
  SliceId at(std::int64_t time, std::int64_t reach) const;
};

/// The threads that ran ops, then the streams that worked, in the order of the trace.
std::vector<Lane> lanes_of(const Trace& trace);

/// The lanes to show if there is room for `most`: those of the followed work, then the busiest. Indices, in order.
std::vector<std::size_t> lanes_to_show(const std::vector<Lane>& lanes, const Trace& trace, const Walk& walk,
                                       std::size_t most);

}  // namespace warpwalk::story
