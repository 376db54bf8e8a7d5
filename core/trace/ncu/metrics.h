#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/ncu/report.h"

namespace warpwalk::trace::ncu {

/// A measured figure with its name in the reports of `simulate` (docs/simulate.md) and where it comes from.
struct MeasuredFigure {
  std::string name;
  double value = 0;
  std::string from;  ///< the metric, or the arithmetic on metrics
};

/// The figures of a launch that have a name in the reports of `simulate`, in their order. Those whose metrics were not
/// collected are missing. A figure whose own metric is missing is computed from what was counted by instruction, if
/// that gives the same: the sectors of global loads from `memory_l2_theoretical_sectors_global` at the loads.
std::vector<MeasuredFigure> measured_figures(const Report& report, const Launch& launch);

/// The name of a reason for stalls in the reports of `simulate`, given its metric by instruction
/// ("smsp__pcsamp_warps_issue_stalled_long_scoreboard"); nullopt for other metrics and for the samples "not issued".
std::optional<std::string_view> sampled_stall(std::string_view metric);

/// The launch's duration in ns; nullopt if it was not measured.
std::optional<double> duration_ns(const Report& report, const Launch& launch);

}  // namespace warpwalk::trace::ncu
