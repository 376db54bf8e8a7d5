#include "instrumentation/simulated/device/graph.h"

#include <algorithm>
#include <utility>

namespace warpwalk::simulated {
namespace {

void add_edge(GraphNode& from, GraphNode& to, const EdgeData& data) {
  to.dependencies.push_back(&from);
  to.edges.push_back(data);
  from.dependents.push_back(&to);
}

void remove_edge(GraphNode& from, GraphNode& to) {
  const auto at = std::ranges::find(to.dependencies, &from);
  to.edges.erase(to.edges.begin() + (at - to.dependencies.begin()));
  to.dependencies.erase(at);
  from.dependents.erase(std::ranges::find(from.dependents, &to));
}

bool depends_on(const GraphNode& to, const GraphNode& from) {
  return std::ranges::find(to.dependencies, &from) != to.dependencies.end();
}

/// CUDA allows no change of the edges and nodes of a graph that allocates or frees memory.
bool is_fixed(const Graph& graph) {
  constexpr int allocation = 10, free = 11;
  return has_node(graph, allocation) || has_node(graph, free);
}

/// Calls the destructor of an object whose last reference is gone.
void destroy_object(const UserObject& object) {
  if (object.destroy != nullptr) object.destroy(object.pointer);
}

}  // namespace

int node_type(const GraphNode& node) {
  constexpr int types[] = {5, 0, 1, 2, 3, 7, 4, 10, 11};  // in the order of NodeWork
  const auto* const event = std::get_if<EventNode>(&node.what);
  constexpr int event_wait = 6;
  return event != nullptr && event->waits ? event_wait : types[node.what.index()];
}

void** argument_pointers(GraphNode& node) {
  auto& launch = std::get<KernelLaunch>(node.what);
  node.pointers.clear();
  for (const KernelParameter& parameter : launch.kernel->parameters)
    node.pointers.push_back(launch.arguments.data() + parameter.offset);
  return node.pointers.data();
}

Graph::Graph(Graphs& of) : registry(of) {
  const std::lock_guard lock(registry.mutex_);
  id = ++registry.last_graph_;
  registry.graphs_.insert(this);
}

Graph::~Graph() {
  {
    const std::lock_guard lock(registry.mutex_);
    for (const auto& node : nodes) registry.nodes_.erase(node.get());
    registry.graphs_.erase(this);
  }
  for (const auto& [object, count] : objects) registry.release(*object, count);
}

GraphNode& Graph::add(NodeWork what) {
  GraphNode& node = *nodes.emplace_back(std::make_unique<GraphNode>());
  node.graph = this;
  node.what = std::move(what);
  const std::lock_guard lock(registry.mutex_);
  // As CUPTI numbers them: the graph's number is in the upper half.
  node.id = (std::uint64_t{id} << 32) + nodes.size();
  if (nodes.size() > 1) node.id = std::max(node.id, nodes[nodes.size() - 2]->id + 1);
  registry.nodes_.insert(&node);
  if (const auto* const allocation = std::get_if<AllocationNode>(&node.what); allocation != nullptr)
    registry.memory_[allocation->memory->address] = allocation->memory;
  return node;
}

std::size_t Graph::index(const GraphNode& node) const {
  return static_cast<std::size_t>(std::ranges::find(nodes, &node, &std::unique_ptr<GraphNode>::get) - nodes.begin());
}

void copy_graph(const Graph& from, Graph& to) {
  for (const auto& node : from.nodes) {
    NodeWork what = node->what;
    if (auto* const child = std::get_if<ChildNode>(&what); child != nullptr) {
      auto own = std::make_shared<Graph>(to.registry);
      copy_graph(*child->graph, *own);
      child->graph = std::move(own);
    }
    GraphNode& copy = to.add(std::move(what));
    copy.enabled = node->enabled;
    copy.function = node->function;
    copy.attributes = node->attributes;
    to.copies[node.get()] = &copy;
  }
  for (const auto& node : from.nodes)
    for (std::size_t i = 0; i < node->dependencies.size(); ++i)
      add_edge(*to.copies[node->dependencies[i]], *to.copies[node.get()], node->edges[i]);
  for (const auto& [object, count] : from.objects) to.registry.retain(to, *object, count, false);
}

bool has_node(const Graph& graph, int type) {
  return std::ranges::any_of(graph.nodes, [type](const auto& node) {
    const auto* const child = std::get_if<ChildNode>(&node->what);
    return node_type(*node) == type || (child != nullptr && has_node(*child->graph, type));
  });
}

Graph* Graphs::create() {
  auto graph = std::make_unique<Graph>(*this);
  const std::lock_guard lock(mutex_);
  return (owned_[graph.get()] = std::move(graph)).get();
}

Graph* Graphs::find(const void* handle) const {
  const std::lock_guard lock(mutex_);
  return graphs_.contains(handle) ? static_cast<Graph*>(const_cast<void*>(handle)) : nullptr;
}

GraphNode* Graphs::find_node(const void* handle) const {
  const std::lock_guard lock(mutex_);
  return nodes_.contains(handle) ? static_cast<GraphNode*>(const_cast<void*>(handle)) : nullptr;
}

GraphExec* Graphs::find_exec(const void* handle) const {
  const std::lock_guard lock(mutex_);
  const auto found = execs_.find(handle);
  return found == execs_.end() ? nullptr : found->second.get();
}

std::shared_ptr<GraphMemory> Graphs::memory_at(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto found = memory_.find(address);
  return found == memory_.end() ? nullptr : found->second.lock();
}

Error Graphs::destroy(Graph* graph) {
  std::unique_ptr<Graph> destroyed;  // outside of the lock
  const std::lock_guard capture_lock(capture_mutex_);
  for (const auto& capture : captures_)
    if (const auto active = capture.lock(); active != nullptr && active->graph == graph && !active->ended)
      return Error::invalid_value;
  const std::lock_guard lock(mutex_);
  const auto found = owned_.find(graph);
  if (found == owned_.end()) return Error::invalid_value;
  destroyed = std::move(found->second);
  owned_.erase(found);
  return Error::success;
}

Error Graphs::destroy(GraphExec* exec) {
  std::unique_ptr<GraphExec> destroyed;
  const std::lock_guard lock(mutex_);
  const auto found = execs_.find(exec);
  if (found == execs_.end()) return Error::invalid_value;
  destroyed = std::move(found->second);
  execs_.erase(found);
  return Error::success;
}

std::size_t Graphs::count() const {
  const std::lock_guard lock(mutex_);
  return owned_.size() + execs_.size();
}

Error Graphs::destroy(GraphNode* node) {
  Graph& graph = *node->graph;
  if (is_fixed(graph)) return Error::not_supported;
  while (!node->dependencies.empty()) remove_edge(*node->dependencies.back(), *node);
  while (!node->dependents.empty()) remove_edge(*node, *node->dependents.back());
  {
    const std::lock_guard lock(mutex_);
    nodes_.erase(node);
  }
  graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(graph.index(*node)));
  return Error::success;
}

