#pragma once

#include <cstdint>
#include <span>

#include "core/trace/trace.h"

namespace warpwalk::recording {

/// What graph launches ran and CUPTI did not hand over. It counts none of this among the records that it drops: where
/// its device buffers are full (250 of 66,666 launches by default, which a program that launches graphs does not give
/// back), kernels of single launches come without times and those of graphs not at all. Seen on an H200 with CUPTI 13.0
/// after 16,666,699 kernels; known from elsewhere too (parca-dev/parcagpu, issue 23).
struct GraphLosses {
  std::uint64_t work = 0;            ///< kernels, copies and sets: fewer than the same graph's fullest launch has
  std::uint64_t empty_launches = 0;  ///< of a graph that cannot be told, so that their work cannot be counted
};

/// Of a trace whose details have their correlations; it need not be linked. `transfer_graphs`: of each of its
/// transfers, 0 where it is of none. A launch without any work is taken for one of the graph, where the trace has just
/// one size of graph launch. A graph with conditional nodes, or of which nodes were switched off, may rightly run less
/// than its fullest launch; one without work of its own, nothing.
GraphLosses graph_losses(const trace::Trace& trace, std::span<const std::uint32_t> transfer_graphs);

}  // namespace warpwalk::recording
