#pragma once

// This folder has the timeline: the whole trace on a page. What is drawn and searched is prepared in timeline_content,
// timeline_rows and timeline_search; timeline_frame.h is what the parts of one frame share.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/text/text_field.h"
#include "app/draw/ui.h"
#include "app/pages/timeline/timeline_content.h"
#include "app/pages/timeline/timeline_notes.h"
#include "app/pages/timeline/timeline_rows.h"
#include "app/pages/timeline/timeline_search.h"
#include "app/panels/strip.h"
#include "core/analysis/time/timeline.h"

namespace warpwalk::pages {

/// The search for slices by name.
struct TimelineSearch {
  draw::TextField field;
  std::optional<NameIndex> names;  ///< made with the first search
  std::string searched;            ///< the text of `matches`
  SliceMatches matches;
  std::optional<std::size_t> at;  ///< the match that was gone to

  bool on() const { return !searched.empty(); }
};

/// The notes of the open trace.
struct TimelineNotebook {
  std::vector<TimelineNote> notes;
  bool writable = true;  ///< its file was read, or there is none
  std::string problem;   ///< one line: why the file was not read or written
  draw::TextField field;
  TimelineNote place;              ///< what the note in the field is on
  std::size_t row = 0, first = 0;  ///< of the list: the row with the cursor, and the first that is shown
};

/// A line of the list of a slice's fields.
struct FieldLine {
  enum class Kind : unsigned char { caption, field, note };
  Kind kind = Kind::field;
  std::string key;    ///< empty: the value goes on
  std::string value;  ///< its part that fits the width
  float indent = 0;   ///< of the value, units
};

/// The list of the chosen slice's fields, broken into lines.
struct FieldList {
  trace::SliceId slice = trace::no_slice;
  float width = 0;
  std::int64_t resolution = 0;  ///< of its times
  std::vector<FieldLine> lines;
  std::size_t first = 0;
};

/// The panel below the rows.
struct TimelinePanel {
  enum class Side : unsigned char { range, notes };
  Side side = Side::range;
  std::optional<float> height;  ///< as it was dragged; none: by the page's height
  bool tall = false;
  bool cpu = false;                                         ///< where only one table of names fits: that of the CPU
  analysis::RangeOrder order = analysis::RangeOrder::self;  ///< self: of GPU work by time, which is the same
  std::size_t gpu_first = 0, cpu_first = 0;                 ///< the first rows that are shown
  FieldList fields;
};

/// What the keys that type go to.
enum class TimelineTyping : unsigned char { none, search, note };

/// The page's state between frames.
struct TimelineState {
  std::filesystem::path file;  ///< of the trace
  bool prepared = false;       ///< the page was shown since the trace was opened
  TimelineContent content;
  TrackMarks marks;
  RowAnchor top;                           ///< where the scrolling rows begin
  trace::SliceId slice = trace::no_slice;  ///< the one with the cursor
  bool to_slice = false;                   ///< the next frame brings it into view
  std::optional<analysis::RangeStatistics> range;
  std::optional<double> pressed;  ///< the time at which the left button went down, ns since the trace's start
  float pressed_x = 0;
  TimelineTyping typing = TimelineTyping::none;
  TimelineSearch search;
  TimelineNotebook notebook;
  TimelinePanel panel;
  draw::UiMemory memory;  ///< the page's focus, and what the pointer holds
};

/// What the page asks of the program.
struct TimelineChoice {
  trace::SliceId follow = trace::no_slice;  ///< this slice is to be followed
  bool keep_notes = false;                  ///< the notes have changed
};

/// The whole trace on a page: a row per level of nesting of each thread and stream, with the names of slices, and
/// curves of memory and of launched work. `shown` is the stretch of time, which the strip shares. docs/window.md lists
/// the keys. `state` must be prepared.
TimelineChoice timeline(draw::Ui& ui, const trace::Trace& trace, const story::Walk& walk, panels::StripState& shown,
                        TimelineState& state);

/// Makes the content of a trace's page; the slice that is followed has the cursor.
void prepare_timeline(const trace::Trace& trace, const story::Walk& walk, TimelineState& state);

}  // namespace warpwalk::pages
