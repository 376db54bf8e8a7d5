#include "core/run/measured/compare_measured.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/run/kernel_lab/compare_runs.h"
#include "core/run/launch/line_costs.h"
#include "core/run/measured/measured_lines.h"
#include "core/run/measured/report_code.h"
#include "core/trace/ncu/metrics.h"

namespace warpwalk::run {
namespace {

constexpr std::string_view stall_prefix = "stall_";

// Marks the reasons with less than 1 % of the warp-cycles in both.
void mark_small_stalls(std::vector<MeasuredPair>& pairs) {
  constexpr double share = 0.01;
  double measured = 0, simulated = 0;
  for (const MeasuredPair& pair : pairs)
    if (pair.name.starts_with(stall_prefix)) {
      measured += pair.measured;
      simulated += pair.simulated;
    }
  for (MeasuredPair& pair : pairs)
    pair.small =
        pair.name.starts_with(stall_prefix) && pair.measured < share * measured && pair.simulated < share * simulated;
}

std::string_view line_of_text(std::string_view text, std::uint64_t line) {
  for (; line > 1; --line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find_first_of("\r\n"));
}

double percent_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

void add_lines(const trace::ncu::Report& report, const trace::ncu::Launch& launch, const LoadedLaunch& loaded,
               const LaunchResult& result, std::string_view source_file, BesideMeasured& beside) {
  const MeasuredLines measured = measured_lines(report, launch, source_file);
  if (!measured.missing.empty()) {
    beside.notes.push_back(measured.missing);
    return;
  }
  const auto& timing = result.cycles.timing;
  const CostsByLine simulated =
      costs_by_line(*loaded.program, instruction_costs(result.simulation, timing ? &*timing : nullptr),
                    CostText::source, measured.source_file);
  if (simulated.lines.empty()) {
    beside.notes.push_back(
        fmt::format("lines are not compared: the simulated code has no lines of {}", measured.source_file));
    return;
  }
  beside.source_file = measured.source_file;
  std::string_view text = source_text_of(report, launch, measured.source_file);
  if (text.empty()) text = loaded.source;
  const std::uint64_t stalled = simulated.total().stalled();
  std::set<std::uint64_t> lines;
  for (const auto& [line, costs] : measured.lines) lines.insert(line);
  for (const auto& [line, costs] : simulated.lines) lines.insert(line);
  for (const std::uint64_t line : lines) {
    MeasuredLine& row = beside.lines.emplace_back();
    row.line = line;
    row.text = line_of_text(text, line);
    if (const auto at = measured.lines.find(line); at != measured.lines.end()) {
      const LineMeasurements& values = at->second;
      if (row.text.empty()) row.text = values.text;
      row.measured_stall_pct = percent_of(values.stalled(), measured.stalled);
      row.measured_reason = values.main_reason();
      row.measured_instructions = values.instructions;
      row.measured_sectors = values.sectors;
      row.measured_ideal_sectors = values.ideal_sectors;
      row.measured_conflicts = values.wavefronts - std::min(values.wavefronts, values.ideal_wavefronts);
    }
    if (const auto at = simulated.lines.find(line); at != simulated.lines.end()) {
      const LineCosts& costs = at->second;
      row.simulated_stall_pct = percent_of(costs.stalled(), stalled);
      if (const auto reason = costs.main_reason()) row.simulated_reason = gpu::name_of(*reason);
      row.simulated_instructions = costs.instructions;
      row.simulated_sectors = costs.accesses.global_sectors;
      row.simulated_ideal_sectors = costs.accesses.ideal_sectors;
      row.simulated_conflicts = costs.accesses.bank_conflicts;
    }
  }
  std::ranges::stable_sort(beside.lines, std::ranges::greater{}, [](const MeasuredLine& line) {
    return std::pair{line.measured_stall_pct, line.simulated_stall_pct};
  });
}

void note_differences(const trace::ncu::Report& report, const trace::ncu::Launch& launch, const gpu::Device& device,
                      const LoadedLaunch& loaded, const LaunchResult& result, BesideMeasured& beside) {
  if (const trace::ncu::ReportDevice* const measured = report.device_of(launch)) {
    beside.gpu = measured->name;
    const auto sms = measured->attribute("device__attribute_multiprocessor_count");
    if (sms && device.sm_count && *sms != static_cast<double>(*device.sm_count))
      beside.notes.push_back(fmt::format("another GPU was measured: {}, {} SMs; the simulated {} has {}",
                                         measured->name, *sms, device.name, *device.sm_count));
  }
  const auto differs = [](const std::array<std::uint64_t, 3>& a, const std::array<std::uint32_t, 3>& b) {
    return a[0] != b[0] || a[1] != b[1] || a[2] != b[2];
  };
  if (differs(launch.grid, loaded.file.grid) || differs(launch.block, loaded.file.block))
    beside.notes.push_back(fmt::format("another launch was measured: a grid of {} x {} x {}, blocks of {} x {} x {}",
                                       launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0], launch.block[1],
                                       launch.block[2]));
  const trace::ncu::Source* const source = report.source_of(launch);
  if (!loaded.runs_machine_code())
    beside.notes.emplace_back("PTX was simulated: instructions and cycles are estimates of what ptxas would make");
  else if (source != nullptr && same_code(source->cubin, loaded.cubin, launch.mangled) == false)
    beside.notes.emplace_back("other machine code was measured than simulated");
  if (result.cycles.timing && (result.cycles.timing->caches == gpu::CacheStart::cold) != report.caches_flushed())
    beside.notes.emplace_back(report.caches_flushed()
                                  ? "ncu emptied the caches before the launch; simulate with --caches cold"
                                  : "ncu left the caches as they were; simulate with --caches warm");
}

}  // namespace

std::vector<MeasuredPair> compare_figures_with(const trace::ncu::Report& report, const trace::ncu::Launch& launch,
                                               const gpu::Device& device, const LoadedLaunch& loaded,
                                               const LaunchResult& result) {
  const std::vector<RunFigure> simulated = figures_of(device, loaded, result);
  std::vector<MeasuredPair> pairs;
  for (const trace::ncu::MeasuredFigure& figure : trace::ncu::measured_figures(report, launch)) {
    const auto same = std::ranges::find(simulated, figure.name, &RunFigure::name);
    if (same != simulated.end() && figure.name != "time_us")
      pairs.push_back({figure.name, figure.value, same->value, false});
  }
  mark_small_stalls(pairs);
  std::ranges::stable_sort(pairs, [](const MeasuredPair& a, const MeasuredPair& b) {
    if (a.small != b.small) return b.small;
    return a.relative_difference() > b.relative_difference();
  });
  return pairs;
}

BesideMeasured compare_with_measured(const trace::ncu::Report& report, std::size_t row, std::string_view report_file,
                                     const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result,
                                     std::string_view source_file) {
  BesideMeasured beside;
  const trace::ncu::Launch& launch = report.launches.at(row);
  beside.report = report_file;
  beside.by = report.measured_by();
  beside.launch = row + 1;
  note_differences(report, launch, device, loaded, result, beside);
  beside.figures = compare_figures_with(report, launch, device, loaded, result);
  add_lines(report, launch, loaded, result, source_file, beside);
  return beside;
}

}  // namespace warpwalk::run
