#include "core/analysis/compare/trace_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/analysis/compare/rank_sum.h"
#include "core/base/enum_names.h"
#include "core/base/quantity_text.h"

namespace warpwalk::analysis {
namespace {

constexpr double significant_p = 0.05;
// Changes of kernels by less are not told apart from a clock that is a little faster or slower.
constexpr double least_clock_change = 0.01;
constexpr std::size_t fewest_clock_kernels = 3;

struct KernelPair {
  const WorkGroup* before = nullptr;
  const WorkGroup* after = nullptr;
  ComparedWork* row = nullptr;
};

WorkTotal total_of(const WorkTotal& in_steps, const WorkTotal& outside, bool by_step) {
  if (by_step) return in_steps;
  return {in_steps.launches + outside.launches, in_steps.time + outside.time};
}

// Of the mean times of a launch.
double factor_of(const ComparedWork& row) { return row.time[1] / row.launches[1] / (row.time[0] / row.launches[0]); }

bool same_count(double a, double b) { return std::abs(a - b) <= 0.005 * std::max(a, b); }

ComparedWork row_of(const WorkGroup* before, const WorkGroup* after, const TraceComparison& all) {
  ComparedWork row;
  row.name = before != nullptr ? before->name : after->name;
  const std::array<const WorkGroup*, 2> both = {before, after};
  for (std::size_t i = 0; i < 2; ++i) {
    if (both[i] == nullptr) continue;
    const WorkTotal total = total_of(both[i]->in_steps, both[i]->outside, all.by_step);
    row.time[i] = static_cast<double>(total.time) / all.parts(i);
    row.launches[i] = static_cast<double>(total.launches) / all.parts(i);
    row.grid[i] = both[i]->grids.first;
    row.shapes[i] = both[i]->shapes.first;
    if (!both[i]->op.empty()) row.op = both[i]->op;
    if (!both[i]->module.empty()) row.module = both[i]->module;
  }
  if (!all.by_step) return row;
  // What a trace does not have takes no time in any of its steps.
  std::array<std::vector<float>, 2> by_step;
  for (std::size_t i = 0; i < 2; ++i)
    by_step[i] = both[i] != nullptr ? both[i]->by_step : std::vector<float>(std::min(all.steps[i], most_spread_steps));
  if (const auto p = rank_sum_p(by_step[0], by_step[1])) row.significant = *p < significant_p;
  return row;
}

std::uint32_t median_launches(const WorkGroup& one) {
  std::vector<std::uint32_t> counts = one.launches_by_step;
  const auto middle = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2);
  std::ranges::nth_element(counts, middle);
  return *middle;
}

// Profilers leave out work at the ends of a trace, so the step in the middle counts, not the mean.
bool same_launches(const KernelPair& pair, bool by_step) {
  if (pair.before == nullptr || pair.after == nullptr) return false;
  if (by_step && !pair.before->launches_by_step.empty() && !pair.after->launches_by_step.empty())
    return median_launches(*pair.before) == median_launches(*pair.after);
  return same_count(pair.row->launches[0], pair.row->launches[1]);
}

// Kernels that do the same in both traces, by which clocks are compared.
bool same_work(const KernelPair& pair, bool by_step) {
  return same_launches(pair, by_step) && pair.before->communicates == false && pair.row->launches[0] > 0 &&
         pair.row->launches[1] > 0 && pair.before->grids == pair.after->grids &&
         pair.before->shapes == pair.after->shapes;
}

std::optional<double> clock_of(const std::vector<KernelPair>& kernels, bool by_step) {
  std::vector<std::pair<double, double>> factors;  // with their weight
  double all = 0;
  for (const KernelPair& pair : kernels) {
    if (!same_work(pair, by_step)) continue;
    factors.emplace_back(factor_of(*pair.row), pair.row->time[0]);
    all += pair.row->time[0];
  }
  if (factors.size() < fewest_clock_kernels) return {};
  std::ranges::sort(factors);
  double passed = 0;
  for (const auto& [factor, weight] : factors)
    if ((passed += weight) >= all / 2) return factor;
  return {};
}

ChangeReason reason_of(const KernelPair& pair, const TraceComparison& all) {
  const ComparedWork& row = *pair.row;
  if (row.launches[0] == 0) return ChangeReason::new_;
  if (row.launches[1] == 0) return ChangeReason::gone;
  if (row.time[0] == row.time[1] && row.launches[0] == row.launches[1]) return ChangeReason::same;
  if (!same_launches(pair, all.by_step)) return ChangeReason::launches;
  if (!(pair.before->shapes == pair.after->shapes)) return ChangeReason::shapes;
  if (!(pair.before->grids == pair.after->grids)) return ChangeReason::grid;
  if (!all.gpus[0].empty() && !all.gpus[1].empty() && all.gpus[0] != all.gpus[1]) return ChangeReason::gpu;
  if (all.clock && std::abs(*all.clock - 1) >= least_clock_change) {
    if (std::abs(factor_of(row) - *all.clock) <= std::abs(*all.clock - 1) / 2) return ChangeReason::clock;
  }
  return ChangeReason::time;
}

// What the same op of the same module launches before, and in its place after. With several, those of the most time.
void find_replaced(std::vector<KernelPair>& kernels) {
  using Key = std::pair<std::string, std::string>;
  std::map<Key, std::pair<std::vector<ComparedWork*>, std::vector<ComparedWork*>>> places;
  for (const bool with_module : {true, false}) {
    places.clear();
    for (const KernelPair& pair : kernels) {
      ComparedWork& row = *pair.row;
      if (row.op.empty() || (row.why != ChangeReason::gone && row.why != ChangeReason::new_)) continue;
      auto& [gone, fresh] = places[{row.op, with_module ? row.module : ""}];
      (row.why == ChangeReason::gone ? gone : fresh).push_back(&row);
    }
    for (auto& [key, both] : places) {
      auto& [gone, fresh] = both;
      const auto shorter = [](const ComparedWork* a, const ComparedWork* b) {
        return a->time[0] + a->time[1] > b->time[0] + b->time[1];
      };
      std::ranges::sort(gone, shorter);
      std::ranges::sort(fresh, shorter);
      for (std::size_t i = 0; i < std::min(gone.size(), fresh.size()); ++i) {
        gone[i]->counterpart = fresh[i]->name;
        fresh[i]->counterpart = gone[i]->name;
        gone[i]->why = fresh[i]->why = ChangeReason::replaced;
      }
    }
  }
}

// Both lists are ordered by name.
std::vector<ComparedWork> rows_of(const std::vector<WorkGroup>& before, const std::vector<WorkGroup>& after,
                                  const TraceComparison& all, std::vector<KernelPair>& pairs) {
  std::vector<ComparedWork> rows;
  auto a = before.begin();
  auto b = after.begin();
  while (a != before.end() || b != after.end()) {
    const bool from_a = b == after.end() || (a != before.end() && a->name <= b->name);
    const bool from_b = a == before.end() || (b != after.end() && b->name <= a->name);
    const KernelPair pair = {from_a ? &*a++ : nullptr, from_b ? &*b++ : nullptr};
    ComparedWork row = row_of(pair.before, pair.after, all);
    if (row.launches[0] == 0 && row.launches[1] == 0) continue;  // outside of the steps
    pairs.push_back(pair);
    rows.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) pairs[i].row = &rows[i];
  return rows;
}

std::vector<float> durations(const WorkProfile& profile) {
  std::vector<float> all;
  for (const std::int64_t step : profile.steps) {
    all.push_back(static_cast<float>(step));
    if (all.size() == most_spread_steps) break;
  }
  return all;
}

}  // namespace

