#include "core/story/facts/analysis/overlap.h"

#include <algorithm>
#include <cstddef>

namespace warpwalk::story {

std::vector<OverlapStep> overlapped(int steps, double copy, double multiply, int buffers) {
  std::vector<OverlapStep> all;
  const auto apart = static_cast<std::size_t>(std::max(buffers, 1));
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(steps, 0)); ++i) {
    OverlapStep step;
    if (i > 0) step.copy_start = all[i - 1].copy_end;
    if (i >= apart) step.copy_start = std::max(step.copy_start, all[i - apart].multiply_end);
    step.copy_end = step.copy_start + copy;
    step.multiply_start = i > 0 ? std::max(step.copy_end, all[i - 1].multiply_end) : step.copy_end;
    step.multiply_end = step.multiply_start + multiply;
    all.push_back(step);
  }
  return all;
}

}  // namespace warpwalk::story
