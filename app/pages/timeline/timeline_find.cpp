#include <algorithm>
#include <string>
#include <utility>

#include "app/pages/timeline/timeline_frame.h"
#include "core/analysis/slices.h"
#include "core/base/text.h"

namespace warpwalk::pages {
namespace {

// A field takes the keys, so nothing else may have the focus.
void take_focus(TimelineState& state, TimelineTyping typing) {
  state.typing = typing;
  state.memory.focus.clear();
  state.memory.focus_shown = state.memory.takes_along = state.memory.takes_across = false;
}

// The slice of a note; no_slice if it is on a stretch of time, or of another trace.
trace::SliceId slice_of_note(const TimelineFrame& page, const TimelineNote& note) {
  if (note.slice.empty()) return trace::no_slice;
  for (const analysis::TimelineTrack& track : page.state.content.tracks)
    for (const analysis::TimelineLane& lane : track.lanes)
      for (std::size_t i = lane.starting_at(note.from); i < lane.size() && lane.start(i) == note.from; ++i)
        if (lane.end(i) == note.to && base::one_line(std::string(page.trace.name(lane.slice(i)))) == note.slice)
          return lane.slice(i);
  return trace::no_slice;
}

}  // namespace

void update_search(const trace::Trace& trace, TimelineState& state) {
  TimelineSearch& search = state.search;
  if (search.searched == search.field.text) return;
  search.searched = search.field.text;
  search.at.reset();
  search.matches = {};
  if (search.searched.empty()) return;
  if (!search.names) search.names.emplace(trace);
  search.matches = find_slices(trace, *search.names, state.content.tracks, search.searched);
}

void go_to_match(TimelineFrame& page, int by) {
  TimelineState& state = page.state;
  TimelineSearch& search = state.search;
  const std::size_t count = search.matches.slices.size();
  if (!search.on() || count == 0) return;
  if (search.at) {
    search.at = (*search.at + (by > 0 ? 1 : count - 1)) % count;
  } else {
    const std::size_t first = search.matches.starting_at(page.trace, static_cast<std::int64_t>(page.shown.from));
    search.at = by > 0 ? first % count : (first + count - 1) % count;
  }
  state.slice = search.matches.slices[*search.at];
  state.to_slice = true;
  const std::size_t track = state.content.track_of(page.trace, state.slice);
  if (track < state.content.order.size()) state.marks.folded.erase(state.content.order[track].key);
}

void start_search(TimelineState& state) {
  take_focus(state, TimelineTyping::search);
  state.search.field.anchor = 0;  // typing replaces the text of the last search
  state.search.field.caret = state.search.field.text.size();
}

void start_note(TimelineFrame& page) {
  TimelineState& state = page.state;
  TimelineNotebook& book = state.notebook;
  if (!state.range && state.slice == trace::no_slice) return;
  state.panel.side = TimelinePanel::Side::notes;
  if (!book.writable) return;  // the panel says why
  book.place = {};
  if (state.range) {
    book.place.from = state.range->from;
    book.place.to = state.range->to;
  } else {
    book.place.from = analysis::since_start(page.trace, page.trace.slices.start[state.slice]);
    book.place.to = book.place.from + page.trace.slices.duration[state.slice];
    book.place.slice = base::one_line(std::string(page.trace.name(state.slice)));
  }
  take_focus(state, TimelineTyping::note);
  book.field = {};
  book.field.text = note_on(book.notes, book.place);
}

void go_to_note(TimelineFrame& page, const TimelineNote& note) {
  const trace::SliceId slice = slice_of_note(page, note);
  if (slice == trace::no_slice) {
    mark_range(page, static_cast<double>(note.from), static_cast<double>(note.to));
    page.state.panel.side = TimelinePanel::Side::notes;  // the list stays
  } else {
    page.state.slice = slice;
    page.state.to_slice = true;
  }
  // A stretch that is in view stays where it is.
  const auto from = static_cast<double>(note.from), to = static_cast<double>(note.to);
  if (from >= page.shown.from && to <= page.shown.to) return;
  const double wide = std::max(page.shown.to - page.shown.from, 1.25 * (to - from));
  page.shown = {(from + to - wide) / 2, (from + to + wide) / 2};
  panels::pan(page.shown, 0, page.length());
}

}  // namespace warpwalk::pages
