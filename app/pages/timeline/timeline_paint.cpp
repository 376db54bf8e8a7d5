#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/pages/timeline/timeline_facts.h"
#include "app/pages/timeline/timeline_frame.h"
#include "app/pages/timeline/timeline_lanes.h"
#include "app/pages/timeline/timeline_times.h"
#include "core/analysis/slices.h"
#include "core/trace/link.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

void paint_row(TimelineFrame& page, const ShownRow& row) {
  Canvas& canvas = page.ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const RowPlace& place = row.place;
  if (place.first() && !place.stack)
    canvas.line({page.names.x, row.box.y - 5}, {row.box.right(), row.box.y - 5}, theme.line, theme.hairline);
  if (place.stack) canvas.dashed({row.box.x, row.box.y - 2}, {row.box.right(), row.box.y - 2}, theme.line, 1);
  const std::size_t index = page.track(place).index;
  switch (place.kind) {
    case RowPlace::Kind::lane: {
      const TimelineSearch& search = page.state.search;
      paint_lane(canvas, row.box, page.axis, page.trace, page.lane(place),
                 search.on() && !search.matches.slices.empty() ? &search.matches.lanes[index][place.lane] : nullptr);
      break;
    }
    case RowPlace::Kind::activity:
      paint_activity(canvas, row.box, page.axis, page.trace, page.state.content.activities[index]);
      break;
    case RowPlace::Kind::curve: paint_curve(canvas, row.box, page.axis, page.curve(place)); break;
  }
}

void outline(TimelineFrame& page, trace::SliceId slice, ImU32 colour) {
  const ShownRow* const row = page.row_with(slice);
  if (row == nullptr) return;
  const std::int64_t start = analysis::since_start(page.trace, page.trace.slices.start[slice]);
  const float left = page.axis.x(static_cast<double>(start));
  const float right = page.axis.x(static_cast<double>(start + page.trace.slices.duration[slice]));
  if (right < page.axis.left || left > page.axis.right) return;
  const float from = std::max(left, page.axis.left) - 1;
  page.ui.canvas().outline(
      {from, row->box.y, std::max(5.0f, std::min(right, page.axis.right) - from + 1), row->box.height}, colour, 3, 2);
}

