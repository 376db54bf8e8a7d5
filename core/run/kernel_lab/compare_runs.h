#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/run/kernel_lab/run_draft.h"

namespace warpwalk::run {

/// A figure of a run with its name in reports (docs/simulate.md).
struct RunFigure {
  std::string name;
  double value = 0;
  friend bool operator==(const RunFigure&, const RunFigure&) = default;
};

/// All figures of a run, in the order of the report: registers, occupancy, counters, cycles, and stalls as
/// "stall_long_scoreboard". Without cycles, those that need them are missing.
std::vector<RunFigure> figures_of(const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result);
std::vector<RunFigure> figures_of(const DraftRun& run);

/// The names of the figures that are looked at first: time, cycles and those of the launch itself, warp instructions,
/// where the time goes (the three largest reasons for which warps waited), bank conflicts, sectors, occupancy. Those
/// that the run has, in this order.
std::vector<std::string> main_figures(const std::vector<RunFigure>& figures);

/// The same figure of two runs; one of them may lack it.
struct ComparedFigure {
  std::string name;
  std::optional<double> a, b;

  std::optional<double> difference() const;  ///< b - a
  std::optional<double> ratio() const;       ///< b / a; none if a is 0
};

/// Every figure of either run.
std::vector<ComparedFigure> compare_figures(const std::vector<RunFigure>& a, const std::vector<RunFigure>& b);

}  // namespace warpwalk::run
