#include "instrumentation/simulated/engine/graph_calls.h"

#include <algorithm>
#include <fstream>

namespace warpwalk::simulated::graph_calls {
namespace {

/// Stores a list as CUDA's functions return them.
Error store_nodes(const std::vector<GraphNode*>& all, GraphNode** nodes, std::size_t* count) {
  if (count == nullptr) return Error::invalid_value;
  if (nodes != nullptr) {
    for (std::size_t i = 0; i < *count; ++i) nodes[i] = i < all.size() ? all[i] : nullptr;
    *count = std::min(*count, all.size());
  } else {
    *count = all.size();
  }
  return Error::success;
}

bool has_data(const std::vector<EdgeData>& edges) {
  return std::ranges::any_of(edges, [](const EdgeData& edge) { return edge != EdgeData{}; });
}

/// Stores the data of edges. A query without a place for data that there is fails: it would lose something.
Error store_edges(const std::vector<EdgeData>& all, EdgeData* edges, std::size_t count) {
  if (edges == nullptr) return has_data(all) ? Error::lossy_query : Error::success;
  for (std::size_t i = 0; i < std::min(count, all.size()); ++i) edges[i] = all[i];
  return Error::success;
}

EdgeData data_of(const GraphNode& to, const GraphNode* from) {
  const auto at = std::ranges::find(to.dependencies, from) - to.dependencies.begin();
  return to.edges[static_cast<std::size_t>(at)];
}

Error change_dependencies(Gpu& gpu, Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* edges,
                          std::size_t count, bool adds) {
  Graph* const found = gpu.graphs.find(graph);
  if (found == nullptr || (count != 0 && (from == nullptr || to == nullptr))) return Error::invalid_value;
  const std::span first(from, count), second(to, count);
  const std::span data(edges, edges == nullptr ? 0 : count);
  return adds ? gpu.graphs.connect(*found, first, second, data) : gpu.graphs.disconnect(*found, first, second);
}

}  // namespace

Error create(Gpu& gpu, Graph** graph, unsigned flags) {
  if (graph == nullptr || flags != 0) return Error::invalid_value;
  *graph = gpu.graphs.create();
  return Error::success;
}

Error destroy(Gpu& gpu, Graph* graph) { return gpu.graphs.destroy(graph); }

Error clone(Gpu& gpu, Graph** copy, Graph* graph) {
  const Graph* const found = gpu.graphs.find(graph);
  return copy == nullptr || found == nullptr ? Error::invalid_value : gpu.graphs.clone(*found, *copy);
}

Error find_in_clone(Gpu& gpu, GraphNode** copy, GraphNode* node, Graph* graph) {
  const Graph* const found = gpu.graphs.find(graph);
  if (copy == nullptr || found == nullptr || gpu.graphs.find_node(node) == nullptr) return Error::invalid_value;
  const auto one = found->copies.find(node);
  if (one == found->copies.end()) return Error::invalid_value;
  *copy = one->second;
  return Error::success;
}

Error get_type(Gpu& gpu, GraphNode* node, int* type) {
  const GraphNode* const found = gpu.graphs.find_node(node);
  if (found == nullptr || type == nullptr) return Error::invalid_value;
  *type = node_type(*found);
  return Error::success;
}

Error get_nodes(Gpu& gpu, Graph* graph, GraphNode** nodes, std::size_t* count) {
  const Graph* const found = gpu.graphs.find(graph);
  if (found == nullptr) return Error::invalid_value;
  std::vector<GraphNode*> all;
  for (const auto& node : found->nodes) all.push_back(node.get());
  return store_nodes(all, nodes, count);
}

Error get_roots(Gpu& gpu, Graph* graph, GraphNode** nodes, std::size_t* count) {
  const Graph* const found = gpu.graphs.find(graph);
  if (found == nullptr) return Error::invalid_value;
  std::vector<GraphNode*> all;
  for (const auto& node : found->nodes)
    if (node->dependencies.empty()) all.push_back(node.get());
  return store_nodes(all, nodes, count);
}

Error get_edges(Gpu& gpu, Graph* graph, GraphNode** from, GraphNode** to, EdgeData* edges, std::size_t* count) {
  const Graph* const found = gpu.graphs.find(graph);
  if (found == nullptr || count == nullptr || (from == nullptr) != (to == nullptr)) return Error::invalid_value;
  std::vector<GraphNode*> first, second;
  std::vector<EdgeData> data;
  for (const auto& node : found->nodes)
    for (std::size_t i = 0; i < node->dependencies.size(); ++i) {
      first.push_back(node->dependencies[i]);
      second.push_back(node.get());
      data.push_back(node->edges[i]);
    }
  std::size_t length = *count;
  if (from != nullptr)
    if (const Error error = store_edges(data, edges, length); error != Error::success) return error;
  store_nodes(first, from, &length);
  return store_nodes(second, to, count);
}

Error get_dependencies(Gpu& gpu, GraphNode* node, GraphNode** nodes, EdgeData* edges, std::size_t* count) {
  const GraphNode* const found = gpu.graphs.find_node(node);
  if (found == nullptr || count == nullptr) return Error::invalid_value;
  if (nodes != nullptr)
    if (const Error error = store_edges(found->edges, edges, *count); error != Error::success) return error;
  return store_nodes(found->dependencies, nodes, count);
}

Error get_dependents(Gpu& gpu, GraphNode* node, GraphNode** nodes, EdgeData* edges, std::size_t* count) {
  const GraphNode* const found = gpu.graphs.find_node(node);
  if (found == nullptr || count == nullptr) return Error::invalid_value;
  std::vector<EdgeData> data;
  for (const GraphNode* const dependent : found->dependents) data.push_back(data_of(*dependent, found));
  if (nodes != nullptr)
    if (const Error error = store_edges(data, edges, *count); error != Error::success) return error;
  return store_nodes(found->dependents, nodes, count);
}

Error add_dependencies(Gpu& gpu, Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* edges,
                       std::size_t count) {
  return change_dependencies(gpu, graph, from, to, edges, count, true);
}

Error remove_dependencies(Gpu& gpu, Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* edges,
                          std::size_t count) {
  return change_dependencies(gpu, graph, from, to, edges, count, false);
}

Error destroy_node(Gpu& gpu, GraphNode* node) {
  GraphNode* const found = gpu.graphs.find_node(node);
  return found == nullptr ? Error::invalid_value : gpu.graphs.destroy(found);
}

Error print_dot(Gpu& gpu, Graph* graph, const char* path, unsigned flags) {
  const Graph* const found = gpu.graphs.find(graph);
  if (found == nullptr || path == nullptr) return Error::invalid_value;
  std::ofstream file(path);
  file << dot(*found, flags);
  return file.good() ? Error::success : Error::operating_system;
}

Error create_object(Gpu& gpu, UserObject** object, void* pointer, void (*destroy)(void*), unsigned references,
                    unsigned flags) {
  constexpr unsigned no_destructor_sync = 1;
  if (object == nullptr || flags != no_destructor_sync) return Error::invalid_value;
  return gpu.graphs.create_object({pointer, destroy, references}, *object);
}

Error retain_object(Gpu& gpu, UserObject* object, unsigned count) {
  UserObject* const found = gpu.graphs.find_object(object);
  return found == nullptr ? Error::invalid_value : gpu.graphs.retain(*found, count);
}

Error release_object(Gpu& gpu, UserObject* object, unsigned count) {
  UserObject* const found = gpu.graphs.find_object(object);
  return found == nullptr ? Error::invalid_value : gpu.graphs.release(*found, count);
}

Error retain_in_graph(Gpu& gpu, Graph* graph, UserObject* object, unsigned count, unsigned flags) {
  constexpr unsigned moves = 1;
  Graph* const found = gpu.graphs.find(graph);
  UserObject* const known = gpu.graphs.find_object(object);
  if (found == nullptr || known == nullptr || flags > moves) return Error::invalid_value;
  return gpu.graphs.retain(*found, *known, count, flags == moves);
}

Error release_in_graph(Gpu& gpu, Graph* graph, UserObject* object, unsigned count) {
  Graph* const found = gpu.graphs.find(graph);
  UserObject* const known = gpu.graphs.find_object(object);
  return found == nullptr || known == nullptr ? Error::invalid_value : gpu.graphs.release(*found, *known, count);
}

}  // namespace warpwalk::simulated::graph_calls
