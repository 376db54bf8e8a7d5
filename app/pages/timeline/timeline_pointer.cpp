#include <algorithm>
#include <cmath>
#include <string>

#include "app/pages/timeline/timeline_frame.h"
#include "app/pages/timeline/timeline_range.h"
#include "app/pages/timeline/timeline_times.h"
#include "core/analysis/slices.h"
#include "core/story/elements/figure.h"

namespace warpwalk::pages {
namespace {

// The slice of a row at a time, or the nearest within a few pixels.
trace::SliceId slice_at(const TimelineFrame& page, const ShownRow& row, std::int64_t time) {
  const auto reach = static_cast<std::int64_t>(page.time_at(page.axis.left + 3) - page.axis.from);
  if (row.place.kind == RowPlace::Kind::curve) return trace::no_slice;
  if (row.place.kind == RowPlace::Kind::activity)
    return page.state.content.activities[page.track(row.place).index].at(time, reach);
  const analysis::TimelineLane& lane = page.lane(row.place);
  const std::size_t i = lane.at(time, reach);
  return i < lane.size() ? lane.slice(i) : trace::no_slice;
}

void tip_of_slice(TimelineFrame& page, trace::SliceId slice) {
  const trace::Slices& rows = page.trace.slices;
  const std::int64_t fine = std::min(page.resolution(), rows.duration[slice] / 10);
  page.ui.tooltip(page.ui.word("strip", "slice.tip",
                               {{"slice", analysis::label_of(page.trace, slice)},
                                {"time", duration_digits(rows.duration[slice])},
                                {"at", point_text(analysis::since_start(page.trace, rows.start[slice]), fine)},
                                {"origin", page.ui.word("origin", trace::name_of(page.trace.records.time_origin()))}}));
}

void tip_of_curve(TimelineFrame& page, const TraceCurve& curve, std::int64_t time) {
  const auto value = curve.curve.at(time);
  if (!value) return;
  const auto reserved = curve.reserved.at(time);
  const char* const key = curve.kind == TraceCurve::Kind::queue    ? "curve.queue.tip"
                          : curve.kind == TraceCurve::Kind::driver ? "curve.driver.tip"
                          : reserved                               ? "curve.reserved.tip"
                                                                   : "curve.memory.tip";
  page.ui.tooltip(page.ui.word("timeline", key,
                               {{"value", curve_value_text(curve, *value)},
                                {"reserved", curve_value_text(curve, reserved.value_or(0))},
                                {"highest", curve_value_text(curve, curve.highest())},
                                {"at", point_text(time, page.resolution())},
                                {"origin", page.ui.word("origin", trace::name_of(page.trace.records.time_origin()))}}));
}

// Where rows are drawn, without the line below them.
draw::Box rows_box(const TimelineFrame& page) {
  return {page.lanes.x, page.lanes.y, page.lanes.width, page.scrolling.bottom() - page.lanes.y};
}

// A press and its release: a click chooses, a drag marks.
void take_press(TimelineFrame& page, float x, trace::SliceId under) {
  TimelineState& state = page.state;
  if (page.ui.dragged("timeline.lanes", rows_box(page))) {
    if (!state.pressed) {
      state.pressed = page.time_at(x);
      state.pressed_x = x;
      state.typing = TimelineTyping::none;
    }
  } else if (state.pressed) {  // released
    if (std::abs(x - state.pressed_x) > timeline_click)
      mark_range(page, *state.pressed, page.time_at(x));
    else if (under != trace::no_slice)
      state.slice = under;
    else
      state.range.reset();
    state.pressed.reset();
  }
}

}  // namespace

std::string curve_value_text(const TraceCurve& curve, std::int64_t value) {
  return curve.kind == TraceCurve::Kind::queue ? story::with_thousands(value)
                                               : story::bytes_text(static_cast<double>(value));
}

void mark_range(TimelineFrame& page, double a, double b) {
  const auto from = static_cast<std::int64_t>(std::clamp(std::min(a, b), 0.0, static_cast<double>(page.length())));
  const auto to = static_cast<std::int64_t>(std::clamp(std::max(a, b), 0.0, static_cast<double>(page.length())));
  if (to <= from) return;
  page.state.range = analysis::statistics_of(page.trace, page.state.content.tracks, from, to);
  page.state.panel.side = TimelinePanel::Side::range;
  order_range(page.state, page.state.panel.order);
}

void take_timeline_pointer(TimelineFrame& page) {
  draw::Ui& ui = page.ui;
  if (const float notches = ui.wheel(page.names); notches != 0)
    scroll_rows(page, static_cast<std::ptrdiff_t>(std::lround(-3 * notches)));
  if (const float notches = ui.wheel(page.lanes); notches != 0)
    panels::zoom(page.shown, std::pow(0.8, static_cast<double>(notches)), page.time_at(ui.input().mouse.x),
                 page.length());

  const float x = std::clamp(ui.input().mouse.x, page.axis.left, page.axis.right);
  const auto time = static_cast<std::int64_t>(page.time_at(x));
  const ShownRow* const row = ui.hovered(rows_box(page)) ? page.row_at(ui.input().mouse.y) : nullptr;
  const trace::SliceId under = row != nullptr ? slice_at(page, *row, time) : trace::no_slice;
  take_press(page, x, under);
  if (row == nullptr || page.state.pressed) return;
  if (row->place.kind == RowPlace::Kind::curve)
    tip_of_curve(page, page.curve(row->place), time);
  else if (under != trace::no_slice)
    tip_of_slice(page, under);
}

}  // namespace warpwalk::pages
