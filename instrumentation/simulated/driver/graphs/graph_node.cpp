// Host functions, events, children, memory and empty nodes.

#include <utility>

#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/engine/graph_calls.h"

namespace warpwalk::simulated {

namespace [[gnu::visibility("default")]] exported {
extern "C" {

CUresult cuGraphAddEmptyNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count) {
  return call_in_context("cuGraphAddEmptyNode", [&](Gpu& gpu) {
    return graph_calls::add(gpu, {node, graph, dependencies, count}, EmptyNode{});
  });
}

CUresult cuGraphAddHostNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                            const graph_calls::HostParameters* parameters) {
  return call_in_context("cuGraphAddHostNode", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::host_work(parameters, what); wrong != Error::success) return wrong;
    return graph_calls::add(gpu, {node, graph, dependencies, count}, std::move(what));
  });
}

CUresult cuGraphHostNodeGetParams(GraphNode* node, graph_calls::HostParameters* parameters) {
  return call_in_context("cuGraphHostNodeGetParams",
                         [&](Gpu& gpu) { return graph_calls::get_host(gpu, node, parameters); });
}

CUresult cuGraphHostNodeSetParams(GraphNode* node, const graph_calls::HostParameters* parameters) {
  return call_in_context("cuGraphHostNodeSetParams", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::host_work(parameters, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, node, std::move(what));
  });
}

CUresult cuGraphExecHostNodeSetParams(GraphExec* exec, GraphNode* node, const graph_calls::HostParameters* parameters) {
  return call_in_context("cuGraphExecHostNodeSetParams", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::host_work(parameters, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, exec, node, std::move(what));
  });
}

CUresult cuGraphAddEventRecordNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                                   CUevent event) {
  return call_in_context("cuGraphAddEventRecordNode", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::event_work(gpu, event, false, what); wrong != Error::success) return wrong;
    return graph_calls::add(gpu, {node, graph, dependencies, count}, std::move(what));
  });
}

CUresult cuGraphEventRecordNodeGetEvent(GraphNode* node, CUevent* event) {
  return call_in_context("cuGraphEventRecordNodeGetEvent",
                         [&](Gpu& gpu) { return graph_calls::get_event(gpu, node, event, false); });
}

CUresult cuGraphEventRecordNodeSetEvent(GraphNode* node, CUevent event) {
  return call_in_context("cuGraphEventRecordNodeSetEvent", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::event_work(gpu, event, false, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, node, std::move(what));
  });
}

CUresult cuGraphExecEventRecordNodeSetEvent(GraphExec* exec, GraphNode* node, CUevent event) {
  return call_in_context("cuGraphExecEventRecordNodeSetEvent", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::event_work(gpu, event, false, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, exec, node, std::move(what));
  });
}

CUresult cuGraphAddEventWaitNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                                 CUevent event) {
  return call_in_context("cuGraphAddEventWaitNode", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::event_work(gpu, event, true, what); wrong != Error::success) return wrong;
    return graph_calls::add(gpu, {node, graph, dependencies, count}, std::move(what));
  });
}

CUresult cuGraphEventWaitNodeGetEvent(GraphNode* node, CUevent* event) {
  return call_in_context("cuGraphEventWaitNodeGetEvent",
                         [&](Gpu& gpu) { return graph_calls::get_event(gpu, node, event, true); });
}

CUresult cuGraphEventWaitNodeSetEvent(GraphNode* node, CUevent event) {
  return call_in_context("cuGraphEventWaitNodeSetEvent", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::event_work(gpu, event, true, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, node, std::move(what));
  });
}

CUresult cuGraphExecEventWaitNodeSetEvent(GraphExec* exec, GraphNode* node, CUevent event) {
  return call_in_context("cuGraphExecEventWaitNodeSetEvent", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::event_work(gpu, event, true, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, exec, node, std::move(what));
  });
}

CUresult cuGraphAddChildGraphNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                                  Graph* child) {
  return call_in_context("cuGraphAddChildGraphNode", [&](Gpu& gpu) {
    return graph_calls::add_child(gpu, {node, graph, dependencies, count}, {child, 0});
  });
}

