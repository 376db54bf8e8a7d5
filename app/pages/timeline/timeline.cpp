#include "app/pages/timeline/timeline.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "app/pages/timeline/timeline_facts.h"
#include "app/pages/timeline/timeline_frame.h"
#include "app/pages/timeline/timeline_page.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/words/rows.h"
#include "core/trace/link.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;
using story::TimelineLane;

constexpr float timeline_margin = 24, timeline_head_height = 52, timeline_axis_height = 30, timeline_gutter = 170,
                facts_height = 214;

// Scrolls and pans so that the chosen slice can be seen.
void bring_into_view(TimelineFrame& page) {
  TimelineState& state = page.state;
  const LanePlace* const place = place_of(page.places, state, page.trace, state.slice);
  if (std::exchange(state.to_slice, false) && place != nullptr) {
    if (place->y < state.scroll) state.scroll = place->y;
    state.scroll = std::max(state.scroll, place->y + lane_height - page.lanes.height);
    const auto [from, to] = chosen_times(page);
    const double wide = page.shown.to - page.shown.from;
    if (to < page.shown.from + 0.02 * wide || from > page.shown.to - 0.02 * wide) {
      const double middle = to - from < wide ? (from + to) / 2 : from + 0.4 * wide;
      panels::pan(page.shown, (middle - (page.shown.from + page.shown.to) / 2) / wide, page.length());
    }
  }
  const float content = page.places.empty() ? 0 : page.places.back().y + lane_height;
  state.scroll = std::clamp(state.scroll, 0.0f, std::max(0.0f, content - page.lanes.height));
}

// The names of tracks, which fold them.
void paint_track_names(TimelineFrame& page) {
  Canvas& canvas = page.ui.canvas();
  const draw::Theme& theme = canvas.theme();
  for (const LanePlace& place : page.places) {
    if (place.lane != 0) continue;
    const story::TimelineTrack& track = page.state.tracks[place.track];
    const bool folds = track.lanes.size() > 1, folded = page.state.folded.contains(track.track);
    // The name stays in sight as long as a lane of the track does.
    const float top = page.lanes.y + place.y - page.state.scroll;
    const float last = top + (folded ? 0.0f : lane_height * static_cast<float>(track.lanes.size() - 1));
    const Box box = {timeline_margin, std::clamp(page.lanes.y, top, last), timeline_gutter - 10, lane_height};
    if (box.bottom() < page.lanes.y || box.y > page.lanes.bottom()) continue;
    if (folds) {
      const float x = box.x + 4, y = box.y + lane_height / 2;
      if (folded)
        canvas.triangle({x, y - 4}, {x + 5, y}, {x, y + 4}, theme.second);
      else
        canvas.triangle({x - 2, y - 3}, {x + 6, y - 3}, {x + 2, y + 3}, theme.second);
    }
    canvas.text_in({box.x + 16, box.y, box.width - 16, box.height}, Style::label, theme.text,
                   story::track_label(page.ui.words(), page.trace, track.track));
    if (folds && page.ui.hovered(page.lanes.y <= page.ui.input().mouse.y ? box : Box{}) &&
        page.ui.input().mouse_pressed) {
      if (folded)
        page.state.folded.erase(track.track);
      else
        page.state.folded.insert(track.track);
    }
  }
}

void outline(TimelineFrame& page, story::SliceId slice, ImU32 colour) {
  const LanePlace* const place = place_of(page.places, page.state, page.trace, slice);
  if (place == nullptr) return;
  const TimelineLane& lane = page.lane(*place);
  const std::size_t i = index_in(lane, page.trace, slice);
  const float left = page.axis.x(static_cast<double>(lane.start(i)));
  const float right = page.axis.x(static_cast<double>(lane.end(i)));
  if (right < page.axis.left || left > page.axis.right) return;
  const float from = std::max(left, page.axis.left) - 1;
  page.ui.canvas().outline({from, page.lanes.y + place->y - page.state.scroll,
                            std::max(5.0f, std::min(right, page.axis.right) - from + 1), lane_height},
                           colour, 3, 2);
}

// From a call to the work that it launched, if one of them is chosen.
void paint_launch(TimelineFrame& page) {
  const story::SliceId slice = page.state.slice;
  if (slice == story::no_slice) return;
  const bool work = trace::is_gpu_work(page.trace.slices.kind[slice]);
  const story::SliceId launched = work ? slice : slice_to_follow(page.trace, slice);
  if (launched == story::no_slice || !trace::is_gpu_work(page.trace.slices.kind[launched])) return;
  const story::SliceId launch = trace::launch_of(page.trace, launched);
  const LanePlace* const from = place_of(page.places, page.state, page.trace, launch);
  const LanePlace* const to = place_of(page.places, page.state, page.trace, launched);
  if (from == nullptr || to == nullptr) return;
  const auto x = [&](std::int64_t time) {
    return page.axis.x(static_cast<double>(story::since_start(page.trace, time)));
  };
  const float top = page.lanes.y - page.state.scroll;
  // A short kernel may begin before the call returns.
  const std::int64_t leaves = std::min(page.trace.slices.end(launch), page.trace.slices.start[launched]);
  page.ui.canvas().dashed({x(leaves), top + from->y + lane_height / 2},
                          {x(page.trace.slices.start[launched]), top + to->y + lane_height / 2}, page.ui.theme().launch,
                          2);
}

