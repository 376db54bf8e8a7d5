#pragma once

#include <cstddef>
#include <cstdint>

#include "core/trace/snapshot/memory_snapshot.h"
#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// What a memory snapshot of PyTorch holds at its end, on all devices, in bytes.
struct SnapshotSums {
  std::int64_t reserved = 0;   ///< of all segments
  std::int64_t allocated = 0;  ///< of the blocks in use
  std::int64_t awaiting = 0;   ///< of blocks that were freed, but that other streams still use
  std::int64_t inactive = 0;   ///< free, in segments that are partly in use: what fragmentation costs
  std::int64_t whole = 0;      ///< of segments without a block in use, which empty_cache() would give back
  std::size_t segments = 0, blocks = 0, in_use = 0;
  std::size_t stacks = 0;
  /// Most bytes that the program held at a time on one device, as far as the history goes; absent without a history.
  std::int64_t peak = trace::absent;
  std::size_t refused = 0;  ///< requests that ended with an out-of-memory error
};
SnapshotSums snapshot_sums(const trace::Trace& trace, const trace::MemorySnapshot& snapshot);

}  // namespace warpwalk::analysis
