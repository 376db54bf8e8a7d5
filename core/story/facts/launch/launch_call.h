#pragma once

// This folder derives facts about one launch: call, shape, limits, times, stream. Sums over a trace are in
// core/analysis/time.

#include <cstddef>
#include <cstdint>

#include "core/story/elements/walk.h"

namespace warpwalk::story {

/// The work that one launch call started. A CUDA graph starts many kernels, copies and fills with one call.
struct LaunchCall {
  bool graph = false;      ///< the call launched a CUDA graph
  std::size_t pieces = 0;  ///< kernels, copies and fills that it started
  // Other launches of the same graph in this trace, among those looked at:
  std::size_t others = 0;
  std::int64_t shortest_other = 0;  ///< ns
  std::int64_t longest_other = 0;   ///< ns
};

/// All zero for a walk without a launch. Reads the launches of the same thread that are near this one, at most 20,000
/// pieces of work before it and after it.
LaunchCall launch_call_of(const Trace& trace, const Walk& walk);

}  // namespace warpwalk::story
