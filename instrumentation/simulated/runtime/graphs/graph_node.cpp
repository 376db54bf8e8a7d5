// Host functions, events, children, memory and empty nodes.

#include <utility>

#include "instrumentation/simulated/engine/graph_calls.h"
#include "instrumentation/simulated/runtime/call.h"

namespace warpwalk::simulated {

extern "C" {

Error cudaGraphAddEmptyNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count) {
  return runtime_call("cudaGraphAddEmptyNode", [&](Gpu& gpu) {
    return graph_calls::add(gpu, {node, graph, dependencies, count}, EmptyNode{});
  });
}

Error cudaGraphAddHostNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                           const graph_calls::HostParameters* parameters) {
  return runtime_call("cudaGraphAddHostNode", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::host_work(parameters, what); wrong != Error::success) return wrong;
    return graph_calls::add(gpu, {node, graph, dependencies, count}, std::move(what));
  });
}

Error cudaGraphHostNodeGetParams(GraphNode* node, graph_calls::HostParameters* parameters) {
  return runtime_call("cudaGraphHostNodeGetParams",
                      [&](Gpu& gpu) { return graph_calls::get_host(gpu, node, parameters); });
}

Error cudaGraphHostNodeSetParams(GraphNode* node, const graph_calls::HostParameters* parameters) {
  return runtime_call("cudaGraphHostNodeSetParams", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::host_work(parameters, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, node, std::move(what));
  });
}

Error cudaGraphExecHostNodeSetParams(GraphExec* exec, GraphNode* node, const graph_calls::HostParameters* parameters) {
  return runtime_call("cudaGraphExecHostNodeSetParams", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::host_work(parameters, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, exec, node, std::move(what));
  });
}

Error cudaGraphAddEventRecordNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                                  Event* event) {
  return runtime_call("cudaGraphAddEventRecordNode", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::event_work(gpu, event, false, what); wrong != Error::success) return wrong;
    return graph_calls::add(gpu, {node, graph, dependencies, count}, std::move(what));
  });
}

Error cudaGraphEventRecordNodeGetEvent(GraphNode* node, Event** event) {
  return runtime_call("cudaGraphEventRecordNodeGetEvent",
                      [&](Gpu& gpu) { return graph_calls::get_event(gpu, node, event, false); });
}

Error cudaGraphEventRecordNodeSetEvent(GraphNode* node, Event* event) {
  return runtime_call("cudaGraphEventRecordNodeSetEvent", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::event_work(gpu, event, false, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, node, std::move(what));
  });
}

Error cudaGraphExecEventRecordNodeSetEvent(GraphExec* exec, GraphNode* node, Event* event) {
  return runtime_call("cudaGraphExecEventRecordNodeSetEvent", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::event_work(gpu, event, false, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, exec, node, std::move(what));
  });
}

Error cudaGraphAddEventWaitNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                                Event* event) {
  return runtime_call("cudaGraphAddEventWaitNode", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::event_work(gpu, event, true, what); wrong != Error::success) return wrong;
    return graph_calls::add(gpu, {node, graph, dependencies, count}, std::move(what));
  });
}

Error cudaGraphEventWaitNodeGetEvent(GraphNode* node, Event** event) {
  return runtime_call("cudaGraphEventWaitNodeGetEvent",
                      [&](Gpu& gpu) { return graph_calls::get_event(gpu, node, event, true); });
}

Error cudaGraphEventWaitNodeSetEvent(GraphNode* node, Event* event) {
  return runtime_call("cudaGraphEventWaitNodeSetEvent", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::event_work(gpu, event, true, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, node, std::move(what));
  });
}

Error cudaGraphExecEventWaitNodeSetEvent(GraphExec* exec, GraphNode* node, Event* event) {
  return runtime_call("cudaGraphExecEventWaitNodeSetEvent", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::event_work(gpu, event, true, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, exec, node, std::move(what));
  });
}

Error cudaGraphAddChildGraphNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                                 Graph* child) {
  return runtime_call("cudaGraphAddChildGraphNode", [&](Gpu& gpu) {
    return graph_calls::add_child(gpu, {node, graph, dependencies, count}, {child, 0});
  });
}

Error cudaGraphChildGraphNodeGetGraph(GraphNode* node, Graph** graph) {
  return runtime_call("cudaGraphChildGraphNodeGetGraph",
                      [&](Gpu& gpu) { return graph_calls::get_child(gpu, node, graph); });
}

Error cudaGraphExecChildGraphNodeSetParams(GraphExec* exec, GraphNode* node, Graph* child) {
  return runtime_call("cudaGraphExecChildGraphNodeSetParams", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::child_work(gpu, child, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, exec, node, std::move(what));
  });
}

Error cudaGraphAddMemAllocNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                               graph_calls::AllocationParameters* parameters) {
  return runtime_call("cudaGraphAddMemAllocNode", [&](Gpu& gpu) {
    return graph_calls::add_memory(gpu, {node, graph, dependencies, count}, parameters);
  });
}

Error cudaGraphMemAllocNodeGetParams(GraphNode* node, graph_calls::AllocationParameters* parameters) {
  return runtime_call("cudaGraphMemAllocNodeGetParams",
                      [&](Gpu& gpu) { return graph_calls::get_memory(gpu, node, parameters); });
}

Error cudaGraphAddMemFreeNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                              void* at) {
  return runtime_call("cudaGraphAddMemFreeNode", [&](Gpu& gpu) {
    return graph_calls::add_free(gpu, {node, graph, dependencies, count}, reinterpret_cast<std::uint64_t>(at));
  });
}

Error cudaGraphMemFreeNodeGetParams(GraphNode* node, std::uint64_t* address) {
  return runtime_call("cudaGraphMemFreeNodeGetParams",
                      [&](Gpu& gpu) { return graph_calls::get_free(gpu, node, address); });
}

// There are no external semaphores, as there is no graphics interface.

Error cudaGraphAddExternalSemaphoresSignalNode(GraphNode**, Graph*, GraphNode* const*, std::size_t, const void*) {
  return unsupported_call("cudaGraphAddExternalSemaphoresSignalNode");
}

Error cudaGraphExternalSemaphoresSignalNodeGetParams(GraphNode*, void*) {
  return unsupported_call("cudaGraphExternalSemaphoresSignalNodeGetParams");
}

Error cudaGraphExternalSemaphoresSignalNodeSetParams(GraphNode*, const void*) {
  return unsupported_call("cudaGraphExternalSemaphoresSignalNodeSetParams");
}

Error cudaGraphExecExternalSemaphoresSignalNodeSetParams(GraphExec*, GraphNode*, const void*) {
  return unsupported_call("cudaGraphExecExternalSemaphoresSignalNodeSetParams");
}

Error cudaGraphAddExternalSemaphoresWaitNode(GraphNode**, Graph*, GraphNode* const*, std::size_t, const void*) {
  return unsupported_call("cudaGraphAddExternalSemaphoresWaitNode");
}

Error cudaGraphExternalSemaphoresWaitNodeGetParams(GraphNode*, void*) {
  return unsupported_call("cudaGraphExternalSemaphoresWaitNodeGetParams");
}

Error cudaGraphExternalSemaphoresWaitNodeSetParams(GraphNode*, const void*) {
  return unsupported_call("cudaGraphExternalSemaphoresWaitNodeSetParams");
}

Error cudaGraphExecExternalSemaphoresWaitNodeSetParams(GraphExec*, GraphNode*, const void*) {
  return unsupported_call("cudaGraphExecExternalSemaphoresWaitNodeSetParams");
}

}  // extern "C"
}  // namespace warpwalk::simulated
