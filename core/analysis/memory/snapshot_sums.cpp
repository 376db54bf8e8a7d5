#include "core/analysis/memory/snapshot_sums.h"

#include <algorithm>

namespace warpwalk::analysis {

SnapshotSums snapshot_sums(const trace::Trace& trace, const trace::MemorySnapshot& snapshot) {
  using State = trace::MemorySnapshot::State;
  SnapshotSums sums;
  sums.segments = snapshot.segments.size();
  sums.stacks = snapshot.stacks.empty() ? 0 : snapshot.stacks.size() - 1;  // number 0 is that of no stack
  for (const auto& segment : snapshot.segments) {
    sums.reserved += segment.bytes;
    std::int64_t free = 0;
    for (const auto& block : segment.blocks) {
      ++sums.blocks;
      sums.in_use += block.state == State::allocated;
      (block.state == State::allocated       ? sums.allocated
       : block.state == State::awaiting_free ? sums.awaiting
                                             : free) += block.bytes;
    }
    (free == segment.bytes ? sums.whole : sums.inactive) += free;
  }
  for (std::size_t i = 0; i < trace.memory.size(); ++i) {
    sums.peak = std::max(sums.peak, trace.memory[i].allocated);
    sums.refused += trace.memory[i].out_of_memory;
  }
  return sums;
}

}  // namespace warpwalk::analysis
