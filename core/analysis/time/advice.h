#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/intervals.h"
#include "core/analysis/kernels/fusable.h"
#include "core/analysis/modules/code_place.h"
#include "core/analysis/time/idle.h"

namespace warpwalk::analysis {

/// What to change so that a program takes less time.
enum class AdviceKind : std::uint8_t {
  host,            ///< the CPU works at a line while everything waits for it
  small_kernels,   ///< the same, but its work is to launch kernels, each of which takes less time than its launch
  blocked,         ///< the CPU sleeps, reads or waits for a lock at a line
  synchronise,     ///< a line waits for the GPU: its idle time because of that, and the CPU's work to read a result
  loading,         ///< CUDA loads or compiles code
  allocation,      ///< the CPU is in calls that take memory from the driver or give it back
  pageable,        ///< copies of pageable memory to the GPU, and the CPU held by them
  profiler,        ///< the profiler's own work
  launch,          ///< the GPU waits for launches of a line to take effect
  between,         ///< between queued kernels of a line
  communication,   ///< a kernel that exchanges data with other GPUs
  copy,            ///< copies and fills of one kind
  kernel,          ///< kernels of one name
  layout,          ///< the same, but they only move data (WorkCategory::layout)
  fuse,            ///< kernels that work element by element, one after the other
  unrecorded_cpu,  ///< the CPU is outside of everything that is recorded, and launches late
  unrecorded_gpu,  ///< the trace lacks what the GPU did, or what kept it: no time that can be saved, but not known
};
constexpr std::size_t advice_kinds = static_cast<std::size_t>(AdviceKind::unrecorded_gpu) + 1;
/// "host", "blocked" ...: the key of its words in the narration.
std::string_view name_of(AdviceKind kind);

/// One change, with a bound of what it can save.
struct Advice {
  AdviceKind kind = AdviceKind::host;
  SliceId slice = no_slice;  ///< its longest stretch
  /// Of a kernel or copy, short; else the call or Python frame that takes most of it. Empty for the profiler.
  std::string name;
  std::int64_t name_time = 0;  ///< ns of `at_most` in it
  std::string line;            ///< "train.py(12): step"; empty: not recorded
  std::string module;          ///< "Model_0 / Linear_1"; empty: outside of modules
  /// ns: of the critical path; of `synchronise`, also idle time of the GPU; of `unrecorded_cpu` and `unrecorded_gpu`,
  /// that alone; of `fuse`, what FusableRun::at_most() says of the path. If all of it went away, the program would be
  /// faster by this much at most: other paths then become critical.
  std::int64_t at_most = 0;
  std::size_t launches = 0;  ///< of `small_kernels`
  std::int64_t kernels = 0;  ///< ns that the kernels take which they launch
};

/// What the change that a line of advice leads to would gain (core/analysis/predict/suggest.h).
struct AdvicePrediction {
  std::string change;                     ///< as `predict --change` takes it; empty: no word stands for it
  double before = 0;                      ///< ns; a step as recorded
  std::optional<double> step, low, high;  ///< ns; none: it cannot be told
  std::string cannot;                     ///< why
};

/// Adds up what a critical path and the gaps of a GPU go into.
class AdviceSums {
 public:
  /// Both must outlive this.
  AdviceSums(const Trace& trace, const CodePlaces& places) : trace_(trace), places_(places) {}

  /// When the GPU's span begins (IdleReport::from): calls of CUDA before it that launch nothing are the start of CUDA,
  /// which happens once, and are left out. Comes before the path.
  void begin_at(std::int64_t from) { begin_ = from; }
  /// Parts come before the path: what the CPU does late because a call had held it (IdleCause::restart, pageable)
  /// counts for that call, not for its own line.
  void add(std::span<const IdlePart> parts);
  void add(const CriticalPath& path);
  /// The largest first, at most `limit`. What is less than a hundredth of the path is left out.
  std::vector<Advice> first(std::size_t limit) const;

 private:
  struct Part {
    std::int64_t time = 0, longest = 0;
    SliceId slice = no_slice;

    void add(SliceId one, std::int64_t part) {
      time += part;
      if (part <= longest) return;
      longest = part;
      slice = one;
    }
  };
  struct Sum : Part {
    std::map<trace::StringId, Part> names;  // calls and frames
    std::size_t launches = 0;
    std::int64_t kernels = 0;  // ns
  };
  Sum& add(AdviceKind kind, SliceId slice, std::int64_t time);
  void add(const PathSegment& segment, AdviceKind kind);
  static bool launches_small_kernels(const Sum& sum);
  std::optional<AdviceKind> advised_by(const PathSegment& segment) const;
  void find_readers();
  bool launches_kernels(SliceId around) const;
  bool is_of_reader(SliceId slice) const;
  void add_fusable(const CriticalPath& path, WorkCategories& categories);
  SliceId named_slice(SliceId slice) const;
  Advice advice_of(AdviceKind kind, const Sum& sum) const;

  const Trace& trace_;
  const CodePlaces& places_;
  std::int64_t span_ = 0;
  std::int64_t begin_ = std::numeric_limits<std::int64_t>::min();
  std::vector<bool> readers_;   // by slice: ops, calls and functions in C that wait for the GPU and launch no kernel
  std::vector<Interval> held_;  // the parts that count for a call that had held the CPU
  std::map<std::pair<AdviceKind, std::uint64_t>, Sum> sums_;  // by name of a kernel, or by line
};

}  // namespace warpwalk::analysis
