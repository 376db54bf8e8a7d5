#include "app/pages/timeline/timeline_lanes.h"

#include <algorithm>
#include <cmath>

#include "core/story/facts/words/rows.h"

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float track_gap = 10;
constexpr float cluster = 2;    // units; slices that are narrower share one piece of this width
constexpr float labelled = 28;  // the width from which a slice has its name
constexpr int levels = 8;       // of the share of busy time

ImU32 slice_colour(const trace::Trace& trace, story::SliceId slice, const draw::Theme& theme) {
  const story::Role role = story::role_of(trace, slice, {});
  const ImU32 colour = draw::colour_of(role, theme);
  return role == story::Role::python ? draw::mixed(colour, theme.panel, 0.6f) : colour;
}

}  // namespace

std::vector<LanePlace> lane_places(const TimelineState& state) {
  std::vector<LanePlace> places;
  float y = 0;
  for (std::size_t t = 0; t < state.tracks.size(); ++t) {
    const std::size_t lanes =
        state.folded.contains(state.tracks[t].track) ? std::size_t{1} : state.tracks[t].lanes.size();
    for (std::size_t lane = 0; lane < lanes; ++lane, y += lane_height) places.push_back({t, lane, y});
    y += track_gap;
  }
  return places;
}

std::size_t index_in(const story::TimelineLane& lane, const trace::Trace& trace, story::SliceId slice) {
  const std::int64_t start = story::since_start(trace, trace.slices.start[slice]);
  for (std::size_t i = lane.starting_at(start); i < lane.size() && lane.start(i) == start; ++i)
    if (lane.slice(i) == slice) return i;
  return lane.size();
}

const LanePlace* place_of(const std::vector<LanePlace>& places, const TimelineState& state, const trace::Trace& trace,
                          story::SliceId slice) {
  if (slice == story::no_slice) return nullptr;
  for (const LanePlace& place : places) {
    const story::TimelineTrack& track = state.tracks[place.track];
    if (track.track != trace.slices.track[slice]) continue;
    const story::TimelineLane& lane = track.lanes[place.lane];
    if (index_in(lane, trace, slice) < lane.size()) return &place;
  }
  return nullptr;
}

void paint_lane(Canvas& canvas, const Box& box, const pictures::Axis& axis, const trace::Trace& trace,
                const story::TimelineLane& lane) {
  const draw::Theme& theme = canvas.theme();
  const double unit = (axis.to - axis.from) / static_cast<double>(axis.right - axis.left);  // ns
  const auto shown_to = static_cast<std::int64_t>(std::ceil(axis.to));
  // Neighbouring clusters that look the same are drawn as one.
  float run_from = 0, run_to = 0;
  int run_level = 0;
  ImU32 run_colour = 0;
  const auto flush = [&] {
    if (run_level > 0)
      canvas.fill({run_from, box.y + 1, run_to - run_from, box.height - 2},
                  draw::mixed(run_colour, theme.ground, 0.25f + 0.65f * static_cast<float>(run_level) / levels));
    run_level = 0;
  };
  std::size_t i = lane.ending_after(static_cast<std::int64_t>(axis.from));
  while (i < lane.size() && lane.start(i) < shown_to) {
    const float left = std::max(axis.left, axis.x(static_cast<double>(lane.start(i))));
    const float right = std::min(axis.right, axis.x(static_cast<double>(lane.end(i))));
    const ImU32 colour = slice_colour(trace, lane.slice(i), theme);
    if (right - left >= cluster) {
      flush();
      const Box slice = {left, box.y + 1, std::max(1.0f, right - left - (right - left > 4 ? 1.0f : 0.0f)),
                         box.height - 2};
      canvas.fill(slice, draw::mixed(colour, theme.ground, 0.45f), 2);
      canvas.fill({slice.x, slice.y, std::min(2.0f, slice.width), slice.height}, colour);
      if (slice.width >= labelled)
        canvas.text_in({slice.x + 6, slice.y, slice.width - 8, slice.height}, Style::label, theme.text,
                       story::label_of(trace, lane.slice(i)));
      ++i;
      continue;
    }
    // Merges the slices that start within one piece, up to a slice that is wide enough by itself.
    const float piece = axis.left + std::floor((left - axis.left) / cluster) * cluster;
    const auto from = static_cast<std::int64_t>(axis.from + static_cast<double>(piece - axis.left) * unit);
    const std::int64_t to =
        std::max(lane.start(i) + 1, static_cast<std::int64_t>(static_cast<double>(from) + cluster * unit));
    std::size_t next = lane.starting_at(to, i);
    if (next > i + 1 && static_cast<double>(lane.end(next - 1) - lane.start(next - 1)) >= cluster * unit) --next;
    const std::int64_t busy = lane.busy_of(i, next);  // that of the last may reach into the next piece
    const int level = std::clamp(
        static_cast<int>(std::lround(levels * static_cast<double>(busy) / static_cast<double>(to - from))), 1, levels);
    if (level != run_level || colour != run_colour || piece > run_to + 0.5f) {
      flush();
      run_from = piece;
      run_level = level;
      run_colour = colour;
    }
    run_to = std::min(axis.right, piece + cluster);
    i = next;
  }
  flush();
}

}  // namespace warpwalk::pages
