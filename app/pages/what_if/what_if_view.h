#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/ui.h"
#include "app/runs/predict_job.h"
#include "core/analysis/predict/suggest.h"

namespace warpwalk::pages {

/// A change on the page "What if".
struct WhatIfRow {
  std::string change;             ///< as --change takes it; empty: it cannot be predicted
  std::string what;               ///< in words
  std::string why;                ///< the lines of advice that it answers, one a line; empty: none
  std::optional<double> at_most;  ///< share of the critical path that they take
  bool ticked = false;
};

/// The page's state between frames.
struct WhatIfState {
  std::vector<WhatIfRow> rows;
  std::size_t cursor = 0;
  draw::UiMemory memory;

  /// The changes that are ticked, else that of the cursor's row.
  runs::PredictJob::Set chosen() const;
};

/// What a person chose.
enum class WhatIfChoice : std::uint8_t {
  none,
  other,   ///< other changes are ticked, or the cursor is on another row
  open,    ///< the trace with the chosen changes
  cancel,  ///< the work
};

/// Draws the page into the box: the prediction of what is chosen as a sentence and two bars, the list of changes, and
/// what the prediction rests on. Up, Down, Page Up, Page Down, Home and End choose a row, Space ticks it, Enter opens
/// the changed trace.
WhatIfChoice what_if_view(draw::Ui& ui, const draw::Box& box, const runs::PredictJob& job, WhatIfState& state);

}  // namespace warpwalk::pages