// From a call to the work that it launched, if one of them is chosen.
void paint_launch(TimelineFrame& page) {
  const trace::SliceId slice = page.state.slice;
  if (slice == trace::no_slice) return;
  const bool work = trace::is_gpu_work(page.trace.slices.kind[slice]);
  const trace::SliceId launched = work ? slice : slice_to_follow(page.trace, slice);
  if (launched == trace::no_slice || !trace::is_gpu_work(page.trace.slices.kind[launched])) return;
  const trace::SliceId launch = trace::launch_of(page.trace, launched);
  const ShownRow* const from = page.row_with(launch);
  const ShownRow* const to = page.row_with(launched);
  if (from == nullptr || to == nullptr) return;
  const auto x = [&](std::int64_t time) {
    return page.axis.x(static_cast<double>(analysis::since_start(page.trace, time)));
  };
  // A short kernel may begin before the call returns.
  const std::int64_t leaves = std::min(page.trace.slices.end(launch), page.trace.slices.start[launched]);
  page.ui.canvas().dashed({x(leaves), from->box.y + lane_height / 2},
                          {x(page.trace.slices.start[launched]), to->box.y + lane_height / 2}, page.ui.theme().launch,
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
  const float top = page.lanes.y - 26;  // beside the axis
  canvas.fill({left, top, right - left, page.lanes.bottom() - top}, draw::with_alpha(theme.now, 0.10f));
  canvas.line({left, top}, {left, page.lanes.bottom()}, theme.now, 1);
  canvas.line({right, top}, {right, page.lanes.bottom()}, theme.now, 1);
  const std::string length = duration_digits(static_cast<std::int64_t>(to - from));
  const float wide = canvas.text_width(Style::mono_small, length);
  if (right - left > wide + 12)
    canvas.text_in({left, page.lanes.bottom() - 22, right - left, 18}, Style::mono_small, theme.now, length,
                   Align::centre);
}

// Says which tracks are out of sight; a click scrolls to them.
void paint_below_rows(TimelineFrame& page) {
  const std::vector<RowPlace>& rows = page.rows.rest;
  if (page.window.first == 0 && page.window.last >= rows.size()) return;
  draw::Ui& ui = page.ui;
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  paint_scroll_mark(canvas, {page.scrolling.x, page.scrolling.y, page.scrolling.width + 12, page.scrolling.height},
                    page.window.first, rows.size(), page.window.last - page.window.first);
  std::vector<std::size_t> below;
  for (std::size_t i = page.window.last; i < rows.size(); ++i)
    if (rows[i].first() && !rows[i].stack) below.push_back(rows[i].track);
  std::string words;
  if (page.window.last < rows.size() && below.empty())
    words = ui.word("timeline", "rows_below", {{"n", std::to_string(rows.size() - page.window.last)}});
  constexpr std::size_t named = 12;  // more do not fit
  std::string names;
  for (std::size_t i = 0; i < std::min(below.size(), named); ++i)
    names.append(i > 0 ? ", " : "").append(track_name(page, page.state.content.order[below[i]]));
  if (!below.empty())
    words = ui.word("timeline", below.size() == 1 ? "track_below" : "tracks_below",
                    {{"n", std::to_string(below.size())}, {"names", names}});
  if (page.window.last >= rows.size())
    words = ui.word("timeline", "rows_above", {{"n", std::to_string(page.window.first)}});
  const bool up = page.window.last >= rows.size();
  const Box line = {page.names.x, page.scrolling.bottom(), page.lanes.right() - page.names.x, 20};
  const float y = line.y + line.height / 2;
  const ImU32 colour = ui.hovered(line) ? theme.text : theme.second;
  if (up)
    canvas.triangle({line.x, y + 3}, {line.x + 4, y - 3}, {line.x + 8, y + 3}, colour);
  else
    canvas.triangle({line.x, y - 3}, {line.x + 8, y - 3}, {line.x + 4, y + 3}, colour);
  canvas.text_in({line.x + 16, line.y, line.width - 16, line.height}, Style::label, colour, words);
  if (ui.activated("timeline.below", line)) {
    const auto shown = static_cast<std::ptrdiff_t>(page.window.last - page.window.first);
    const std::ptrdiff_t by = std::max<std::ptrdiff_t>(1, shown - 1);
    scroll_rows(page, up ? -by : by);
  }
}

// A small pin: filled if the track is pinned.
void paint_pin(Canvas& canvas, const Box& box, ImU32 colour, bool pinned) {
  const float x = box.x + box.width / 2, y = box.y + box.height / 2;
  if (pinned)
    canvas.fill({x - 3, y - 6, 6, 7}, colour, 1);
  else
    canvas.outline({x - 3, y - 6, 6, 7}, colour, 1, 1);
  canvas.line({x - 5, y + 1}, {x + 5, y + 1}, colour, 1);
  canvas.line({x, y + 1}, {x, y + 7}, colour, 1);
}

// The name of a track at its first row; a click folds it, one on the pin pins it.
void paint_name(TimelineFrame& page, const ShownRow& row) {
  draw::Ui& ui = page.ui;
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const PageTrack& track = page.track(row.place);
  const bool folded = page.state.marks.folded.contains(track.key);
  const bool folds = track.curve || page.state.content.tracks[track.index].lanes.size() > 1;
  const Box box = {page.names.x, row.box.y, page.names.width - 10, lane_height};
  const Box pin = {box.right() - 18, box.y, 18, box.height};
  if (folds) {
    const float x = box.x + 4, y = box.y + lane_height / 2;
    if (folded)
      canvas.triangle({x, y - 4}, {x + 5, y}, {x, y + 4}, theme.second);
    else
      canvas.triangle({x - 2, y - 3}, {x + 6, y - 3}, {x + 2, y + 3}, theme.second);
  }
  const bool over = ui.hovered(box);
  const Box text = {box.x + 16, box.y, box.width - 16 - (over || row.pinned ? 20 : 0), box.height};
  const std::string name = track_name(page, track);
  canvas.text_in(text, Style::label, theme.text, name);
  if (over || row.pinned) paint_pin(canvas, pin, ui.hovered(pin) ? theme.text : theme.second, row.pinned);
  if (over) ui.tooltip(ui.hovered(pin) ? ui.word("timeline", row.pinned ? "unpin.tip" : "pin.tip") : name);
  if (track.curve && row.box.height > lane_height) {
    const TraceCurve& curve = page.curve(row.place);
    canvas.text_in({text.x, row.box.y + lane_height, page.names.width - 26, lane_height}, Style::mono_small,
                   theme.second,
                   ui.word("timeline", "curve.highest", {{"value", curve_value_text(curve, curve.highest())}}));
  }
  if (!over || !ui.input().mouse_pressed) return;
  if (ui.hovered(pin))
    toggle_pinned(page.state, row.place.track);
  else if (folds)
    toggle_folded(page.state, row.place.track);
}

}  // namespace

