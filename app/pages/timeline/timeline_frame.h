#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/pages/timeline/timeline.h"
#include "app/pictures/axis.h"

namespace warpwalk::pages {

/// A row on the canvas.
struct ShownRow {
  RowPlace place;
  draw::Box box;  ///< without the name of the track
  bool pinned = false;
};

/// One frame of the timeline's page, for the parts that draw it and those that take input.
struct TimelineFrame {
  draw::Ui& ui;
  const trace::Trace& trace;
  TimelineState& state;
  panels::StripState& shown;
  TimelineChoice& choice;
  draw::Box lanes = {};  ///< where rows are drawn, without the names of tracks
  draw::Box names = {};  ///< beside it
  // Set by lay_out():
  pictures::Axis axis = {};  ///< of the shown stretch
  TimelineRows rows = {};
  RowWindow window = {};          ///< of the rows that scroll
  draw::Box scrolling = {};       ///< where these are drawn
  std::vector<ShownRow> on = {};  ///< the rows that are shown, from the top

  std::int64_t length() const { return trace.end_ns - trace.begin_ns; }
  const PageTrack& track(const RowPlace& place) const { return state.content.order[place.track]; }
  const TraceCurve& curve(const RowPlace& place) const { return state.content.curves[track(place).index]; }
  const analysis::TimelineLane& lane(const RowPlace& place) const {
    return state.content.tracks[track(place).index].lanes[place.lane];
  }
  double time_at(float x) const {
    return axis.from + static_cast<double>((x - axis.left) / (axis.right - axis.left)) * (axis.to - axis.from);
  }
  /// The ns that one more digit of a time should tell apart.
  std::int64_t resolution() const { return static_cast<std::int64_t>((shown.to - shown.from) / 1000) + 1; }
  /// The row at a height on the canvas; null between rows.
  const ShownRow* row_at(float y) const;
  /// The row of a slice; null if it is not shown.
  const ShownRow* row_with(trace::SliceId slice) const;
};

/// Finds the rows of the shown stretch and their places.
void lay_out(TimelineFrame& page);
/// Moves the first of the scrolling rows by this many rows.
void scroll_rows(TimelineFrame& page, std::ptrdiff_t by);
/// Pans and scrolls so that the chosen slice can be seen, if it is to be, and lays the page out again.
void bring_into_view(TimelineFrame& page);

constexpr float timeline_margin = 24;  ///< left and right of the page

/// A press that moves further marks a range of time, in units.
constexpr float timeline_click = 4;

/// The times of the chosen slice, ns since the trace's start. There must be one.
std::pair<double, double> chosen_times(const TimelineFrame& page);
/// The name of a track of the page.
std::string track_name(const TimelineFrame& page, const PageTrack& track);

/// A value of a curve: bytes, or a number of launches.
std::string curve_value_text(const TraceCurve& curve, std::int64_t value);

/// Pins a track, or folds it; again: takes that back.
void toggle_pinned(TimelineState& state, std::size_t track);
void toggle_folded(TimelineState& state, std::size_t track);

/// Takes the keys of the page: those of the field that is typed into, else those that zoom, pan, choose and mark.
void take_timeline_keys(TimelineFrame& page);
/// Takes the pointer over the rows and over the names of the tracks.
void take_timeline_pointer(TimelineFrame& page);
/// Sums up a range of time, ns since the trace's start.
void mark_range(TimelineFrame& page, double a, double b);

/// Finds the slices again if the text of the search has changed.
void update_search(const trace::Trace& trace, TimelineState& state);
/// Goes to the next match (1) or to the one before (-1); the first time to the first one in view.
void go_to_match(TimelineFrame& page, int by);
/// Begins to type: into the search, or a note on the marked range or the chosen slice.
void start_search(TimelineState& state);
void start_note(TimelineFrame& page);
/// Goes to what a note is on.
void go_to_note(TimelineFrame& page, const TimelineNote& note);

/// The heading, the search and the keys, at the top.
float timeline_head_height(draw::Ui& ui);
void paint_timeline_head(TimelineFrame& page, float height);
/// The rows with what is followed, chosen and marked; the names of their tracks; the flags of notes.
void paint_timeline_rows(TimelineFrame& page, const story::Walk& walk);
void paint_track_names(TimelineFrame& page);
void paint_note_flags(TimelineFrame& page);

}  // namespace warpwalk::pages
