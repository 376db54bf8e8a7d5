#include "tests/validate/statistics.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::validate {

Spread spread_of(std::vector<double> errors) {
  if (errors.empty()) return {};
  const auto count = static_cast<double>(errors.size());
  Spread spread;
  spread.rows = errors.size();
  for (double& error : errors) {
    spread.signed_mean += error / count;
    error = std::abs(error);
    spread.mean += error / count;
  }
  std::ranges::sort(errors);
  const std::size_t middle = errors.size() / 2;
  spread.median = errors.size() % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
  spread.ninetieth = errors[static_cast<std::size_t>(std::ceil(0.9 * count)) - 1];
  spread.worst = errors.back();
  return spread;
}

double log_correlation(std::span<const Pair> pairs) {
  const auto count = static_cast<double>(pairs.size());
  double mean_x = 0, mean_y = 0;
  for (const Pair& pair : pairs) {
    mean_x += std::log(pair.measured) / count;
    mean_y += std::log(pair.simulated) / count;
  }
  double xx = 0, yy = 0, xy = 0;
  for (const Pair& pair : pairs) {
    const double x = std::log(pair.measured) - mean_x, y = std::log(pair.simulated) - mean_y;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

Summary summary_of(std::span<const Comparison> rows) {
  constexpr double least_bytes = 1e6;
  Summary summary;
  std::vector<Pair> cycles, active;
  std::vector<double> cycle_errors, active_errors, l1, l2, dram, instructions;
  for (const Comparison& row : rows) {
    if (row.spread > spread_limit || row.stopped) continue;
    cycles.push_back(row.cycles);
    active.push_back(row.active);
    cycle_errors.push_back(row.cycles.error());
    active_errors.push_back(row.active.error());
    l1.push_back(row.l1_hits.difference());
    l2.push_back(row.l2_hits.difference());
    if (row.dram().measured >= least_bytes) dram.push_back(row.dram().error());
    instructions.push_back(row.warp_instructions.error());
    const LargestStall stall = largest_stall(row);
    if (stall.measured == stall.simulated) ++summary.same_stall;
  }
  summary.cycles = spread_of(std::move(cycle_errors));
  summary.active = spread_of(std::move(active_errors));
  summary.cycles_correlation = log_correlation(cycles);
  summary.active_correlation = log_correlation(active);
  summary.l1_hits = spread_of(std::move(l1));
  summary.l2_hits = spread_of(std::move(l2));
  summary.dram = spread_of(std::move(dram));
  summary.warp_instructions = spread_of(std::move(instructions));
  return summary;
}

}  // namespace warpwalk::validate
