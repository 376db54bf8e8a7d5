#include "core/run/launch/line_costs.h"

#include <algorithm>
#include <numeric>

#include "core/gpu/exec/program.h"

namespace warpwalk::run {
namespace {

constexpr auto issues = static_cast<std::size_t>(gpu::StallReason::selected);

std::string_view without_folders(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

void add_stalls(const gpu::LaunchTiming& timing, std::vector<LineCosts>& costs) {
  const std::size_t count = std::min(costs.size(), timing.stalls_by_instruction.size());
  for (std::size_t i = 0; i < count; ++i) costs[i].stalls = timing.stalls_by_instruction[i];
}

/// The key of an instruction's line in CostsByLine::lines; nullopt if it has none in this text.
std::optional<std::uint64_t> line_of(const gpu::Program& program, std::uint32_t instruction, CostText text,
                                     std::string_view source_file) {
  if (text == CostText::machine_code) {
    if (!program.machine_code) return {};
    return program.machine_code->instructions[instruction].address;
  }
  gpu::Finding place;
  gpu::locate_finding(program, instruction, place);
  const std::uint32_t line = text == CostText::ptx ? place.ptx_line : place.source_line;
  const bool of_file =
      text == CostText::ptx || source_file.empty() || without_folders(place.source_file) == source_file;
  if (line == 0 || !of_file) return {};
  return line;
}

}  // namespace

std::uint64_t LineCosts::stalled() const {
  return std::accumulate(stalls.begin(), stalls.end(), std::uint64_t{0}) - stalls[issues];
}

std::optional<gpu::StallReason> LineCosts::main_reason() const {
  gpu::StallCycles waits = stalls;
  waits[issues] = 0;
  const auto most = std::ranges::max_element(waits);
  if (*most == 0) return {};
  return static_cast<gpu::StallReason>(most - waits.begin());
}

LineCosts& LineCosts::operator+=(const LineCosts& other) {
  instructions += other.instructions;
  for (std::size_t i = 0; i < stalls.size(); ++i) stalls[i] += other.stalls[i];
  accesses += other.accesses;
  flops += other.flops;
  return *this;
}

std::uint64_t metric_value(const LineCosts& costs, LineMetric metric) {
  switch (metric) {
    case LineMetric::stalls: return costs.stalled();
    case LineMetric::sectors: return costs.excess_sectors();
    case LineMetric::conflicts: return costs.accesses.bank_conflicts;
    case LineMetric::instructions: break;
  }
  return costs.instructions;
}

std::vector<LineCosts> instruction_costs(const gpu::Simulation& simulation, const gpu::LaunchTiming* timing) {
  std::vector<LineCosts> costs;
  costs.reserve(simulation.by_instruction.size());
  for (const gpu::InstructionCounts& counts : simulation.by_instruction)
    costs.push_back({counts.executions, {}, counts.accesses, counts.flops});
  if (timing != nullptr) add_stalls(*timing, costs);
  return costs;
}

std::vector<LineCosts> instruction_costs(const gpu::LaunchTiming& timing) {
  std::vector<LineCosts> costs(timing.stalls_by_instruction.size());
  add_stalls(timing, costs);
  for (std::size_t i = 0; i < costs.size(); ++i) {
    costs[i].instructions = costs[i].stalls[issues];  // a warp is selected for one cycle per instruction
    if (i < timing.accesses_by_instruction.size()) costs[i].accesses = timing.accesses_by_instruction[i];
  }
  return costs;
}

LineCosts CostsByLine::total() const {
  LineCosts sum = elsewhere;
  for (const auto& [line, costs] : lines) sum += costs;
  return sum;
}

std::vector<std::uint64_t> CostsByLine::hottest(LineMetric metric) const {
  std::vector<std::uint64_t> ranked;
  for (const auto& [line, costs] : lines)
    if (metric_value(costs, metric) > 0) ranked.push_back(line);
  std::ranges::stable_sort(ranked, std::ranges::greater{},
                           [&](std::uint64_t line) { return metric_value(lines.at(line), metric); });
  return ranked;
}

CostsByLine costs_by_line(const gpu::Program& program, const std::vector<LineCosts>& instructions, CostText text,
                          std::string_view source_file) {
  CostsByLine costs;
  const std::string_view file = without_folders(source_file);
  const std::size_t count = std::min(instructions.size(), program.sources.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (instructions[i] == LineCosts{}) continue;
    const auto line = line_of(program, static_cast<std::uint32_t>(i), text, file);
    (line ? costs.lines[*line] : costs.elsewhere) += instructions[i];
  }
  return costs;
}

}  // namespace warpwalk::run
