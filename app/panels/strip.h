#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/draw/ui.h"
#include "core/analysis/time/track_activity.h"

namespace warpwalk::panels {

/// The stretch of time that the strip shows, ns since the trace's start.
struct StripState {
  double from = 0;
  double to = 0;  ///< not above `from`: the whole trace
};

struct StripChoice {
  std::optional<std::int64_t> time;        ///< the moment that the user chose
  story::SliceId slice = story::no_slice;  ///< the slice that was clicked
  bool timeline = false;                   ///< the names of the tracks were clicked
};

/// The whole trace over time, with one row per thread and per stream. Each pixel shows the share of its time in which
/// the track was busy, however many slices there are. The wheel zooms at the pointer, a drag moves the moment.
StripChoice strip(draw::Ui& ui, const draw::Box& box, const trace::Trace& trace,
                  const std::vector<analysis::TrackActivity>& tracks, const story::Walk& walk,
                  std::optional<std::int64_t> now, StripState& state);

/// What the strip was last brought to: it follows what is chosen, but may be moved elsewhere afterwards.
struct StripFocus {
  story::SliceId slice = story::no_slice;
  std::optional<std::int64_t> now;
};

/// If another slice or another moment was chosen than before, moves the stretch to it. A zoom is kept.
void follow_choice(StripState& state, StripFocus& focus, const trace::Trace& trace, story::SliceId slice,
                   std::optional<std::int64_t> now);

/// Moves the stretch so that `from` to `to` (ns since the trace's start) is in it, or its beginning if it is longer.
/// Does nothing if a fair part of it is seen.
void reveal(StripState& state, double from, double to, std::int64_t length);

/// The height that the strip needs for these tracks.
float strip_height(const std::vector<analysis::TrackActivity>& tracks);

/// Zooms by `factor` around `at`, or moves by `share` of the shown stretch; both stay inside the trace.
void zoom(StripState& state, double factor, double at, std::int64_t length);
void pan(StripState& state, double share, std::int64_t length);

}  // namespace warpwalk::panels
