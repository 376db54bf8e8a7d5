// Graphs, and the objects that they keep alive.

#include "instrumentation/simulated/engine/graph_calls.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/version.h"

namespace warpwalk::simulated {

extern "C" {

Error cudaGraphCreate(Graph** graph, unsigned flags) {
  return runtime_call("cudaGraphCreate", [&](Gpu& gpu) { return graph_calls::create(gpu, graph, flags); });
}

Error cudaGraphDestroy(Graph* graph) {
  return runtime_call("cudaGraphDestroy", [&](Gpu& gpu) { return graph_calls::destroy(gpu, graph); });
}

Error cudaGraphClone(Graph** copy, Graph* graph) {
  return runtime_call("cudaGraphClone", [&](Gpu& gpu) { return graph_calls::clone(gpu, copy, graph); });
}

Error cudaGraphNodeFindInClone(GraphNode** copy, GraphNode* node, Graph* graph) {
  return runtime_call("cudaGraphNodeFindInClone",
                      [&](Gpu& gpu) { return graph_calls::find_in_clone(gpu, copy, node, graph); });
}

Error cudaGraphNodeGetType(GraphNode* node, int* type) {
  return runtime_call("cudaGraphNodeGetType", [&](Gpu& gpu) { return graph_calls::get_type(gpu, node, type); });
}

Error cudaGraphGetNodes(Graph* graph, GraphNode** nodes, std::size_t* count) {
  return runtime_call("cudaGraphGetNodes", [&](Gpu& gpu) { return graph_calls::get_nodes(gpu, graph, nodes, count); });
}

Error cudaGraphGetRootNodes(Graph* graph, GraphNode** nodes, std::size_t* count) {
  return runtime_call("cudaGraphGetRootNodes",
                      [&](Gpu& gpu) { return graph_calls::get_roots(gpu, graph, nodes, count); });
}

Error cudaGraphDestroyNode(GraphNode* node) {
  return runtime_call("cudaGraphDestroyNode", [&](Gpu& gpu) { return graph_calls::destroy_node(gpu, node); });
}

Error cudaGraphDebugDotPrint(Graph* graph, const char* path, unsigned flags) {
  return runtime_call("cudaGraphDebugDotPrint",
                      [&](Gpu& gpu) { return graph_calls::print_dot(gpu, graph, path, flags); });
}

Error cudaGraphRetainUserObject(Graph* graph, UserObject* object, unsigned count, unsigned flags) {
  return runtime_call("cudaGraphRetainUserObject",
                      [&](Gpu& gpu) { return graph_calls::retain_in_graph(gpu, graph, object, count, flags); });
}

Error cudaGraphReleaseUserObject(Graph* graph, UserObject* object, unsigned count) {
  return runtime_call("cudaGraphReleaseUserObject",
                      [&](Gpu& gpu) { return graph_calls::release_in_graph(gpu, graph, object, count); });
}

Error cudaUserObjectCreate(UserObject** object, void* pointer, void (*destroy)(void*), unsigned references,
                           unsigned flags) {
  return runtime_call("cudaUserObjectCreate", [&](Gpu& gpu) {
    return graph_calls::create_object(gpu, object, pointer, destroy, references, flags);
  });
}

Error cudaUserObjectRetain(UserObject* object, unsigned count) {
  return runtime_call("cudaUserObjectRetain", [&](Gpu& gpu) { return graph_calls::retain_object(gpu, object, count); });
}

Error cudaUserObjectRelease(UserObject* object, unsigned count) {
  return runtime_call("cudaUserObjectRelease",
                      [&](Gpu& gpu) { return graph_calls::release_object(gpu, object, count); });
}

Error cudaGraphConditionalHandleCreate(void*, Graph*, unsigned, unsigned) {
  return unsupported_call("cudaGraphConditionalHandleCreate");
}

}  // extern "C"
}  // namespace warpwalk::simulated