std::string_view name_of(ChangeReason reason) { return base::enum_name(reason); }

std::optional<double> TraceComparison::step_median_pct() const {
  if (median_step[0] <= 0 || median_step[1] <= 0) return {};
  return 100.0 * (static_cast<double>(median_step[1]) / static_cast<double>(median_step[0]) - 1);
}

std::optional<double> TraceComparison::known_step_median_pct() const {
  return significant() == false ? 0 : step_median_pct();
}

std::string launches_text(double count) {
  return count == std::floor(count) ? base::with_thousands(std::llround(count)) : base::decimal_text(count, 2);
}

TraceComparison compare_profiles(const WorkProfile& before, const WorkProfile& after) {
  TraceComparison all;
  all.by_step = !before.steps.empty() && !after.steps.empty();
  const std::array<const WorkProfile*, 2> both = {&before, &after};
  for (std::size_t i = 0; i < 2; ++i) {
    const WorkProfile& one = *both[i];
    all.files[i] = one.file;
    all.gpus[i] = one.gpu;
    all.steps[i] = one.steps.size();
    if (all.by_step) all.outside[i] = one.outside;
    all.median_step[i] = one.median_step().value_or(0);
    const WorkTotal total = total_of(one.in_steps, one.outside, all.by_step);
    all.time[i] = static_cast<double>(total.time) / all.parts(i);
    all.launches[i] = static_cast<double>(total.launches) / all.parts(i);
  }
  all.p = rank_sum_p(durations(before), durations(after));
  for (std::size_t g = 0; g < work_groupings; ++g) {
    std::vector<KernelPair> pairs;
    std::vector<ComparedWork> rows = rows_of(before.groups[g], after.groups[g], all, pairs);
    if (static_cast<WorkGrouping>(g) == WorkGrouping::kernel) {
      all.clock = clock_of(pairs, all.by_step);
      for (const KernelPair& pair : pairs) pair.row->why = reason_of(pair, all);
      find_replaced(pairs);
    }
    std::ranges::stable_sort(rows, std::ranges::greater{},
                             [](const ComparedWork& row) { return std::abs(row.change()); });
    all.rows[g] = std::move(rows);
  }
  return all;
}

}  // namespace warpwalk::analysis
