#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/time/idle.h"
#include "core/analysis/walk.h"

namespace warpwalk::analysis {

/// One line of the outline of ops: all ops of the trace by start, nested ones below their parents.
struct OutlineOp {
  SliceId slice = no_slice;
  std::uint32_t depth = 0;    ///< number of ops that enclose it
  std::int64_t gpu_time = 0;  ///< ns, nested ops included
};

/// All kernels of one name.
struct KernelGroup {
  trace::StringId name = 0;
  std::string label;  ///< short, and different from those of the other groups if template arguments differ
  std::uint64_t count = 0;
  std::int64_t total = 0;  ///< ns
  SliceId longest = no_slice;
  double share = 0;  ///< of the time of all kernels, 0 to 1
};

struct Outline {
  std::vector<OutlineOp> ops;
  std::vector<KernelGroup> kernels;  ///< the longest total first
  std::int64_t kernel_time = 0;      ///< ns, all kernels added
  std::int64_t longest_op = 0;       ///< ns: the largest OutlineOp::gpu_time
  std::int64_t longest_work = 0;     ///< ns: of one kernel, copy or fill
  std::vector<IdleReport> idle;      ///< of each GPU

  /// ns in which GPUs had no work, between the first and the last work of each.
  std::int64_t gpu_idle() const;
};

Outline outline_of(const Trace& trace);

/// Whether each distinct name contains the text, ignoring case (ASCII); by StringId.
std::vector<char> names_holding(const Trace& trace, std::string_view text);

}  // namespace warpwalk::analysis
