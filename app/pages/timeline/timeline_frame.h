#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "app/pages/timeline/timeline_lanes.h"

namespace warpwalk::pages {

/// One frame of the timeline's page, for the parts that draw it and those that take input.
struct TimelineFrame {
  draw::Ui& ui;
  const trace::Trace& trace;
  TimelineState& state;
  panels::StripState& shown;
  std::vector<LanePlace> places;
  draw::Box lanes;      ///< where lanes are drawn, without the names of tracks
  pictures::Axis axis;  ///< of the shown stretch

  std::int64_t length() const { return trace.end_ns - trace.begin_ns; }
  const story::TimelineLane& lane(const LanePlace& place) const { return state.tracks[place.track].lanes[place.lane]; }
  double time_at(float x) const {
    return axis.from + static_cast<double>((x - axis.left) / (axis.right - axis.left)) * (axis.to - axis.from);
  }
  /// The lane at a height on the canvas; null between lanes.
  const LanePlace* lane_at(float y) const {
    const float down = y - lanes.y + state.scroll;
    for (const LanePlace& place : places)
      if (down >= place.y && down < place.y + lane_height) return &place;
    return nullptr;
  }
};

/// A press that moves further marks a range of time, in units.
constexpr float timeline_click = 4;

/// The times of the chosen slice, ns since the trace's start. There must be one.
std::pair<double, double> chosen_times(const TimelineFrame& page);

/// Zooms, pans, chooses, marks. Returns the slice to follow.
std::optional<story::SliceId> take_timeline_keys(TimelineFrame& page);
/// `names`: the box of the tracks' names.
void take_timeline_pointer(TimelineFrame& page, const draw::Box& names);

}  // namespace warpwalk::pages
