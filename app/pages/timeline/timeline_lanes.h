#pragma once

#include <cstddef>
#include <vector>

#include "app/pages/timeline/timeline.h"
#include "app/pictures/axis.h"

namespace warpwalk::pages {

/// A lane's place on the timeline's page.
struct LanePlace {
  std::size_t track = 0;  ///< index into TimelineState::tracks
  std::size_t lane = 0;
  float y = 0;  ///< its top, in units from the top of the first lane
};

constexpr float lane_height = 20;

/// The lanes that are not folded away, from the top.
std::vector<LanePlace> lane_places(const TimelineState& state);
/// The lane of a slice; null if it is folded away or has no time.
const LanePlace* place_of(const std::vector<LanePlace>& places, const TimelineState& state, const trace::Trace& trace,
                          story::SliceId slice);
/// The index of a slice in its lane; size() of the lane if it is not there.
std::size_t index_in(const story::TimelineLane& lane, const trace::Trace& trace, story::SliceId slice);

/// Draws one lane. Slices that are narrower than a few pixels are drawn together, with the share of their time.
void paint_lane(draw::Canvas& canvas, const draw::Box& box, const pictures::Axis& axis, const trace::Trace& trace,
                const story::TimelineLane& lane);

}  // namespace warpwalk::pages
