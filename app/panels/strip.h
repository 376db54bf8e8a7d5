#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/draw/ui.h"
#include "core/story/facts/analysis/track_activity.h"

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
                  const std::vector<story::TrackActivity>& tracks, const story::Walk& walk,
                  std::optional<std::int64_t> now, StripState& state);

/// The height that the strip needs for these tracks.
float strip_height(const std::vector<story::TrackActivity>& tracks);

/// Zooms by `factor` around `at`, or moves by `share` of the shown stretch; both stay inside the trace.
void zoom(StripState& state, double factor, double at, std::int64_t length);
void pan(StripState& state, double share, std::int64_t length);

}  // namespace warpwalk::panels
