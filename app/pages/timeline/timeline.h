#pragma once

#include <optional>
#include <set>
#include <vector>

#include "app/draw/ui.h"
#include "app/panels/strip.h"
#include "core/story/facts/analysis/timeline.h"

namespace warpwalk::pages {

/// The page's state between frames.
struct TimelineState {
  std::vector<story::TimelineTrack> tracks;  ///< empty: the page was not opened yet
  std::set<trace::TrackId> folded;           ///< tracks that show only their first lane
  float scroll = 0;                          ///< units from the first lane's top
  story::SliceId slice = story::no_slice;    ///< the one with the cursor
  bool to_slice = false;                     ///< the next frame brings it into view
  std::optional<story::RangeStatistics> range;
  std::optional<double> pressed;  ///< the time at which the left button went down, ns since the trace's start
  float pressed_x = 0;
  draw::UiMemory memory;  ///< the page's focus, and what the pointer holds
};

/// The whole trace on a page: a row per level of nesting of each thread and stream, with the names of slices. `shown`
/// is the stretch of time, which the strip shares. The wheel and W, S zoom, A and D pan, F shows all, Z the range or
/// the slice; over the names the wheel scrolls. A click or the arrow keys choose a slice; M or a drag marks a range of
/// time, whose work is summed up below; Enter returns the slice to follow.
std::optional<story::SliceId> timeline(draw::Ui& ui, const trace::Trace& trace, const story::Walk& walk,
                                       panels::StripState& shown, TimelineState& state);

}  // namespace warpwalk::pages
