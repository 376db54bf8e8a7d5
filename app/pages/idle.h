#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "app/draw/ui.h"
#include "core/story/facts/analysis/idle.h"

namespace warpwalk::pages {

/// The sheet's state between frames.
struct IdleState {
  std::size_t device = 0;  ///< which of the reports is shown
  std::size_t cursor = 0;  ///< the row that Enter goes to
};

/// The sheet that answers why the GPU is idle: a verdict in one sentence, the span divided by activity of the GPU, and
/// the longest gaps with their cause, op and line of Python. Keys: Up, Down, Page Up, Page Down, Home and End choose a
/// gap, Left and Right a GPU, Enter goes to the gap. Rows can be clicked. Returns the gap that was chosen.
std::optional<story::IdleGap> idle(draw::Ui& ui, const trace::Trace& trace,
                                   const std::vector<story::IdleReport>& reports, IdleState& state);

}  // namespace warpwalk::pages
