#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "app/pages/timeline/timeline_content.h"

namespace warpwalk::pages {

constexpr float lane_height = 20;

/// Tracks by PageTrack::key.
struct TrackMarks {
  std::set<std::string> pinned;  ///< stay at the top
  std::set<std::string> folded;  ///< have one row
};

/// A row of the page.
struct RowPlace {
  enum class Kind : unsigned char {
    lane,
    activity,  ///< a folded track of slices
    curve,
  };
  Kind kind = Kind::lane;
  std::size_t track = 0;  ///< of TimelineContent::order
  std::size_t lane = 0;   ///< of the track's lanes
  float y = 0;            ///< its top, in units from the top of the pinned or of the other rows
  float height = lane_height;
  bool stack = false;  ///< a further stack of its track begins
  bool first() const { return lane == 0; }
};

/// The rows of a stretch of time.
struct TimelineRows {
  std::vector<RowPlace> pinned, rest;  ///< from the top
  float pinned_height = 0, rest_height = 0;
};

/// The rows of [from, to), ns since the trace's start. A track has its first lane, and those with a slice in this
/// stretch. If pinned tracks are higher than `pinned_room`, the deep ones are folded.
TimelineRows timeline_rows(const TimelineContent& content, const TrackMarks& marks, std::int64_t from, std::int64_t to,
                           float pinned_room);

/// Where the scrolling rows begin.
struct RowAnchor {
  std::size_t track = 0, lane = 0;
};

/// The part of the scrolling rows that is shown: only whole rows, so that none is cut at the bottom.
struct RowWindow {
  std::size_t first = 0, last = 0;  ///< rows first .. last-1 of TimelineRows::rest
  float scroll = 0;                 ///< the top of the first
};
/// At the anchor, or earlier if the rows end before the room does.
RowWindow row_window(const std::vector<RowPlace>& rows, float height, const RowAnchor& anchor, float room);

/// The index of a slice in its lane; size() of the lane if it is not there.
std::size_t index_in(const analysis::TimelineLane& lane, trace::SliceId slice);
/// The row of a slice; size of `rows` if there is none.
std::size_t row_of(const std::vector<RowPlace>& rows, const TimelineContent& content, const trace::Trace& trace,
                   trace::SliceId slice);

}  // namespace warpwalk::pages