Error Graphs::add(Graph& graph, std::span<GraphNode* const> dependencies, std::span<const EdgeData> edges,
                  NodeWork what, GraphNode*& node) {
  for (std::size_t i = 0; i < dependencies.size(); ++i) {
    const GraphNode* const known = find_node(dependencies[i]);
    if (known == nullptr || known->graph != &graph) return Error::invalid_value;
    if (std::ranges::count(dependencies, dependencies[i]) > 1) return Error::invalid_value;
  }
  node = &graph.add(std::move(what));
  for (std::size_t i = 0; i < dependencies.size(); ++i)
    add_edge(*dependencies[i], *node, edges.empty() ? EdgeData{} : edges[i]);
  return Error::success;
}

Error Graphs::connect(Graph& graph, std::span<GraphNode* const> from, std::span<GraphNode* const> to,
                      std::span<const EdgeData> edges) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    const GraphNode* const first = find_node(from[i]);
    const GraphNode* const second = find_node(to[i]);
    if (first == nullptr || second == nullptr || first == second) return Error::invalid_value;
    if (first->graph != &graph || second->graph != &graph || depends_on(*second, *first)) return Error::invalid_value;
  }
  for (std::size_t i = 0; i < from.size(); ++i)
    if (!depends_on(*to[i], *from[i])) add_edge(*from[i], *to[i], edges.empty() ? EdgeData{} : edges[i]);
  return Error::success;
}

Error Graphs::disconnect(Graph& graph, std::span<GraphNode* const> from, std::span<GraphNode* const> to) {
  if (!from.empty() && is_fixed(graph)) return Error::not_supported;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const GraphNode* const second = find_node(to[i]);
    if (second == nullptr || second->graph != &graph || !depends_on(*second, *from[i])) return Error::invalid_value;
  }
  for (std::size_t i = 0; i < from.size(); ++i)
    if (depends_on(*to[i], *from[i])) remove_edge(*from[i], *to[i]);
  return Error::success;
}

Error Graphs::clone(const Graph& graph, Graph*& copy) {
  if (is_fixed(graph)) return Error::not_supported;
  copy = create();
  copy_graph(graph, *copy);
  return Error::success;
}

Error Graphs::child(const Graph& graph, NodeWork& what) {
  if (is_fixed(graph)) return Error::not_supported;
  ChildNode child{std::make_shared<Graph>(*this)};
  copy_graph(graph, *child.graph);
  what = std::move(child);
  return Error::success;
}

UserObject* Graphs::find_object(const void* handle) const {
  const std::lock_guard lock(mutex_);
  const auto found = objects_.find(handle);
  return found == objects_.end() ? nullptr : found->second.get();
}

Error Graphs::create_object(const UserObject& made, UserObject*& object) {
  if (made.references == 0 || made.destroy == nullptr) return Error::invalid_value;
  auto own = std::make_unique<UserObject>(made);
  const std::lock_guard lock(mutex_);
  object = own.get();
  objects_[object] = std::move(own);
  return Error::success;
}

Error Graphs::retain(UserObject& object, unsigned count) {
  if (count == 0) return Error::invalid_value;
  const std::lock_guard lock(mutex_);
  object.references += count;
  return Error::success;
}

Error Graphs::release(UserObject& object, unsigned count) {
  if (count == 0) return Error::invalid_value;
  std::unique_ptr<UserObject> last;
  {
    const std::lock_guard lock(mutex_);
    if (object.references < count) return Error::invalid_value;
    object.references -= count;
    if (object.references != 0) return Error::success;
    last = std::move(objects_[&object]);
    objects_.erase(&object);
  }
  destroy_object(*last);
  return Error::success;
}

Error Graphs::retain(Graph& graph, UserObject& object, unsigned count, bool moves) {
  if (const Error error = moves ? Error::success : retain(object, count); error != Error::success) return error;
  if (count == 0) return Error::invalid_value;
  graph.objects[&object] += count;
  return Error::success;
}

Error Graphs::release(Graph& graph, UserObject& object, unsigned count) {
  const auto found = graph.objects.find(&object);
  if (found == graph.objects.end() || found->second < count) return Error::invalid_value;
  found->second -= count;
  if (found->second == 0) graph.objects.erase(found);
  return release(object, count);
}

}  // namespace warpwalk::simulated
