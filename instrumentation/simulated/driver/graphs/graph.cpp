// Graphs, their nodes and edges, and the objects that they keep alive.

#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/engine/graph_calls.h"

namespace warpwalk::simulated {

namespace [[gnu::visibility("default")]] exported {
extern "C" {

CUresult cuGraphCreate(Graph** graph, unsigned flags) {
  return call_in_context("cuGraphCreate", [&](Gpu& gpu) { return graph_calls::create(gpu, graph, flags); });
}

CUresult cuGraphDestroy(Graph* graph) {
  return call_in_context("cuGraphDestroy", [&](Gpu& gpu) { return graph_calls::destroy(gpu, graph); });
}

CUresult cuGraphClone(Graph** copy, Graph* graph) {
  return call_in_context("cuGraphClone", [&](Gpu& gpu) { return graph_calls::clone(gpu, copy, graph); });
}

CUresult cuGraphNodeFindInClone(GraphNode** copy, GraphNode* node, Graph* graph) {
  return call_in_context("cuGraphNodeFindInClone",
                         [&](Gpu& gpu) { return graph_calls::find_in_clone(gpu, copy, node, graph); });
}

CUresult cuGraphNodeGetType(GraphNode* node, int* type) {
  return call_in_context("cuGraphNodeGetType", [&](Gpu& gpu) { return graph_calls::get_type(gpu, node, type); });
}

CUresult cuGraphGetNodes(Graph* graph, GraphNode** nodes, std::size_t* count) {
  return call_in_context("cuGraphGetNodes", [&](Gpu& gpu) { return graph_calls::get_nodes(gpu, graph, nodes, count); });
}

CUresult cuGraphGetRootNodes(Graph* graph, GraphNode** nodes, std::size_t* count) {
  return call_in_context("cuGraphGetRootNodes",
                         [&](Gpu& gpu) { return graph_calls::get_roots(gpu, graph, nodes, count); });
}

CUresult cuGraphDestroyNode(GraphNode* node) {
  return call_in_context("cuGraphDestroyNode", [&](Gpu& gpu) { return graph_calls::destroy_node(gpu, node); });
}

CUresult cuGraphDebugDotPrint(Graph* graph, const char* path, unsigned flags) {
  return call_in_context("cuGraphDebugDotPrint",
                         [&](Gpu& gpu) { return graph_calls::print_dot(gpu, graph, path, flags); });
}

CUresult cuGraphRetainUserObject(Graph* graph, UserObject* object, unsigned count, unsigned flags) {
  return call_in_context("cuGraphRetainUserObject",
                         [&](Gpu& gpu) { return graph_calls::retain_in_graph(gpu, graph, object, count, flags); });
}

CUresult cuGraphReleaseUserObject(Graph* graph, UserObject* object, unsigned count) {
  return call_in_context("cuGraphReleaseUserObject",
                         [&](Gpu& gpu) { return graph_calls::release_in_graph(gpu, graph, object, count); });
}

CUresult cuGraphGetEdges(Graph* graph, GraphNode** from, GraphNode** to, std::size_t* count) {
  return call_in_context("cuGraphGetEdges",
                         [&](Gpu& gpu) { return graph_calls::get_edges(gpu, graph, from, to, nullptr, count); });
}

CUresult cuGraphNodeGetDependencies(GraphNode* node, GraphNode** nodes, std::size_t* count) {
  return call_in_context("cuGraphNodeGetDependencies",
                         [&](Gpu& gpu) { return graph_calls::get_dependencies(gpu, node, nodes, nullptr, count); });
}

CUresult cuGraphNodeGetDependentNodes(GraphNode* node, GraphNode** nodes, std::size_t* count) {
  return call_in_context("cuGraphNodeGetDependentNodes",
                         [&](Gpu& gpu) { return graph_calls::get_dependents(gpu, node, nodes, nullptr, count); });
}

CUresult cuGraphAddDependencies(Graph* graph, GraphNode* const* from, GraphNode* const* to, std::size_t count) {
  return call_in_context("cuGraphAddDependencies",
                         [&](Gpu& gpu) { return graph_calls::add_dependencies(gpu, graph, from, to, nullptr, count); });
}

CUresult cuGraphRemoveDependencies(Graph* graph, GraphNode* const* from, GraphNode* const* to, std::size_t count) {
  return call_in_context("cuGraphRemoveDependencies", [&](Gpu& gpu) {
    return graph_calls::remove_dependencies(gpu, graph, from, to, nullptr, count);
  });
}

CUresult cuGraphGetEdges_v2(Graph* graph, GraphNode** from, GraphNode** to, EdgeData* edges, std::size_t* count) {
  return call_in_context("cuGraphGetEdges_v2",
                         [&](Gpu& gpu) { return graph_calls::get_edges(gpu, graph, from, to, edges, count); });
}

CUresult cuGraphNodeGetDependencies_v2(GraphNode* node, GraphNode** nodes, EdgeData* edges, std::size_t* count) {
  return call_in_context("cuGraphNodeGetDependencies_v2",
                         [&](Gpu& gpu) { return graph_calls::get_dependencies(gpu, node, nodes, edges, count); });
}

CUresult cuGraphNodeGetDependentNodes_v2(GraphNode* node, GraphNode** nodes, EdgeData* edges, std::size_t* count) {
  return call_in_context("cuGraphNodeGetDependentNodes_v2",
                         [&](Gpu& gpu) { return graph_calls::get_dependents(gpu, node, nodes, edges, count); });
}

CUresult cuGraphAddDependencies_v2(Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* edges,
                                   std::size_t count) {
  return call_in_context("cuGraphAddDependencies_v2",
                         [&](Gpu& gpu) { return graph_calls::add_dependencies(gpu, graph, from, to, edges, count); });
}

CUresult cuGraphRemoveDependencies_v2(Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* edges,
                                      std::size_t count) {
  return call_in_context("cuGraphRemoveDependencies_v2", [&](Gpu& gpu) {
    return graph_calls::remove_dependencies(gpu, graph, from, to, edges, count);
  });
}

CUresult cuUserObjectCreate(UserObject** object, void* pointer, void (*destroy)(void*), unsigned references,
                            unsigned flags) {
  return call_in_context("cuUserObjectCreate", [&](Gpu& gpu) {
    return graph_calls::create_object(gpu, object, pointer, destroy, references, flags);
  });
}

CUresult cuUserObjectRetain(UserObject* object, unsigned count) {
  return call_in_context("cuUserObjectRetain",
                         [&](Gpu& gpu) { return graph_calls::retain_object(gpu, object, count); });
}

CUresult cuUserObjectRelease(UserObject* object, unsigned count) {
  return call_in_context("cuUserObjectRelease",
                         [&](Gpu& gpu) { return graph_calls::release_object(gpu, object, count); });
}

CUresult cuGraphConditionalHandleCreate(std::uint64_t*, Graph*, CUcontext, unsigned, unsigned) {
  return refuse("cuGraphConditionalHandleCreate");
}

}  // extern "C"
}  // namespace gnu::visibility("default")]]exported
}  // namespace warpwalk::simulated
