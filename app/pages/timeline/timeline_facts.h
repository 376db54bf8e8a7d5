#pragma once

#include <optional>

#include "app/draw/ui.h"
#include "core/story/facts/analysis/timeline.h"

namespace warpwalk::pages {

/// The slice that Enter follows: for an op or GPU work the slice itself, for a call the work that it launched, else the
/// op around the slice; no_slice if there is none.
story::SliceId slice_to_follow(const trace::Trace& trace, story::SliceId slice);

/// Below the timeline's lanes: the chosen slice with its launch and its op. True if a button to follow it was pressed.
bool timeline_slice(draw::Ui& ui, const draw::Box& box, const trace::Trace& trace, story::SliceId slice);
/// Beside it: what runs in the marked range of time, or how to mark one.
void timeline_range(draw::Ui& ui, const draw::Box& box, const trace::Trace& trace,
                    const std::optional<story::RangeStatistics>& range);

}  // namespace warpwalk::pages
