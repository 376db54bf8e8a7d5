#pragma once

#include <cstdint>

#include "core/story/elements/walk.h"
#include "core/story/facts/memory/memory_state.h"

namespace warpwalk::story {

/// Whether this event belongs to this memory and has a number of bytes.
bool is_of(const trace::MemoryEvent& event, const MemorySpace& space);

/// Reads the memory's history and its state at `at` (ns since the trace's base). warpwalk's own records take precedence
/// over PyTorch's memory events, because they have the segments; without either, the driver's allocations are read. One
/// pass over the events.
MemoryMap memory_map(const Trace& trace, const MemorySpace& space, std::int64_t at);

/// The totals at another moment, without reading the whole history again.
struct MemoryTotals {
  std::int64_t allocated = trace::absent;
  std::int64_t reserved = trace::absent;
};
MemoryTotals memory_totals(const Trace& trace, const MemoryMap& map, std::int64_t at);

}  // namespace warpwalk::story
