#pragma once

#include <cstdint>

#include "core/trace/pickle/value.h"
#include "core/trace/string_pool.h"

namespace warpwalk::trace::snapshot {

using pickle::Value;

/// One entry of the history.
enum class Action : std::uint8_t {
  alloc,
  free_requested,
  free_completed,
  segment_alloc,
  segment_free,
  segment_map,
  segment_unmap,
  out_of_memory,
  snapshot,
  other,
};

struct EventRow {
  std::int64_t time_us = 0;
  std::uint64_t address = 0;  ///< of an out-of-memory entry: the free bytes of the device
  std::int64_t size = 0, stream = 0;
  StringId stack = 0;
  Action action = Action::other;
};

struct BlockRow {
  std::uint64_t address = 0;
  std::int64_t size = 0, requested = -1;
  StringId state = 0, stack = 0;
};

struct SegmentRow {
  std::int64_t device = 0;
  std::uint64_t address = 0;
  std::int64_t total = 0, stream = 0;
  StringId type = 0;
  bool expandable = false;
  std::uint32_t first_block = 0, blocks = 0;
};

/// One frame of Python or C++.
struct FrameRow {
  StringId file = 0, name = 0;
  std::int64_t line = 0;
};

}  // namespace warpwalk::trace::snapshot
