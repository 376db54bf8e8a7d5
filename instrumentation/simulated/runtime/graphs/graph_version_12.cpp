// Functions of graphs and captures as CUDA 12 declares them: without and with the data of edges.

#include "instrumentation/simulated/engine/graph_calls.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/graphs/graph.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {

extern "C" {

Error cudaStreamGetCaptureInfo(const void* stream, int* status, std::uint64_t* id) {
  return runtime_call("cudaStreamGetCaptureInfo", [&](Gpu& gpu) {
    return graph_calls::get_capture_info(gpu, stream, {status, id, nullptr, nullptr, nullptr, nullptr});
  });
}

Error cudaStreamGetCaptureInfo_ptsz(const void* stream, int* status, std::uint64_t* id) {
  return cudaStreamGetCaptureInfo(of_thread(stream), status, id);
}

Error cudaStreamGetCaptureInfo_v2(const void* stream, int* status, std::uint64_t* id, Graph** graph,
                                  GraphNode* const** nodes, std::size_t* count) {
  return runtime_call("cudaStreamGetCaptureInfo", [&](Gpu& gpu) {
    return graph_calls::get_capture_info(gpu, stream, {status, id, graph, nodes, nullptr, count});
  });
}

Error cudaStreamGetCaptureInfo_v2_ptsz(const void* stream, int* status, std::uint64_t* id, Graph** graph,
                                       GraphNode* const** nodes, std::size_t* count) {
  return cudaStreamGetCaptureInfo_v2(of_thread(stream), status, id, graph, nodes, count);
}

Error cudaStreamGetCaptureInfo_v3(const void* stream, int* status, std::uint64_t* id, Graph** graph,
                                  GraphNode* const** nodes, const EdgeData** edges, std::size_t* count) {
  return runtime_call("cudaStreamGetCaptureInfo", [&](Gpu& gpu) {
    return graph_calls::get_capture_info(gpu, stream, {status, id, graph, nodes, edges, count});
  });
}

Error cudaStreamGetCaptureInfo_v3_ptsz(const void* stream, int* status, std::uint64_t* id, Graph** graph,
                                       GraphNode* const** nodes, const EdgeData** edges, std::size_t* count) {
  return cudaStreamGetCaptureInfo_v3(of_thread(stream), status, id, graph, nodes, edges, count);
}

Error cudaStreamUpdateCaptureDependencies(const void* stream, GraphNode* const* nodes, std::size_t count,
                                          unsigned flags) {
  return runtime_call("cudaStreamUpdateCaptureDependencies", [&](Gpu& gpu) {
    return graph_calls::update_capture_dependencies(gpu, stream, nodes, nullptr, count, flags);
  });
}

Error cudaStreamUpdateCaptureDependencies_ptsz(const void* stream, GraphNode* const* nodes, std::size_t count,
                                               unsigned flags) {
  return cudaStreamUpdateCaptureDependencies(of_thread(stream), nodes, count, flags);
}

Error cudaStreamUpdateCaptureDependencies_v2(const void* stream, GraphNode* const* nodes, const EdgeData* edges,
                                             std::size_t count, unsigned flags) {
  return runtime_call("cudaStreamUpdateCaptureDependencies", [&](Gpu& gpu) {
    return graph_calls::update_capture_dependencies(gpu, stream, nodes, edges, count, flags);
  });
}

Error cudaStreamUpdateCaptureDependencies_v2_ptsz(const void* stream, GraphNode* const* nodes, const EdgeData* edges,
                                                  std::size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies_v2(of_thread(stream), nodes, edges, count, flags);
}

Error cudaGraphGetEdges(Graph* graph, GraphNode** from, GraphNode** to, std::size_t* count) {
  return runtime_call("cudaGraphGetEdges",
                      [&](Gpu& gpu) { return graph_calls::get_edges(gpu, graph, from, to, nullptr, count); });
}

Error cudaGraphNodeGetDependencies(GraphNode* node, GraphNode** nodes, std::size_t* count) {
  return runtime_call("cudaGraphNodeGetDependencies",
                      [&](Gpu& gpu) { return graph_calls::get_dependencies(gpu, node, nodes, nullptr, count); });
}

Error cudaGraphNodeGetDependentNodes(GraphNode* node, GraphNode** nodes, std::size_t* count) {
  return runtime_call("cudaGraphNodeGetDependentNodes",
                      [&](Gpu& gpu) { return graph_calls::get_dependents(gpu, node, nodes, nullptr, count); });
}

Error cudaGraphAddDependencies(Graph* graph, GraphNode* const* from, GraphNode* const* to, std::size_t count) {
  return runtime_call("cudaGraphAddDependencies",
                      [&](Gpu& gpu) { return graph_calls::add_dependencies(gpu, graph, from, to, nullptr, count); });
}

Error cudaGraphRemoveDependencies(Graph* graph, GraphNode* const* from, GraphNode* const* to, std::size_t count) {
  return runtime_call("cudaGraphRemoveDependencies",
                      [&](Gpu& gpu) { return graph_calls::remove_dependencies(gpu, graph, from, to, nullptr, count); });
}

Error cudaGraphAddNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                       NodeParameters* parameters) {
  return runtime_call("cudaGraphAddNode", [&](Gpu& gpu) {
    return add_any_node(gpu, {node, graph, dependencies, count}, parameters);
  });
}

Error cudaGraphGetEdges_v2(Graph* graph, GraphNode** from, GraphNode** to, EdgeData* edges, std::size_t* count) {
  return runtime_call("cudaGraphGetEdges",
                      [&](Gpu& gpu) { return graph_calls::get_edges(gpu, graph, from, to, edges, count); });
}

Error cudaGraphNodeGetDependencies_v2(GraphNode* node, GraphNode** nodes, EdgeData* edges, std::size_t* count) {
  return runtime_call("cudaGraphNodeGetDependencies",
                      [&](Gpu& gpu) { return graph_calls::get_dependencies(gpu, node, nodes, edges, count); });
}

Error cudaGraphNodeGetDependentNodes_v2(GraphNode* node, GraphNode** nodes, EdgeData* edges, std::size_t* count) {
  return runtime_call("cudaGraphNodeGetDependentNodes",
                      [&](Gpu& gpu) { return graph_calls::get_dependents(gpu, node, nodes, edges, count); });
}

Error cudaGraphAddDependencies_v2(Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* edges,
                                  std::size_t count) {
  return runtime_call("cudaGraphAddDependencies",
                      [&](Gpu& gpu) { return graph_calls::add_dependencies(gpu, graph, from, to, edges, count); });
}

Error cudaGraphRemoveDependencies_v2(Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* edges,
                                     std::size_t count) {
  return runtime_call("cudaGraphRemoveDependencies",
                      [&](Gpu& gpu) { return graph_calls::remove_dependencies(gpu, graph, from, to, edges, count); });
}

Error cudaGraphAddNode_v2(GraphNode** node, Graph* graph, GraphNode* const* dependencies, const EdgeData* edges,
                          std::size_t count, NodeParameters* parameters) {
  return runtime_call("cudaGraphAddNode", [&](Gpu& gpu) {
    return add_any_node(gpu, {node, graph, dependencies, count, edges}, parameters);
  });
}

}  // extern "C"
}  // namespace warpwalk::simulated
