#include "core/run/kernel_lab/compare_runs.h"

#include <algorithm>
#include <string_view>

#include "core/run/launch/cycle_figures.h"
#include "core/run/launch/report.h"

namespace warpwalk::run {

std::vector<RunFigure> figures_of(const DraftRun& run) { return figures_of(run.device, run.loaded, run.result); }

std::vector<RunFigure> figures_of(const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result) {
  const gpu::Simulation& simulation = result.simulation;
  std::vector<RunFigure> figures;
  const auto& timing = result.cycles.timing;
  if (timing)
    for (CycleFigure& figure : cycle_figures(*timing)) figures.push_back({std::move(figure.name), figure.value});
  // The cycles come first: they are what a change is for.
  std::stable_partition(figures.begin(), figures.end(),
                        [](const RunFigure& figure) { return figure.name.starts_with("cycles"); });
  if (timing) {
    figures.push_back({"time_us", 1e6 * seconds_of(device, timing->cycles)});
    figures.push_back({"ipc", ipc_of(device, *timing)});
    const IssueSlots slots = issue_slots_of(*timing);
    figures.push_back({"issued_pct", slots.issued});
    figures.push_back({"no_eligible_warp_pct", slots.no_eligible_warp});
    figures.push_back({"no_warp_pct", slots.no_warp});
  }
  figures.push_back({"registers", static_cast<double>(simulation.registers)});
  figures.push_back({"blocks_per_sm", static_cast<double>(simulation.occupancy.blocks_per_sm)});
  figures.push_back({"occupancy_pct", simulation.occupancy.percent});
  for (const ReportCounter& counter : report_counters(simulation.counters, loaded.runs_machine_code()))
    figures.push_back({std::string(counter.name), static_cast<double>(counter.value)});
  if (timing)
    for (const CycleFigure& stall : stall_figures(*timing)) figures.push_back({"stall_" + stall.name, stall.value});
  return figures;
}

std::vector<std::string> main_figures(const std::vector<RunFigure>& figures) {
  constexpr std::size_t shown_reasons = 3;
  constexpr std::string_view stall = "stall_";
  std::vector<RunFigure> waits;
  for (const RunFigure& figure : figures)
    if (figure.name.starts_with(stall) && figure.name != "stall_selected" && figure.value > 0) waits.push_back(figure);
  std::ranges::stable_sort(waits, std::ranges::greater{}, &RunFigure::value);
  waits.resize(std::min(waits.size(), shown_reasons));
  std::vector<std::string> names = {"time_us", "cycles", "launch_cycles", "warp_instructions"};
  for (const RunFigure& wait : waits) names.push_back(wait.name);
  for (const char* const name : {"shared_bank_conflicts", "global_load_sectors", "global_store_sectors",
                                 "achieved_occupancy_pct", "occupancy_pct"})
    names.emplace_back(name);
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::find(figures, name, &RunFigure::name) == figures.end();
  });
  return names;
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
