#include "core/run/kernel_lab/compare_runs.h"

#include <algorithm>

#include "core/run/launch/cycle_figures.h"
#include "core/run/launch/report.h"

namespace warpwalk::run {

std::vector<RunFigure> figures_of(const DraftRun& run) {
  const gpu::Simulation& simulation = run.result.simulation;
  std::vector<RunFigure> figures;
  const auto& timing = run.result.cycles.timing;
  if (timing)
    for (CycleFigure& figure : cycle_figures(*timing)) figures.push_back({std::move(figure.name), figure.value});
  // The cycles come first: they are what a change is for.
  std::stable_partition(figures.begin(), figures.end(),
                        [](const RunFigure& figure) { return figure.name.starts_with("cycles"); });
  if (timing) {
    figures.push_back({"time_us", 1e6 * seconds_of(run.device, timing->cycles)});
    figures.push_back({"ipc", ipc_of(run.device, *timing)});
    const IssueSlots slots = issue_slots_of(*timing);
    figures.push_back({"issued_pct", slots.issued});
    figures.push_back({"no_eligible_warp_pct", slots.no_eligible_warp});
    figures.push_back({"no_warp_pct", slots.no_warp});
  }
  figures.push_back({"registers", static_cast<double>(simulation.registers)});
  figures.push_back({"blocks_per_sm", static_cast<double>(simulation.occupancy.blocks_per_sm)});
  figures.push_back({"occupancy_pct", simulation.occupancy.percent});
  for (const ReportCounter& counter : report_counters(simulation.counters, run.loaded.runs_machine_code()))
    figures.push_back({std::string(counter.name), static_cast<double>(counter.value)});
  if (timing)
    for (const CycleFigure& stall : stall_figures(*timing)) figures.push_back({"stall_" + stall.name, stall.value});
  return figures;
}

std::optional<double> ComparedFigure::difference() const {
  if (!a || !b) return {};
  return *b - *a;
}

std::optional<double> ComparedFigure::ratio() const {
  if (!a || !b || *a == 0) return {};
  return *b / *a;
}

std::vector<ComparedFigure> compare_figures(const std::vector<RunFigure>& a, const std::vector<RunFigure>& b) {
  std::vector<ComparedFigure> rows;
  for (const RunFigure& figure : a) rows.push_back({figure.name, figure.value, {}});
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto known = std::ranges::find(rows, b[i].name, &ComparedFigure::name);
    if (known != rows.end()) {
      known->b = b[i].value;
      continue;
    }
    // A figure that only the second run has keeps its place after the one before it.
    const auto before = i == 0 ? rows.end() : std::ranges::find(rows, b[i - 1].name, &ComparedFigure::name);
    rows.insert(before == rows.end() ? rows.begin() : before + 1, {b[i].name, {}, b[i].value});
  }
  return rows;
}

}  // namespace warpwalk::run
