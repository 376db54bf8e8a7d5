#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/modules/module_time.h"
#include "core/analysis/walk.h"

namespace warpwalk::analysis {

/// All kernels, copies or fills of one name on one GPU.
struct WorkCost {
  SliceId longest_one = no_slice;
  std::string label;  ///< short, as in the outline
  std::size_t count = 0;
  std::int64_t total = 0, shortest = 0, longest = 0;  ///< ns; `total` adds up what ran at the same time

  std::vector<KernelPart> parts;  ///< of a compiled kernel, the lines that it computes; the largest first

  double mean() const { return static_cast<double>(total) / static_cast<double>(count); }
};
/// Kernels, copies and fills with a time, by total, the largest first. `device`: absent for all GPUs.
std::vector<WorkCost> work_costs(const Trace& trace, std::int64_t device = trace::absent);

/// All ops of one name. The GPU time of a piece of work counts for the innermost op around its launch alone, and the
/// CPU time of an op excludes the ops and calls inside it, so both add up over the ops.
struct OpCost {
  SliceId example = no_slice;  ///< the op with the most GPU time, else CPU time; no_slice: work that no op launched
  std::size_t count = 0;
  std::int64_t gpu = 0;   ///< ns
  std::int64_t self = 0;  ///< ns on the CPU
  std::size_t works = 0;  ///< kernels, copies and fills
};
/// By GPU time, then by CPU time.
std::vector<OpCost> op_costs(const Trace& trace);

}  // namespace warpwalk::analysis
