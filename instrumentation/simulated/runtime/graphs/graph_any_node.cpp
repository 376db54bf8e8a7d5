// Functions for nodes of any type.

#include <utility>

#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/copy_batch.h"
#include "instrumentation/simulated/runtime/graphs/graph.h"
#include "instrumentation/simulated/runtime/registry.h"

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
    return with_kernel(gpu, parameters->kernel.function, [&](Kernel& kernel) {
      return exec == nullptr ? graph_calls::set_kernel(gpu, node, &kernel, &parameters->kernel)
                             : graph_calls::set_kernel(gpu, exec, node, &kernel, &parameters->kernel);
    });
  NodeWork what;
  if (const Error wrong = any_node_work(gpu, *parameters, what); wrong != Error::success) return wrong;
  return exec == nullptr ? graph_calls::set(gpu, node, std::move(what))
                         : graph_calls::set(gpu, exec, node, std::move(what));
}

}  // namespace

Error copy_node_work(Gpu& gpu, const Copy3D* parameters, NodeWork& what) {
  if (parameters == nullptr) return Error::invalid_value;
  Copy copy;
  const Error wrong = copy_of(gpu, *parameters, copy);
  return wrong == Error::success ? graph_calls::copy_work(gpu, copy, what) : wrong;
}

Error add_any_node(Gpu& gpu, const graph_calls::NewNode& place, NodeParameters* parameters) {
  if (parameters == nullptr) return Error::invalid_value;
  switch (parameters->type) {
    case kernel_node:
      return with_kernel(gpu, parameters->kernel.function, [&](Kernel& kernel) {
        return graph_calls::add_kernel(gpu, place, &kernel, &parameters->kernel);
      });
    case child_node: return graph_calls::add_child(gpu, place, parameters->child);
    case allocation_node: return graph_calls::add_memory(gpu, place, &parameters->allocation);
    case free_node: return graph_calls::add_free(gpu, place, parameters->freed);
    default: break;
  }
  NodeWork what;
  const Error wrong = any_node_work(gpu, *parameters, what);
  return wrong == Error::success ? graph_calls::add(gpu, place, std::move(what)) : wrong;
}

extern "C" {

Error cudaGraphNodeSetParams(GraphNode* node, NodeParameters* parameters) {
  return runtime_call("cudaGraphNodeSetParams", [&](Gpu& gpu) { return set_any_node(gpu, nullptr, node, parameters); });
}

Error cudaGraphExecNodeSetParams(GraphExec* exec, GraphNode* node, NodeParameters* parameters) {
  return runtime_call("cudaGraphExecNodeSetParams", [&](Gpu& gpu) {
    return exec == nullptr ? Error::invalid_value : set_any_node(gpu, exec, node, parameters);
  });
}

}  // extern "C"
}  // namespace warpwalk::simulated
