// Functions of graphs and captures as CUDA 13 declares them.

#include "instrumentation/simulated/engine/graph_calls.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/graphs/graph.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {

extern "C" {

Error cudaStreamGetCaptureInfo(const void* stream, int* status, std::uint64_t* id, Graph** graph,
                               GraphNode* const** nodes, const EdgeData** edges, std::size_t* count) {
  return runtime_call("cudaStreamGetCaptureInfo", [&](Gpu& gpu) {
    return graph_calls::get_capture_info(gpu, stream, {status, id, graph, nodes, edges, count});
  });
}

Error cudaStreamGetCaptureInfo_ptsz(const void* stream, int* status, std::uint64_t* id, Graph** graph,
                                    GraphNode* const** nodes, const EdgeData** edges, std::size_t* count) {
  return cudaStreamGetCaptureInfo(of_thread(stream), status, id, graph, nodes, edges, count);
}

Error cudaStreamUpdateCaptureDependencies(const void* stream, GraphNode* const* nodes, const EdgeData* edges,
                                          std::size_t count, unsigned flags) {
  return runtime_call("cudaStreamUpdateCaptureDependencies", [&](Gpu& gpu) {
    return graph_calls::update_capture_dependencies(gpu, stream, nodes, edges, count, flags);
  });
}

Error cudaStreamUpdateCaptureDependencies_ptsz(const void* stream, GraphNode* const* nodes, const EdgeData* edges,
                                               std::size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies(of_thread(stream), nodes, edges, count, flags);
}

Error cudaGraphGetEdges(Graph* graph, GraphNode** from, GraphNode** to, EdgeData* edges, std::size_t* count) {
  return runtime_call("cudaGraphGetEdges",
                      [&](Gpu& gpu) { return graph_calls::get_edges(gpu, graph, from, to, edges, count); });
}

Error cudaGraphNodeGetDependencies(GraphNode* node, GraphNode** nodes, EdgeData* edges, std::size_t* count) {
  return runtime_call("cudaGraphNodeGetDependencies",
                      [&](Gpu& gpu) { return graph_calls::get_dependencies(gpu, node, nodes, edges, count); });
}

Error cudaGraphNodeGetDependentNodes(GraphNode* node, GraphNode** nodes, EdgeData* edges, std::size_t* count) {
  return runtime_call("cudaGraphNodeGetDependentNodes",
                      [&](Gpu& gpu) { return graph_calls::get_dependents(gpu, node, nodes, edges, count); });
}

Error cudaGraphAddDependencies(Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* edges,
                               std::size_t count) {
  return runtime_call("cudaGraphAddDependencies",
                      [&](Gpu& gpu) { return graph_calls::add_dependencies(gpu, graph, from, to, edges, count); });
}

Error cudaGraphRemoveDependencies(Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* edges,
                                  std::size_t count) {
  return runtime_call("cudaGraphRemoveDependencies",
                      [&](Gpu& gpu) { return graph_calls::remove_dependencies(gpu, graph, from, to, edges, count); });
}

Error cudaGraphAddNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, const EdgeData* edges,
                       std::size_t count, NodeParameters* parameters) {
  return runtime_call("cudaGraphAddNode", [&](Gpu& gpu) {
    return add_any_node(gpu, {node, graph, dependencies, count, edges}, parameters);
  });
}

}  // extern "C"
}  // namespace warpwalk::simulated
