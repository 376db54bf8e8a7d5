#pragma once

// Pictures of the lab "observe".
#include "core/story/labs/observe/observe.h"
#include "core/story/pictures/panels.h"

namespace warpwalk::story {

/// The reports of all instruments about the chosen moment. A click chooses an instrument.
Panel instruments_panel(const Observe& lab);
/// The meaning of the chosen instrument's figure, and its limits.
Panel meaning_panel(const Observe& lab);
/// The figures that are shares of something, for all moments.
Panel percent_panel(const Observe& lab, double shown);
/// The GPU's memory in cells of 1 GiB, by what holds it.
Panel memory_panel(const Observe& lab);
/// The same in figures, each with the instrument that reports it.
Panel memory_table(const Observe& lab);
/// Share of the time in which a kernel runs across, percent upwards: utilization, SMs with work, occupancy.
Panel duty_panel(const Observe& lab, double shown);
/// Kernels over time with windows, and what a counter reports that is set once per window.
Panel window_panel(const Observe& lab, double shown);
/// Launches per second with the profiler and without it.
Panel overhead_panel(const Observe& lab, double shown);
Panel overhead_table(const Observe& lab);
/// A card that opens the live view.
Panel live_panel(const Observe& lab);
/// The settings' figures, for the tasks.
Panel settings_panel(const Observe& lab);

}  // namespace warpwalk::story