void paint_timeline_rows(TimelineFrame& page, const story::Walk& walk) {
  Canvas& canvas = page.ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.clip({0, page.lanes.y, canvas.width(), page.lanes.height});
  for (const ShownRow& row : page.on) paint_row(page, row);
  if (!page.on.empty() && page.on.front().pinned)
    canvas.line({page.names.x, page.scrolling.y - 6}, {page.lanes.right(), page.scrolling.y - 6}, theme.second, 1);
  canvas.clip({page.lanes.x - 2, page.lanes.y, page.lanes.width + 4, page.lanes.height});
  paint_launch(page);
  for (const trace::SliceId slice : {walk.ops.empty() ? walk.op : walk.ops.front(), walk.kernel})
    if (slice != page.state.slice) outline(page, slice, theme.now);
  if (page.state.slice != trace::no_slice) outline(page, page.state.slice, theme.text);
  canvas.unclip();
  canvas.unclip();
  paint_below_rows(page);
  paint_range(page);
}

void paint_track_names(TimelineFrame& page) {
  for (std::size_t i = 0; i < page.on.size(); ++i)
    if (i == 0 || page.on[i].place.track != page.on[i - 1].place.track) paint_name(page, page.on[i]);
}

void paint_note_flags(TimelineFrame& page) {
  draw::Ui& ui = page.ui;
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const float base = page.lanes.y - 1;
  constexpr float flag_wide = 9, flag_high = 11;
  float before = -flag_wide;
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < page.state.notebook.notes.size(); ++i) {
    const TimelineNote& note = page.state.notebook.notes[i];
    const float left = page.axis.x(static_cast<double>(note.from)), right = page.axis.x(static_cast<double>(note.to));
    if (right < page.axis.left || left > page.axis.right) continue;
    if (note.slice.empty())  // how far it goes
      canvas.line({std::max(left, page.axis.left), base}, {std::min(right, page.axis.right), base}, theme.text, 1);
    if (left < page.axis.left || left - before < 3) continue;  // flags are not drawn on each other
    before = left;
    canvas.line({left, base - flag_high}, {left, base}, theme.text, 1);
    canvas.triangle({left, base - flag_high}, {left + flag_wide, base - flag_high + 3}, {left, base - flag_high + 7},
                    theme.text);
    const Box box = {left - 3, base - flag_high - 2, flag_wide + 6, flag_high + 2};
    if (!ui.hovered(box)) continue;
    ui.tooltip(note.text);
    if (ui.input().mouse_pressed) chosen = i;
  }
  if (!chosen) return;
  page.state.panel.side = TimelinePanel::Side::notes;
  page.state.notebook.row = page.state.notebook.first = *chosen;
  go_to_note(page, TimelineNote(page.state.notebook.notes[*chosen]));
}

}  // namespace warpwalk::pages
