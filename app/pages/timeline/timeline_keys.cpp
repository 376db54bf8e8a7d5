#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "app/pages/timeline/timeline_facts.h"
#include "app/pages/timeline/timeline_frame.h"
#include "app/pages/timeline/timeline_range.h"
#include "core/analysis/slices.h"

namespace warpwalk::pages {
namespace {

using analysis::TimelineLane;
using draw::Key;
using draw::KeyPress;

void choose(TimelineFrame& page, trace::SliceId slice) {
  page.state.slice = slice;
  page.state.to_slice = true;
}

constexpr std::int64_t any_distance = INT64_MAX / 2;

// The slice of a row that is nearest to a time, at most `reach` ns from it; no_slice if the row has none.
trace::SliceId nearest_in(const TimelineFrame& page, const RowPlace& row, std::int64_t time,
                          std::int64_t reach = any_distance) {
  if (row.kind == RowPlace::Kind::curve) return trace::no_slice;
  if (row.kind == RowPlace::Kind::activity) return page.state.content.activities[page.track(row).index].at(time, reach);
  const TimelineLane& lane = page.lane(row);
  const std::size_t i = lane.at(time, reach);
  return i < lane.size() ? lane.slice(i) : trace::no_slice;
}

// If no slice is chosen, or its row is not there in the shown stretch: the slice nearest to the middle of the stretch
// in the first of the shown rows that has one in it.
void choose_shown(TimelineFrame& page) {
  const auto middle = static_cast<std::int64_t>((page.shown.from + page.shown.to) / 2);
  const auto half = static_cast<std::int64_t>((page.shown.to - page.shown.from) / 2);
  for (const std::int64_t reach : {half, any_distance})
    for (const ShownRow& row : page.on)
      if (const trace::SliceId slice = nearest_in(page, row.place, middle, reach); slice != trace::no_slice)
        return choose(page, slice);
}

// Up and down: the slice of the next row that is nearest to the middle of this one. Pinned rows come first.
void choose_in_row(TimelineFrame& page, int by) {
  if (page.state.slice == trace::no_slice) return choose_shown(page);
  std::vector<RowPlace> rows = page.rows.pinned;
  rows.insert(rows.end(), page.rows.rest.begin(), page.rows.rest.end());
  const trace::Slices& slices = page.trace.slices;
  const std::int64_t middle =
      analysis::since_start(page.trace, slices.start[page.state.slice] + slices.duration[page.state.slice] / 2);
  const auto count = static_cast<std::ptrdiff_t>(rows.size());
  auto at = static_cast<std::ptrdiff_t>(row_of(rows, page.state.content, page.trace, page.state.slice));
  if (at == count) return choose_shown(page);
  for (at += by; at >= 0 && at < count; at += by)
    if (const trace::SliceId slice = nearest_in(page, rows[static_cast<std::size_t>(at)], middle);
        slice != trace::no_slice)
      return choose(page, slice);
}

// Left and right: the neighbour in the lane. Home and End: the first and the last slice of the lane.
void choose_neighbour(TimelineFrame& page, Key key) {
  const std::size_t track = page.state.content.track_of(page.trace, page.state.slice);
  if (track == page.state.content.order.size()) return choose_shown(page);
  for (const TimelineLane& lane : page.state.content.tracks[page.state.content.order[track].index].lanes) {
    std::size_t i = index_in(lane, page.state.slice);
    if (i == lane.size()) continue;
    if (key == Key::left && i > 0) --i;
    if (key == Key::right && i + 1 < lane.size()) ++i;
    if (key == Key::home) i = 0;
    if (key == Key::end) i = lane.size() - 1;
    return choose(page, lane.slice(i));
  }
}

// The time that stays in place when keys zoom: the chosen slice if it is visible, else the middle.
double zoom_centre(const TimelineFrame& page) {
  const double middle = (page.shown.from + page.shown.to) / 2;
  if (page.state.slice == trace::no_slice) return middle;
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
  } else if (page.state.slice != trace::no_slice) {
    std::tie(from, to) = chosen_times(page);
  } else {
    return;
  }
  const double edge = std::max(100.0, 0.1 * (to - from));
  page.shown = {from - edge, to + edge};
  panels::pan(page.shown, 0, page.length());
}

// The track of P and Space: the one whose name is pointed at, else that of the chosen slice.
std::size_t track_for_keys(const TimelineFrame& page) {
  if (page.ui.hovered(page.names))
    if (const ShownRow* const row = page.row_at(page.ui.input().mouse.y)) return row->place.track;
  return page.state.content.track_of(page.trace, page.state.slice);
}

// While the search is typed into, Enter goes to the next match.
void type_search(TimelineFrame& page, const KeyPress& press) {
  if (press.key == Key::enter)
    go_to_match(page, press.shift ? -1 : 1);
  else if (press.key == Key::down || press.key == Key::tab)
    page.state.typing = TimelineTyping::none;
  else if (page.state.search.field.type(press, &page.state.memory.copied))
    update_search(page.trace, page.state);
}

void type_note(TimelineFrame& page, const KeyPress& press) {
  TimelineNotebook& book = page.state.notebook;
  if (press.key != Key::enter) {
    book.field.type(press, &page.state.memory.copied);
    return;
  }
  page.state.typing = TimelineTyping::none;
  book.place.text = book.field.text;
  page.choice.keep_notes = set_note(book.notes, book.place) || page.choice.keep_notes;
}

// Shows the notes, and gives their list the focus, so that Up, Down and Enter are its keys; again: goes back.
void switch_notes(TimelineState& state) {
  const std::string list = "timeline.notes";
  const bool listed = state.memory.focus_shown && state.memory.focus == list;
  const bool back = state.panel.side == TimelinePanel::Side::notes && (listed || state.notebook.notes.empty());
  state.panel.side = back ? TimelinePanel::Side::range : TimelinePanel::Side::notes;
  state.memory.focus = back || state.notebook.notes.empty() ? std::string() : list;
  state.memory.focus_shown = state.memory.takes_along = !state.memory.focus.empty();
}

void take_letter(TimelineFrame& page, char32_t letter) {
  TimelineState& state = page.state;
  const double middle = zoom_centre(page);
  switch (letter) {
    case U'w': panels::zoom(page.shown, 0.7, middle, page.length()); break;
    case U's': panels::zoom(page.shown, 1 / 0.7, middle, page.length()); break;
    case U'a': panels::pan(page.shown, -0.25, page.length()); break;
    case U'd': panels::pan(page.shown, 0.25, page.length()); break;
    case U'f': page.shown = {0, static_cast<double>(page.length())}; break;
    case U'z': show_chosen(page); break;
    case U'm':
      if (state.slice != trace::no_slice) {
        const auto [from, to] = chosen_times(page);
        mark_range(page, from, to);
      }
      break;
    case U'/': start_search(state); break;
    case U'p': toggle_pinned(state, track_for_keys(page)); break;
    case U'n': start_note(page); break;
    case U'l': switch_notes(state); break;
    case U'o':
      order_range(state, state.panel.order == analysis::RangeOrder::count ? analysis::RangeOrder::self
                                                                          : analysis::RangeOrder::count);
      break;
    case U'e': state.panel.tall = !state.panel.tall; break;
    case U'c':
      if (state.slice != trace::no_slice) state.memory.copied = page.trace.name(state.slice);
      break;
    case U'C':
      if (state.slice != trace::no_slice) state.memory.copied = text_of_fields(page.ui, page.trace, state.slice);
      break;
    default: break;
  }
}

void take_key(TimelineFrame& page, const KeyPress& press) {
  const draw::UiMemory& focus = page.state.memory;
  if (press.control) {
    if (press.key == Key::character && press.character == U'f') start_search(page.state);
    if (press.key == Key::character && press.character == U'c') take_letter(page, U'c');
    return;
  }
  switch (press.key) {
    case Key::left:
    case Key::right: choose_neighbour(page, press.key); break;
    case Key::home:
    case Key::end:
      if (!focus.takes_along) choose_neighbour(page, press.key);
      break;
    case Key::up:
      if (!focus.takes_along) choose_in_row(page, -1);
      break;
    case Key::down:
      if (!focus.takes_along) choose_in_row(page, 1);
      break;
    case Key::page_up:
    case Key::page_down: {
      if (focus.takes_along) break;
      const auto rows = static_cast<std::ptrdiff_t>(page.window.last - page.window.first);
      const std::ptrdiff_t by = std::max<std::ptrdiff_t>(1, rows - 1);
      scroll_rows(page, press.key == Key::page_up ? -by : by);
      break;
    }
    case Key::space: toggle_folded(page.state, track_for_keys(page)); break;
    case Key::enter:
      if (!focus.focus_shown) page.choice.follow = slice_to_follow(page.trace, page.state.slice);
      break;
    case Key::character: take_letter(page, press.character); break;
    default: break;
  }
}

}  // namespace

void take_timeline_keys(TimelineFrame& page) {
  for (const KeyPress& press : page.ui.input().keys) {
    switch (page.state.typing) {
      case TimelineTyping::none: take_key(page, press); break;
      case TimelineTyping::search: type_search(page, press); break;
      case TimelineTyping::note: type_note(page, press); break;
    }
    lay_out(page);  // for the next key
  }
}

}  // namespace warpwalk::pages