// The marked range, or the one that is being marked.
void paint_range(TimelineFrame& page) {
  double from = 0, to = 0;
  if (page.state.pressed && std::abs(page.ui.input().mouse.x - page.state.pressed_x) > timeline_click) {
    from = *page.state.pressed;
    to = page.time_at(std::clamp(page.ui.input().mouse.x, page.axis.left, page.axis.right));
    if (from > to) std::swap(from, to);
  } else if (page.state.range) {
    from = static_cast<double>(page.state.range->from);
    to = static_cast<double>(page.state.range->to);
  } else {
    return;
  }
  Canvas& canvas = page.ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const float left = std::clamp(page.axis.x(from), page.axis.left, page.axis.right);
  const float right = std::clamp(page.axis.x(to), page.axis.left, page.axis.right);
  const float top = page.lanes.y - timeline_axis_height + 4;
  canvas.fill({left, top, right - left, page.lanes.bottom() - top}, draw::with_alpha(theme.now, 0.10f));
  canvas.line({left, top}, {left, page.lanes.bottom()}, theme.now, 1);
  canvas.line({right, top}, {right, page.lanes.bottom()}, theme.now, 1);
  const std::string length = story::time_text(to - from);
  const float wide = canvas.text_width(Style::mono_small, length);
  if (right - left > wide + 12)
    canvas.text_in({left, page.lanes.bottom() - 22, right - left, 18}, Style::mono_small, theme.now, length,
                   Align::centre);
}

}  // namespace

std::optional<story::SliceId> timeline(draw::Ui& ui, const trace::Trace& trace, const story::Walk& walk,
                                       panels::StripState& shown, TimelineState& state) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const float width = canvas.width(), height = canvas.height();
  canvas.fill({0, 0, width, height}, theme.ground);
  canvas.text_in({timeline_margin, 0, 200, timeline_head_height}, Style::heading, theme.text,
                 ui.word("timeline", "heading"));
  canvas.text_in({timeline_margin + 200, 0, width - 2 * timeline_margin - 200, timeline_head_height}, Style::label,
                 theme.second, ui.word("timeline", "keys"), Align::right);
  if (state.tracks.empty()) {
    state.tracks = story::timeline_tracks(trace);
    state.slice = walk.kernel != story::no_slice ? walk.kernel : walk.op;
    state.to_slice = true;
  }
  if (state.tracks.empty()) {
    canvas.text({timeline_margin, timeline_head_height + 16}, Style::body, theme.second, ui.word("timeline", "empty"));
    return {};
  }
  panels::pan(shown, 0, trace.end_ns - trace.begin_ns);  // inside the trace

  const float facts_high = std::min(facts_height, 0.4f * height);
  const Box lanes = {timeline_margin + timeline_gutter, timeline_head_height + timeline_axis_height,
                     width - 2 * timeline_margin - timeline_gutter,
                     height - timeline_head_height - timeline_axis_height - facts_high - 12};
  TimelineFrame page = {ui, trace, state, shown, lane_places(state), lanes, {}};
  page.axis = {shown.from, shown.to, lanes.x, lanes.right()};
  const std::optional<story::SliceId> followed = take_timeline_keys(page);
  take_timeline_pointer(page, {timeline_margin, lanes.y, timeline_gutter, lanes.height});
  bring_into_view(page);
  page.axis = {shown.from, shown.to, lanes.x, lanes.right()};

  pictures::paint_axis(canvas, page.axis, timeline_head_height, 0);
  canvas.clip({0, lanes.y, width, lanes.height});
  for (const LanePlace& place : page.places) {
    const float y = lanes.y + place.y - state.scroll;
    if (y + lane_height < lanes.y || y > lanes.bottom()) continue;
    const Box box = {lanes.x, y, lanes.width, lane_height};
    if (place.lane == 0) canvas.line({timeline_margin, y - 5}, {lanes.right(), y - 5}, theme.line, theme.hairline);
    paint_lane(canvas, box, page.axis, trace, page.lane(place));
  }
  paint_track_names(page);
  canvas.clip({lanes.x - 2, lanes.y, lanes.width + 4, lanes.height});
  paint_launch(page);
  for (const story::SliceId slice : {walk.ops.empty() ? walk.op : walk.ops.front(), walk.kernel})
    if (slice != state.slice) outline(page, slice, theme.now);
  if (state.slice != story::no_slice) outline(page, state.slice, theme.text);
  canvas.unclip();
  canvas.unclip();
  paint_range(page);

  const float y = lanes.bottom() + 12;
  canvas.line({0, y}, {width, y}, theme.line, theme.hairline);
  const float slice_wide = std::clamp(0.3f * width, 260.0f, 420.0f);
  const Box facts = {timeline_margin, y + 12, width - 2 * timeline_margin, height - y - 24};
  const bool pressed = timeline_slice(ui, {facts.x, facts.y, slice_wide, facts.height}, trace, state.slice);
  timeline_range(ui, {facts.x + slice_wide + 32, facts.y, facts.width - slice_wide - 32, facts.height}, trace,
                 state.range);
  if (followed) return followed;
  if (pressed) return slice_to_follow(trace, state.slice);
  return {};
}

void TimelinePage::paint(draw::Ui& ui) {
  const auto slice = timeline(ui, opened().document->trace(), opened().walk, context().strip, state_);
  if (!slice) return;
  program().close_page();
  program().follow(*slice);
}

}  // namespace warpwalk::pages
