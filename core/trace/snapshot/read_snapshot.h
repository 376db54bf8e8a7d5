#pragma once

// This folder reads memory snapshots of PyTorch. core/story/labs/allocator shows them.

#include <functional>
#include <optional>
#include <string>

#include "core/trace/json/window.h"
#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace::snapshot {

struct Result {
  std::uint64_t entries = 0;         ///< segments, blocks and entries of the history that were read
  bool stopped = false;              ///< by `go_on` or the memory cap
  std::optional<std::string> error;  ///< if nothing could be salvaged: what and what to do, without the file's name
};

/// Reads a memory snapshot of PyTorch (torch.cuda.memory._dump_snapshot), a Python pickle, and fills a trace that is
/// not yet linked: the history as memory events, and the segments, blocks and call stacks as the metadata entry
/// `memory_snapshot` (memory_snapshot.h). Executes nothing. From a file that is cut off, everything whole is kept.
/// `go_on` is called with the number of entries so far; returning false stops.
Result read_snapshot(Window& window, std::uint64_t memory_cap, const std::function<bool(std::uint64_t)>& go_on,
                     Trace& trace, Problems& problems);

}  // namespace warpwalk::trace::snapshot
