#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "app/pages/timeline/timeline_facts.h"
#include "app/pages/timeline/timeline_frame.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/words/rows.h"

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Key;
using story::TimelineLane;

void mark_range(TimelineFrame& page, double a, double b) {
  const auto from = static_cast<std::int64_t>(std::clamp(std::min(a, b), 0.0, static_cast<double>(page.length())));
  const auto to = static_cast<std::int64_t>(std::clamp(std::max(a, b), 0.0, static_cast<double>(page.length())));
  if (to > from) page.state.range = story::statistics_of(page.trace, page.state.tracks, from, to);
}

void choose(TimelineFrame& page, story::SliceId slice) {
  page.state.slice = slice;
  page.state.to_slice = true;
}

// Up and down: the slice of the next lane that is nearest to the middle of this one.
void choose_in_lane(TimelineFrame& page, const LanePlace* place, int by) {
  if (place == nullptr) return;
  const trace::Slices& rows = page.trace.slices;
  const std::int64_t middle =
      story::since_start(page.trace, rows.start[page.state.slice] + rows.duration[page.state.slice] / 2);
  auto at = place - page.places.data() + by;
  for (; at >= 0 && at < static_cast<std::ptrdiff_t>(page.places.size()); at += by) {
    const TimelineLane& lane = page.lane(page.places[static_cast<std::size_t>(at)]);
    const std::size_t i = lane.at(middle, INT64_MAX - 1);
    if (i < lane.size()) return choose(page, lane.slice(i));
  }
}

// Left and right: the neighbour in the lane. Home and End: the first and the last slice of the lane.
void choose_neighbour(TimelineFrame& page, const LanePlace* place, Key key) {
  if (place == nullptr) return;
  const TimelineLane& lane = page.lane(*place);
  std::size_t i = index_in(lane, page.trace, page.state.slice);
  if (key == Key::left && i > 0) --i;
  if (key == Key::right && i + 1 < lane.size()) ++i;
  if (key == Key::home) i = 0;
  if (key == Key::end) i = lane.size() - 1;
  choose(page, lane.slice(i));
}

// The time that stays in place when keys zoom: the chosen slice if it is visible, else the middle.
double zoom_centre(const TimelineFrame& page) {
  const double middle = (page.shown.from + page.shown.to) / 2;
  if (page.state.slice == story::no_slice) return middle;
  const auto [from, to] = chosen_times(page);
  const double at = (from + to) / 2;
  return at >= page.shown.from && at <= page.shown.to ? at : middle;
}

// Fills most of the page with the marked range, else with the chosen slice.
void show_chosen(TimelineFrame& page) {
  double from = 0, to = 0;
  if (page.state.range) {
    from = static_cast<double>(page.state.range->from);
    to = static_cast<double>(page.state.range->to);
  } else if (page.state.slice != story::no_slice) {
    std::tie(from, to) = chosen_times(page);
  } else {
    return;
  }
  const double edge = std::max(100.0, 0.1 * (to - from));
  page.shown = {from - edge, to + edge};
  panels::pan(page.shown, 0, page.length());
}

}  // namespace

std::pair<double, double> chosen_times(const TimelineFrame& page) {
  const auto from = static_cast<double>(story::since_start(page.trace, page.trace.slices.start[page.state.slice]));
  return {from, from + static_cast<double>(page.trace.slices.duration[page.state.slice])};
}

std::optional<story::SliceId> take_timeline_keys(TimelineFrame& page) {
  const LanePlace* const place = place_of(page.places, page.state, page.trace, page.state.slice);
  const double middle = zoom_centre(page);
  for (const draw::KeyPress& press : page.ui.input().keys) {
    if (press.control) continue;
    switch (press.key) {
      case Key::left:
      case Key::right:
      case Key::home:
      case Key::end: choose_neighbour(page, place, press.key); break;
      case Key::up: choose_in_lane(page, place, -1); break;
      case Key::down: choose_in_lane(page, place, 1); break;
      case Key::page_up: page.state.scroll -= page.lanes.height; break;
      case Key::page_down: page.state.scroll += page.lanes.height; break;
      case Key::enter:
        if (!page.ui.focus_shown("timeline.follow"))
          if (const story::SliceId slice = slice_to_follow(page.trace, page.state.slice); slice != story::no_slice)
            return slice;
        break;
      case Key::character:
        if (press.character == U'w') panels::zoom(page.shown, 0.7, middle, page.length());
        if (press.character == U's') panels::zoom(page.shown, 1 / 0.7, middle, page.length());
        if (press.character == U'a') panels::pan(page.shown, -0.25, page.length());
        if (press.character == U'd') panels::pan(page.shown, 0.25, page.length());
        if (press.character == U'f') page.shown = {0, static_cast<double>(page.length())};
        if (press.character == U'z') show_chosen(page);
        if (press.character == U'm' && page.state.slice != story::no_slice) {
          const auto [from, to] = chosen_times(page);
          mark_range(page, from, to);
        }
        break;
      default: break;
    }
  }
  return {};
}

void take_timeline_pointer(TimelineFrame& page, const Box& names) {
  draw::Ui& ui = page.ui;
  TimelineState& state = page.state;
  state.scroll -= ui.wheel(names) * 3 * lane_height;
  if (const float notches = ui.wheel(page.lanes); notches != 0)
    panels::zoom(page.shown, std::pow(0.8, static_cast<double>(notches)), page.time_at(ui.input().mouse.x),
                 page.length());

  const float x = std::clamp(ui.input().mouse.x, page.axis.left, page.axis.right);
  const LanePlace* const place = ui.hovered(page.lanes) ? page.lane_at(ui.input().mouse.y) : nullptr;
  const auto reach = static_cast<std::int64_t>(page.time_at(page.axis.left + 3) - page.axis.from);
  story::SliceId under = story::no_slice;
  if (place != nullptr) {
    const TimelineLane& lane = page.lane(*place);
    const std::size_t i = lane.at(static_cast<std::int64_t>(page.time_at(x)), reach);
    if (i < lane.size()) under = lane.slice(i);
  }
  if (ui.dragged("timeline.lanes", page.lanes)) {
    if (!state.pressed) {
      state.pressed = page.time_at(x);
      state.pressed_x = x;
    }
  } else if (state.pressed) {  // released
    if (std::abs(x - state.pressed_x) > timeline_click)
      mark_range(page, *state.pressed, page.time_at(x));
    else if (under != story::no_slice)
      state.slice = under;
    else
      state.range.reset();
    state.pressed.reset();
  }
  if (under != story::no_slice && !state.pressed) {
    const trace::Slices& rows = page.trace.slices;
    ui.tooltip(
        ui.word("strip", "slice.tip",
                {{"slice", story::label_of(page.trace, under)},
                 {"time", story::time_text(static_cast<double>(rows.duration[under]))},
                 {"at", story::time_text(static_cast<double>(story::since_start(page.trace, rows.start[under])))},
                 {"origin", ui.word("origin", trace::name_of(page.trace.records.time_origin()))}}));
  }
}

}  // namespace warpwalk::pages
