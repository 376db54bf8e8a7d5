#pragma once

#include <cstddef>
#include <cstdint>

#include "instrumentation/simulated/engine/graph_calls.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {

/// cudaGraphNodeParams: the parameters of a node of any type.
struct NodeParameters {
  int type;  ///< cudaGraphNodeType
  int reserved[3];
  union {
    std::int64_t words[29];
    graph_calls::KernelParameters kernel;
    struct {
      int flags, reserved[3];
      Copy3D parameters;
    } copy;
    graph_calls::FillParameters fill;
    graph_calls::HostParameters host;
    graph_calls::ChildParameters child;
    Event* event;
    graph_calls::AllocationParameters allocation;
    std::uint64_t freed;
  };
  std::int64_t more;
};
static_assert(sizeof(NodeParameters) == 256);

/// cudaGraphAddNode
Error add_any_node(Gpu& gpu, const graph_calls::NewNode& place, NodeParameters* parameters);
/// The work of a copy node.
Error copy_node_work(Gpu& gpu, const Copy3D* parameters, NodeWork& what);

}  // namespace warpwalk::simulated