CUresult cuGraphChildGraphNodeGetGraph(GraphNode* node, Graph** graph) {
  return call_in_context("cuGraphChildGraphNodeGetGraph",
                         [&](Gpu& gpu) { return graph_calls::get_child(gpu, node, graph); });
}

CUresult cuGraphExecChildGraphNodeSetParams(GraphExec* exec, GraphNode* node, Graph* child) {
  return call_in_context("cuGraphExecChildGraphNodeSetParams", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::child_work(gpu, child, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, exec, node, std::move(what));
  });
}

CUresult cuGraphAddMemAllocNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                                graph_calls::AllocationParameters* parameters) {
  return call_in_context("cuGraphAddMemAllocNode", [&](Gpu& gpu) {
    return graph_calls::add_memory(gpu, {node, graph, dependencies, count}, parameters);
  });
}

CUresult cuGraphMemAllocNodeGetParams(GraphNode* node, graph_calls::AllocationParameters* parameters) {
  return call_in_context("cuGraphMemAllocNodeGetParams",
                         [&](Gpu& gpu) { return graph_calls::get_memory(gpu, node, parameters); });
}

CUresult cuGraphAddMemFreeNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                               CUdeviceptr address) {
  return call_in_context("cuGraphAddMemFreeNode", [&](Gpu& gpu) {
    return graph_calls::add_free(gpu, {node, graph, dependencies, count}, address);
  });
}

CUresult cuGraphMemFreeNodeGetParams(GraphNode* node, CUdeviceptr* address) {
  return call_in_context("cuGraphMemFreeNodeGetParams",
                         [&](Gpu& gpu) { return graph_calls::get_free(gpu, node, address); });
}

// There are no external semaphores, as there is no graphics interface, and no stream memory operations in graphs.

CUresult cuGraphAddExternalSemaphoresSignalNode(GraphNode**, Graph*, GraphNode* const*, std::size_t, const void*) {
  return refuse("cuGraphAddExternalSemaphoresSignalNode");
}

CUresult cuGraphExternalSemaphoresSignalNodeGetParams(GraphNode*, void*) {
  return refuse("cuGraphExternalSemaphoresSignalNodeGetParams");
}

CUresult cuGraphExternalSemaphoresSignalNodeSetParams(GraphNode*, const void*) {
  return refuse("cuGraphExternalSemaphoresSignalNodeSetParams");
}

CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(GraphExec*, GraphNode*, const void*) {
  return refuse("cuGraphExecExternalSemaphoresSignalNodeSetParams");
}

CUresult cuGraphAddExternalSemaphoresWaitNode(GraphNode**, Graph*, GraphNode* const*, std::size_t, const void*) {
  return refuse("cuGraphAddExternalSemaphoresWaitNode");
}

CUresult cuGraphExternalSemaphoresWaitNodeGetParams(GraphNode*, void*) {
  return refuse("cuGraphExternalSemaphoresWaitNodeGetParams");
}

CUresult cuGraphExternalSemaphoresWaitNodeSetParams(GraphNode*, const void*) {
  return refuse("cuGraphExternalSemaphoresWaitNodeSetParams");
}

CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(GraphExec*, GraphNode*, const void*) {
  return refuse("cuGraphExecExternalSemaphoresWaitNodeSetParams");
}

CUresult cuGraphAddBatchMemOpNode(GraphNode**, Graph*, GraphNode* const*, std::size_t, const void*) {
  return refuse("cuGraphAddBatchMemOpNode");
}

CUresult cuGraphBatchMemOpNodeGetParams(GraphNode*, void*) { return refuse("cuGraphBatchMemOpNodeGetParams"); }

CUresult cuGraphBatchMemOpNodeSetParams(GraphNode*, const void*) { return refuse("cuGraphBatchMemOpNodeSetParams"); }

CUresult cuGraphExecBatchMemOpNodeSetParams(GraphExec*, GraphNode*, const void*) {
  return refuse("cuGraphExecBatchMemOpNodeSetParams");
}

}  // extern "C"
}  // namespace gnu::visibility("default")]]exported
}  // namespace warpwalk::simulated
