#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/kernels/fusable.h"
#include "core/analysis/modules/code_place.h"
#include "core/analysis/time/idle.h"

namespace warpwalk::analysis {

/// What to change so that a program takes less time.
enum class AdviceKind : std::uint8_t {
  host,           ///< the CPU works at a line while everything waits for it
  blocked,        ///< the CPU sleeps, reads or waits for a lock at a line
  synchronise,    ///< the GPU is idle because the CPU waits for it at a line
  loading,        ///< CUDA loads or compiles code
  allocation,     ///< the CPU is in calls that take memory from the driver or give it back
  pageable,       ///< the CPU is in calls that copy pageable memory to the GPU
  profiler,       ///< the profiler's own work
  launch,         ///< the GPU waits for launches of a line to take effect
  between,        ///< between queued kernels of a line
  communication,  ///< a kernel that exchanges data with other GPUs
  copy,           ///< copies and fills of one kind
  kernel,         ///< kernels of one name
  fuse,           ///< kernels that work element by element, one after the other
};
constexpr std::size_t advice_kinds = static_cast<std::size_t>(AdviceKind::fuse) + 1;
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
  /// ns: of the critical path; of `synchronise`, idle time of the GPU; of `fuse`, what FusableRun::at_most() says of
  /// the path. If all of it went away, the program would be faster by this much at most: other paths then become
  /// critical.
  std::int64_t at_most = 0;
};

/// Adds up what a critical path and the gaps of a GPU go into.
class AdviceSums {
 public:
  /// Both must outlive this.
  AdviceSums(const Trace& trace, const CodePlaces& places) : trace_(trace), places_(places) {}

  void add(const CriticalPath& path);
  void add(std::span<const IdlePart> parts);
  /// The largest first, at most `limit`. What is less than a hundredth of the path is left out, and so are pauses on
  /// the GPU that the trace does not explain (longest_start).
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
  };
  void add(AdviceKind kind, SliceId slice, std::int64_t time);
  void add_fusable(const CriticalPath& path);
  SliceId named_slice(SliceId slice) const;
  Advice advice_of(AdviceKind kind, const Sum& sum) const;

  const Trace& trace_;
  const CodePlaces& places_;
  std::int64_t span_ = 0;
  std::map<std::pair<AdviceKind, std::uint64_t>, Sum> sums_;  // by name of a kernel, or by line
};

}  // namespace warpwalk::analysis
