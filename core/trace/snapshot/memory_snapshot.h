#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// A memory snapshot of PyTorch, as a trace keeps it: the state at the end of the history, and the call stacks. The
/// history itself is Trace::memory. The trace has it as JSON in the metadata entry `memory_snapshot`.
struct MemorySnapshot {
  static constexpr std::string_view key = "memory_snapshot";
  enum class State : std::uint8_t { allocated, awaiting_free, inactive };
  struct Block {
    std::uint64_t address = 0;
    std::int64_t bytes = 0, requested = 0;
    State state = State::inactive;
    std::uint32_t stack = 0;  ///< in `stacks`; 0: none
  };
  struct Segment {
    std::int64_t device = 0;
    std::uint64_t address = 0;
    std::int64_t bytes = 0, stream = 0;
    bool small = false, expandable = false;
    std::vector<Block> blocks;  ///< by address
  };
  struct Frame {
    std::string file, name;
    std::int64_t line = 0;
  };
  /// Memory that was taken from the driver (positive) or went back to it.
  struct SegmentChange {
    std::int64_t time = 0;  ///< ns since the trace's base
    std::int64_t device = 0;
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
  };
  std::vector<Segment> segments;  ///< by device and address
  std::vector<Frame> frames;
  std::vector<std::vector<std::uint32_t>> stacks;  ///< of numbers in `frames`, innermost first; number 0 is empty
  std::vector<SegmentChange> changes;              ///< by time
  std::vector<std::pair<std::string, std::string>> settings;  ///< of the allocator, as JSON values
};

/// The snapshot of a trace; none if it was not read from one, or its entry is damaged.
std::optional<MemorySnapshot> memory_snapshot(const Trace& trace);
bool has_memory_snapshot(const Trace& trace);

/// The extra of a memory event of a snapshot.
struct SnapshotEvent {
  std::string_view action;
  std::int64_t stream = 0;
  std::uint32_t stack = 0;
  std::int64_t device_free = absent;  ///< of an out-of-memory event: free bytes of the device
};
SnapshotEvent snapshot_event(const Trace& trace, const MemoryEvent& event);

}  // namespace warpwalk::trace
