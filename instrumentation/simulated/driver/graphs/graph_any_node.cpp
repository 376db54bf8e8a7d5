// Functions for nodes of any type.

#include <utility>

#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/graphs/graph.h"

namespace warpwalk::simulated {
namespace {

enum NodeType : int {
  kernel_node = 0,
  copy_node = 1,
  fill_node = 2,
  host_node = 3,
  child_node = 4,
  empty_node = 5,
  event_wait_node = 6,
  event_record_node = 7,
  signal_node = 8,
  wait_node = 9,
  allocation_node = 10,
  free_node = 11,
  conditional_node = 13,
};

/// The work of a node, but of a kernel and of memory.
Error any_node_work(Gpu& gpu, const NodeParameters& parameters, NodeWork& what) {
  switch (parameters.type) {
    case copy_node: return copy_node_work(gpu, &parameters.copy.parameters, what);
    case fill_node: return graph_calls::fill_work(gpu, &parameters.fill, what);
    case host_node: return graph_calls::host_work(&parameters.host, what);
    case child_node: return graph_calls::child_work(gpu, parameters.child.graph, what);
    case event_wait_node: return graph_calls::event_work(gpu, parameters.event, true, what);
    case event_record_node: return graph_calls::event_work(gpu, parameters.event, false, what);
    case empty_node: what = EmptyNode{}; return Error::success;
    case signal_node:
    case wait_node: return not_supported(gpu, "a graph node with external semaphores");
    case conditional_node: return not_supported(gpu, "a conditional graph node");
    default: return Error::invalid_value;
  }
}

/// Sets the parameters of a node of a graph, or with an executable graph those of its node there.
Error set_any_node(Gpu& gpu, GraphExec* exec, GraphNode* node, const NodeParameters* parameters) {
  if (parameters == nullptr) return Error::invalid_value;
  if (parameters->type == kernel_node)
    return exec == nullptr
               ? graph_calls::set_kernel(gpu, node, kernel_of(&parameters->kernel), &parameters->kernel.launch)
               : graph_calls::set_kernel(gpu, exec, node, kernel_of(&parameters->kernel), &parameters->kernel.launch);
  NodeWork what;
  if (const Error wrong = any_node_work(gpu, *parameters, what); wrong != Error::success) return wrong;
  return exec == nullptr ? graph_calls::set(gpu, node, std::move(what))
                         : graph_calls::set(gpu, exec, node, std::move(what));
}

Error add_any_node(Gpu& gpu, const graph_calls::NewNode& place, NodeParameters* parameters) {
  if (parameters == nullptr) return Error::invalid_value;
  switch (parameters->type) {
    case kernel_node:
      return graph_calls::add_kernel(gpu, place, kernel_of(&parameters->kernel), &parameters->kernel.launch);
    case child_node: return graph_calls::add_child(gpu, place, parameters->child);
    case allocation_node: return graph_calls::add_memory(gpu, place, &parameters->allocation);
    case free_node: return graph_calls::add_free(gpu, place, parameters->freed);
    default: break;
  }
  NodeWork what;
  const Error wrong = any_node_work(gpu, *parameters, what);
  return wrong == Error::success ? graph_calls::add(gpu, place, std::move(what)) : wrong;
}

}  // namespace

namespace [[gnu::visibility("default")]] exported {
extern "C" {

CUresult cuGraphAddNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                        NodeParameters* parameters) {
  return call_in_context("cuGraphAddNode", [&](Gpu& gpu) {
    return add_any_node(gpu, {node, graph, dependencies, count}, parameters);
  });
}

CUresult cuGraphAddNode_v2(GraphNode** node, Graph* graph, GraphNode* const* dependencies, const EdgeData* edges,
                           std::size_t count, NodeParameters* parameters) {
  return call_in_context("cuGraphAddNode_v2", [&](Gpu& gpu) {
    return add_any_node(gpu, {node, graph, dependencies, count, edges}, parameters);
  });
}

CUresult cuGraphNodeSetParams(GraphNode* node, NodeParameters* parameters) {
  return call_in_context("cuGraphNodeSetParams",
                         [&](Gpu& gpu) { return set_any_node(gpu, nullptr, node, parameters); });
}

CUresult cuGraphExecNodeSetParams(GraphExec* exec, GraphNode* node, NodeParameters* parameters) {
  return call_in_context("cuGraphExecNodeSetParams", [&](Gpu& gpu) {
    return exec == nullptr ? Error::invalid_value : set_any_node(gpu, exec, node, parameters);
  });
}

}  // extern "C"
}  // namespace gnu::visibility("default")]]exported
}  // namespace warpwalk::simulated
