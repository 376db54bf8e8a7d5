#pragma once

#include <cstddef>

#include "app/draw/ui.h"
#include "app/pages/kernel_lab/editor_view.h"
#include "app/pages/kernel_lab/kernel_lab_state.h"

namespace warpwalk::pages {

/// The costs of the last run beside the lines of a version's source; without columns if it has not run. Costs of an
/// older text stay beside the lines that are the same, marked as outdated. `wide`: there is room for all columns.
EditorCosts version_costs(const draw::Ui& ui, const KernelLabState& state, const LabVersion& version, bool wide);

/// The name of the metric by which lines are ranked.
std::string metric_word(const draw::Ui& ui, run::LineMetric metric);

/// Ranks the lines by the next metric of which the active version's run has a value.
void next_metric(KernelLabState& state);

/// Moves the caret of the active version to its hottest line; from there to the second, and so on. After the last one
/// the hottest follows again.
void go_to_next_hottest(KernelLabState& state);

}  // namespace warpwalk::pages
