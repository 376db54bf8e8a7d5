#pragma once

// This folder compares what the GPUs did in two traces, by the step.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/kernels/kernel_table.h"
#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// By what the work of a GPU is added up.
enum class WorkGrouping : std::uint8_t { category, op, module, kernel };
constexpr std::size_t work_groupings = static_cast<std::size_t>(WorkGrouping::kernel) + 1;
std::string_view name_of(WorkGrouping grouping);

/// Values of the launches of a kernel, such as their grids.
struct LaunchValues {
  std::string first;      ///< as text; empty: none was recorded
  std::uint64_t all = 0;  ///< a fingerprint of the set of values; of a trace with steps, of those in steps

  /// A value that was not added before; `text` makes its text.
  template <class Text>
  void add(std::uint64_t hash, Text text) {
    if (first.empty()) first = text();
    all ^= hash;
  }
  friend bool operator==(const LaunchValues& a, const LaunchValues& b) { return a.all == b.all; }
};

struct WorkTotal {
  std::uint64_t launches = 0;
  std::int64_t time = 0;  ///< ns; what ran at the same time is added
};

/// Kernels, copies and fills that are added up.
struct WorkGroup {
  std::string name;             ///< of a category, an op, a module's path, a kernel; empty: outside of ops, or modules
  WorkTotal in_steps, outside;  ///< launched in a training step, or not
  WorkSum flops, bytes;         ///< of all launches for which they are known (WorkAmount)
  std::vector<float> by_step;   ///< ns in each of the first steps, at most `most_spread_steps`
  // Of kernels, copies and fills by name:
  std::vector<std::uint32_t> launches_by_step;  ///< in the same steps
  std::string op, module;                       ///< of the first launch
  std::optional<bool> communicates;             ///< with other GPUs; none: not a kernel
  LaunchValues grids, shapes;                   ///< blocks and threads; sizes of the tensors of the ops
};

constexpr std::size_t most_spread_steps = 512;

/// What the GPUs did in a trace, in its training steps and outside of them. Work belongs to the step in which it was
/// launched. Refers to no trace. Times are ns.
struct WorkProfile {
  std::string file;                                           ///< its name, without folders
  std::string gpu;                                            ///< the name of the GPU; empty: unknown, or several
  std::vector<std::int64_t> steps;                            ///< their durations; empty: the trace has no steps
  WorkTotal in_steps, outside;                                ///< of all work
  std::array<std::vector<WorkGroup>, work_groupings> groups;  ///< by name

  const std::vector<WorkGroup>& by(WorkGrouping grouping) const { return groups[static_cast<std::size_t>(grouping)]; }
  /// ns; of two steps in the middle, the faster one.
  std::optional<std::int64_t> median_step() const;
};

/// Reads the whole trace. `file`: its name.
WorkProfile work_profile(const trace::Trace& trace, std::string file = {});

}  // namespace warpwalk::analysis
