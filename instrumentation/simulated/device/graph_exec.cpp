// Executable graphs: how they are made of graphs, and how they are changed.

#include <algorithm>
#include <utility>

#include "instrumentation/simulated/device/graph.h"

namespace warpwalk::simulated {
namespace {

/// Instantiation flags: frees on launch, upload, launch from the device, priorities of nodes.
constexpr std::uint64_t device_launch = 4, known_flags = 15;

bool same_sides(const Copy& a, const Copy& b) {
  return (a.from.array != nullptr) == (b.from.array != nullptr) && (a.to.array != nullptr) == (b.to.array != nullptr);
}

/// What forbids that a node of an executable graph takes over the work of another one.
UpdateResult::Kind obstacle(const GraphNode& old, const GraphNode& node) {
  if (node_type(old) != node_type(node)) return UpdateResult::type;
  if (const auto* const copy = std::get_if<Copy>(&node.what); copy != nullptr)
    return same_sides(*copy, std::get<Copy>(old.what)) ? UpdateResult::success : UpdateResult::parameters;
  if (const auto* const memory = std::get_if<AllocationNode>(&node.what); memory != nullptr)
    return memory->memory == std::get<AllocationNode>(old.what).memory ? UpdateResult::success
                                                                       : UpdateResult::unsupported;
  return UpdateResult::success;
}

/// Compares shapes. CUDA pairs nodes by the order in which they and their edges were made.
bool fits_shape(const Graph& old, const Graph& graph, UpdateResult& result) {
  const auto differs = [&](UpdateResult::Kind kind, GraphNode* node, GraphNode* from = nullptr) {
    result = {kind, node, from};
    return false;
  };
  if (old.nodes.size() != graph.nodes.size()) return differs(UpdateResult::topology, nullptr);
  std::unordered_map<const GraphNode*, const GraphNode*> paired;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) paired[graph.nodes[i].get()] = old.nodes[i].get();
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    GraphNode& node = *graph.nodes[i];
    const GraphNode& before = *old.nodes[i];
    if (const auto kind = obstacle(before, node); kind != UpdateResult::success) return differs(kind, &node);
    if (before.dependencies.size() != node.dependencies.size()) return differs(UpdateResult::topology, &node);
    for (GraphNode* const from : node.dependencies)
      if (std::ranges::find(before.dependencies, paired[from]) == before.dependencies.end())
        return differs(UpdateResult::topology, &node, from);
    if (const auto* const child = std::get_if<ChildNode>(&node.what); child != nullptr)
      if (!fits_shape(*std::get<ChildNode>(before.what).graph, *child->graph, result)) return false;
  }
  return true;
}

void take_over(Graph& into, const Graph& graph) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = *graph.nodes[i];
    GraphNode& target = *into.nodes[i];
    if (const auto* const child = std::get_if<ChildNode>(&node.what); child != nullptr) {
      take_over(*std::get<ChildNode>(target.what).graph, *child->graph);
      continue;
    }
    target.what = node.what;
    target.function = node.function;
    target.attributes = node.attributes;
  }
}

GraphNode* find_copy(const Graph& copy, const GraphNode& node) {
  if (const auto found = copy.copies.find(&node); found != copy.copies.end()) return found->second;
  for (const auto& one : copy.nodes)
    if (const auto* const child = std::get_if<ChildNode>(&one->what); child != nullptr)
      if (GraphNode* const found = find_copy(*child->graph, node); found != nullptr) return found;
  return nullptr;
}

}  // namespace

bool sort_nodes(Graph& graph) {
  graph.order.clear();
  std::unordered_map<const GraphNode*, std::size_t> missing;
  for (const auto& node : graph.nodes) {
    if (const auto* const child = std::get_if<ChildNode>(&node->what); child != nullptr && !sort_nodes(*child->graph))
      return false;
    missing[node.get()] = node->dependencies.size();
    if (node->dependencies.empty()) graph.order.push_back(node.get());
  }
  for (std::size_t i = 0; i < graph.order.size(); ++i)
    for (GraphNode* const next : graph.order[i]->dependents)
      if (--missing[next] == 0) graph.order.push_back(next);
  return graph.order.size() == graph.nodes.size();
}

Error Graphs::instantiate(const Graph& graph, std::uint64_t flags, GraphExec*& exec, InstantiateResult& result) {
  constexpr int error = 1, invalid_structure = 2, unsupported_node = 3;
  if ((flags & ~known_flags) != 0) {
    result.result = error;
    return Error::invalid_value;
  }
  if ((flags & device_launch) != 0) {
    result.result = unsupported_node;
    return Error::not_supported;
  }
  auto made = std::make_unique<GraphExec>();
  made->flags = flags;
  made->graph = std::make_unique<Graph>(*this);
  copy_graph(graph, *made->graph);
  if (!sort_nodes(*made->graph)) {
    result.result = invalid_structure;
    return Error::invalid_value;
  }
  const std::lock_guard lock(mutex_);
  exec = made.get();
  execs_[exec] = std::move(made);
  return Error::success;
}

Error Graphs::update(GraphExec& exec, const Graph& graph, UpdateResult& result) {
  result = {};
  if (!fits_shape(*exec.graph, graph, result)) return Error::graph_exec_update_failure;
  take_over(*exec.graph, graph);
  return Error::success;
}

GraphNode* Graphs::in_exec(const GraphExec& exec, const GraphNode& node) { return find_copy(*exec.graph, node); }

Error Graphs::set(GraphNode& node, NodeWork what) {
  if (node.what.index() != what.index() || std::holds_alternative<AllocationNode>(what)) return Error::invalid_value;
  if (const auto* const event = std::get_if<EventNode>(&what); event != nullptr)
    if (event->waits != std::get<EventNode>(node.what).waits) return Error::invalid_value;
  if (const auto* const child = std::get_if<ChildNode>(&what); child != nullptr) {
    Graph& old = *std::get<ChildNode>(node.what).graph;
    UpdateResult result;
    if (!fits_shape(old, *child->graph, result)) return Error::graph_exec_update_failure;
    take_over(old, *child->graph);
    return Error::success;
  }
  node.what = std::move(what);
  return Error::success;
}

}  // namespace warpwalk::simulated
