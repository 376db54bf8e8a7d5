#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/intervals.h"
#include "core/analysis/modules/code_place.h"

namespace warpwalk::analysis {

/// What the rows of ModuleTimes are.
enum class ModuleGrouping : std::uint8_t {
  modules,    ///< nn.Modules
  functions,  ///< the program's own Python functions, because no nn.Module was recorded
  ranges,     ///< ranges that the program named, because no frame of its own was recorded either
  none,       ///< the trace tells nothing of the program
};

/// Times of a part of the program, ns.
struct ModuleCost {
  /// A moment of a thread counts for the innermost frame, op, call or range that is recorded for it; not if the thread
  /// sleeps, reads from outside or waits for a lock in it (cpu_wait.h).
  std::int64_t cpu_forward = 0;
  std::int64_t cpu_backward = 0;  ///< the same, inside of backward ops
  /// Kernels, copies and fills by the place of their launch; those that run at the same time are all added.
  std::int64_t gpu_forward = 0;
  std::int64_t gpu_backward = 0;  ///< launched inside of a backward op
  /// Time in which the GPU had no work while a thread that gives it work was in a forward call of the part. If several
  /// threads were, it counts for the first of them in the order of the trace.
  std::int64_t idle = 0;

  std::int64_t cpu() const { return cpu_forward + cpu_backward; }
  std::int64_t gpu() const { return gpu_forward + gpu_backward; }
  ModuleCost& operator+=(const ModuleCost& other);
  friend bool operator==(const ModuleCost&, const ModuleCost&) = default;
};

/// All calls of one module at one path: calls in all steps are added. A part of compiled kernels is a row, too.
struct ModuleTime {
  std::string name;                   ///< "Linear_1", "train.py(16): step"; empty for the whole program
  SliceId example = no_slice;         ///< the first call
  std::size_t parent = 0;             ///< in ModuleTimes::modules; comes before this one
  std::size_t depth = 0;              ///< 0: the whole program
  std::vector<std::size_t> children;  ///< in the order of their first calls
  std::size_t calls = 0;              ///< also those that compute a forward pass again
  ModuleCost self;                    ///< without the modules inside it
  ModuleCost total;
  SliceId longest_self = no_slice;  ///< the longest kernel, copy or fill that is in self, or in total
  SliceId longest = no_slice;
};

struct ModuleTimes {
  ModuleGrouping grouping = ModuleGrouping::none;
  std::int64_t device = trace::absent;  ///< whose work and idle time are counted; absent: the work of all GPUs
  /// Parents before children. The first is the whole program: its self is the time outside of modules, so that the self
  /// times of all add up to its total exactly.
  std::vector<ModuleTime> modules;

  const ModuleTime& whole() const { return modules.front(); }
  /// "Model_0 / Sequential_0 / Linear_1"; empty for the whole program.
  std::string path_text(std::size_t module) const;
};

/// A part of the kernels with one name.
struct KernelPart {
  std::string row;   ///< a row of its own inside the module that launched the kernel: "train.py(30): forward"
  double share = 0;  ///< of the kernel's time; the shares of a kernel add up to 1
};
/// What the kernels of a name are divided into, because a compiler made them of several lines; empty: nothing.
using KernelParts = std::function<std::vector<KernelPart>(std::string_view kernel)>;

/// Reads the whole trace: about a tenth of a second for a million events. `idle`: times in which the GPU had no work,
/// ns since the trace's base.
ModuleTimes module_times(const Trace& trace, const CodePlaces& places, std::int64_t device,
                         std::span<const Interval> idle, const KernelParts& parts = {});

/// The same for anything that has `from` and `to`, for example IdleReport::gaps.
template <class Part>
ModuleTimes module_times(const Trace& trace, const CodePlaces& places, std::int64_t device,
                         const std::vector<Part>& idle, const KernelParts& parts = {}) {
  std::vector<Interval> intervals;
  intervals.reserve(idle.size());
  for (const Part& one : idle) intervals.push_back({one.from, one.to});
  return module_times(trace, places, device, std::span<const Interval>(intervals), parts);
}

}  // namespace warpwalk::analysis
