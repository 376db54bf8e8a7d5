#pragma once

#include <optional>
#include <vector>

#include "core/story/elements/walk.h"

namespace warpwalk::story {

/// The part of a trace in which streams of one GPU overlap.
struct StreamWindow {
  std::vector<trace::TrackId> streams;
  std::vector<SliceId> work;      ///< copies, fills and kernels, by start
  std::int64_t from = 0, to = 0;  ///< ns since the trace's base: from the first start to the last end
  std::int64_t overlapped = 0;    ///< ns in which work of at least two streams ran
  std::int64_t busy = 0;          ///< ns in which any of it ran
  std::int64_t added = 0;         ///< durations of the work
};

/// The first operations of different streams that overlap, with those that follow; if none do, the first operations.
/// None if fewer than two streams of the followed work's GPU worked. Reads a bounded part of the trace.
std::optional<StreamWindow> stream_window(const Trace& trace, const Walk& walk);

}  // namespace warpwalk::story
