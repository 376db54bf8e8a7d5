#pragma once

#include <cstdint>
#include <span>

#include "core/trace/trace.h"

namespace warpwalk::instrumentation {

/// Work of graph launches that CUPTI did not deliver. CUPTI does not count it as dropped. Once its device buffers are
/// full (by default 250 buffers of 66,666 launches each, which a program that launches graphs never frees), kernels
/// launched directly arrive without times and kernels launched by graphs do not arrive at all. Observed on an H200 with
/// CUPTI 13.0 after 16,666,699 kernels; also reported in parca-dev/parcagpu, issue 23.
struct GraphLosses {
  std::uint64_t work = 0;            ///< missing kernels, copies and memsets, compared with each graph's fullest launch
  std::uint64_t empty_launches = 0;  ///< launches without work whose graph is unknown; their work cannot be counted
};

/// Estimates the losses of a trace. The trace's details need correlations; it need not be linked. `transfer_graphs`
/// holds the graph ID of each transfer, 0 if none. If all graph launches of the trace have the same size, a launch
/// without work counts as one of that size. The estimate can be too high: a graph with conditional or disabled nodes
/// may run less work than its fullest launch, and an empty graph runs none.
GraphLosses graph_losses(const trace::Trace& trace, std::span<const std::uint32_t> transfer_graphs);

}  // namespace warpwalk::instrumentation
