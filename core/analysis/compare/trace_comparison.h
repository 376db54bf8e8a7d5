#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/compare/work_profile.h"

namespace warpwalk::analysis {

/// Why the time of a kernel differs between two traces. The first one that applies.
enum class ChangeReason : std::uint8_t {
  same,      ///< it does not differ
  new_,      ///< only the second trace has it
  gone,      ///< only the first one has it
  replaced,  ///< one is gone, and the same op launches another one in its place
  launches,  ///< more or fewer launches
  shapes,    ///< the ops' tensors have other sizes
  grid,      ///< other blocks or threads
  gpu,       ///< another GPU
  clock,     ///< all kernels with the same launches changed by about the same factor
  time,      ///< the same launches take another time
};
std::string_view name_of(ChangeReason reason);

/// A row of a comparison: work of one name in both traces, per step. Times are ns.
struct ComparedWork {
  std::string name;
  std::array<double, 2> time = {}, launches = {};  ///< before and after
  /// Whether the steps' times differ by more than chance: the p-value of rank_sum_p() is below 0.05. None: too few
  /// steps, or none.
  std::optional<bool> significant;
  // Of kernels:
  ChangeReason why = ChangeReason::same;
  std::string counterpart;                  ///< of `replaced`: the kernel of the other trace
  std::string op, module;                   ///< of its first launch, after or else before
  std::array<std::string, 2> grid, shapes;  ///< of the first launches; empty: unknown

  double change() const { return time[1] - time[0]; }
};

/// How two traces of one program differ.
struct TraceComparison {
  bool by_step = false;  ///< both traces have steps; else all figures are of the whole traces
  std::array<std::string, 2> files, gpus;
  std::array<std::size_t, 2> steps = {};
  std::array<WorkTotal, 2> outside = {};           ///< work that no step launched, left out
  std::array<std::int64_t, 2> median_step = {};    ///< ns; 0 without steps
  std::array<double, 2> time = {}, launches = {};  ///< of all work, per step
  std::optional<double> p;                         ///< of the steps' durations (rank_sum_p)
  /// The factor by which kernels with the same launches, shapes and grids take longer in the second trace, the median
  /// by their time; none: fewer than three such kernels.
  std::optional<double> clock;
  std::array<std::vector<ComparedWork>, work_groupings> rows;  ///< all of them, the largest change first

  /// By what the sums of a trace are divided.
  double parts(std::size_t trace) const { return by_step ? static_cast<double>(steps[trace]) : 1; }
  const std::vector<ComparedWork>& by(WorkGrouping grouping) const { return rows[static_cast<std::size_t>(grouping)]; }
  /// By how many percent the median step got longer; none without steps.
  std::optional<double> step_median_pct() const;
  std::optional<bool> significant() const { return p ? std::optional(*p < 0.05) : std::nullopt; }
  /// The change of the median step in percent if the steps' spread can explain it: 0; else as step_median_pct().
  std::optional<double> known_step_median_pct() const;
};

/// A number of launches: "1,024" or, of a mean over steps, "2.67".
std::string launches_text(double count);

/// By the step if both have steps, else of everything.
TraceComparison compare_profiles(const WorkProfile& before, const WorkProfile& after);

}  // namespace warpwalk::analysis
