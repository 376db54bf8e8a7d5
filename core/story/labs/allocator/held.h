#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/snapshot/memory_snapshot.h"
#include "core/trace/trace.h"

namespace warpwalk::story::allocator_lab {

using trace::MemorySnapshot;

/// One device's memory in a snapshot, after some of the entries of its history.
struct HeldMemory {
  std::int64_t device = 0;
  std::vector<MemorySnapshot::Segment> segments;  ///< by address, their blocks without gaps
  std::int64_t allocated = 0;                     ///< bytes of the blocks in use
  std::int64_t reserved = 0;
  std::int64_t awaiting = 0;  ///< of blocks that other streams still use
  std::int64_t inactive = 0;  ///< of free blocks in segments that are partly in use
  std::int64_t whole = 0;     ///< of segments without a block in use
};

/// The devices that have segments or a history.
std::vector<std::int64_t> snapshot_devices(const trace::Trace& trace, const MemorySnapshot& snapshot);
/// The memory after the first `steps` rows of Trace::memory, found from the end of the history backwards.
HeldMemory held_at(const trace::Trace& trace, const MemorySnapshot& snapshot, std::int64_t device, std::size_t steps);
/// Bytes of the largest free block in segments for requests of this size.
std::int64_t largest_free(const HeldMemory& held, std::int64_t bytes);
/// All free bytes in segments for requests of this size.
std::int64_t free_bytes(const HeldMemory& held, std::int64_t bytes);

/// The allocation that made the block at an address: the last one in the first `steps` rows; none if it is older.
std::optional<std::size_t> allocated_in(const trace::Trace& trace, std::int64_t device, std::uint64_t address,
                                        std::size_t steps);

/// The frame of a stack that is the program's own: the innermost Python frame outside of PyTorch and the installed
/// packages, else the innermost Python frame, else the outermost op of PyTorch (of the backward pass, if autograd runs
/// it), else the innermost frame of C++ that names a source. `callers`: so many
/// frames of the same language further out, as far as there are. Null for a stack without such a frame.
const MemorySnapshot::Frame* own_frame(const MemorySnapshot& snapshot, std::uint32_t stack, std::size_t callers = 0);
/// "train.py:54 training", "aten::mm".
std::string frame_text(const MemorySnapshot::Frame& frame);

/// The blocks in use, added up by the program's own line, most bytes first.
struct LineSum {
  std::string line;  ///< empty: blocks without a stack; "backward: aten::mm" where autograd called an op
  std::int64_t bytes = 0;
  std::size_t blocks = 0;
};
std::vector<LineSum> sums_by_line(const MemorySnapshot& snapshot, const HeldMemory& held, std::size_t callers = 0);

/// The last request that was refused, with the memory at that time.
struct Refusal {
  std::size_t row = 0;  ///< of Trace::memory
  std::int64_t bytes = 0, device_free = trace::absent;
  std::uint32_t stack = 0;
  HeldMemory held;
  std::int64_t largest = 0, free = 0;  ///< of the pool of the request
  /// The free bytes of the pool would suffice, but not in one block.
  bool fragmented() const { return free >= bytes && largest < bytes; }
};
std::optional<Refusal> last_refusal(const trace::Trace& trace, const MemorySnapshot& snapshot, std::int64_t device);

}  // namespace warpwalk::story::allocator_lab
