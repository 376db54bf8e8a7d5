#include <algorithm>
#include <cstring>
#include <utility>

#include "instrumentation/simulated/engine/graph_calls.h"

namespace warpwalk::simulated::graph_calls {
namespace {

constexpr int cooperative_attribute = 2, cluster_attribute = 4, last_attribute = 16;

/// The work of a node if it is of this kind; null if not, or if there is no such node.
template <typename Work>
Work* work_in(Gpu& gpu, GraphNode* node) {
  GraphNode* const found = gpu.graphs.find_node(node);
  return found == nullptr ? nullptr : std::get_if<Work>(&found->what);
}

/// The node of an executable graph that belongs to a node of the graph from which it was made.
GraphNode* node_in_exec(Gpu& gpu, GraphExec* exec, GraphNode* node) {
  const GraphExec* const found = gpu.graphs.find_exec(exec);
  return found == nullptr || gpu.graphs.find_node(node) == nullptr ? nullptr : Graphs::in_exec(*found, *node);
}

Error kernel_work(Gpu& gpu, Kernel* kernel, const KernelParameters* parameters, KernelLaunch& launch) {
  if (parameters == nullptr) return Error::invalid_value;
  if (kernel == nullptr) return Error::invalid_device_function;
  launch.kernel = kernel;
  launch.shape.grid = parameters->grid;
  launch.shape.block = parameters->block;
  launch.shape.dynamic_shared_bytes = parameters->shared_bytes;
  launch.arguments.clear();
  if (const Error error = collect_arguments(*kernel, parameters->arguments, parameters->extra, launch.arguments);
      error != Error::success)
    return error;
  return gpu.check(launch);
}

Error change_kernel(Gpu& gpu, GraphNode* node, Kernel* kernel, const KernelParameters* parameters) {
  auto* const old = node == nullptr ? nullptr : std::get_if<KernelLaunch>(&node->what);
  if (old == nullptr) return Error::invalid_value;
  KernelLaunch launch = *old;  // with what attributes have set
  if (const Error error = kernel_work(gpu, kernel, parameters, launch); error != Error::success) return error;
  node->what = std::move(launch);
  node->function = parameters->function;
  return Error::success;
}

}  // namespace

Error add(Gpu& gpu, const NewNode& place, NodeWork what) {
  Graph* const graph = gpu.graphs.find(place.graph);
  if (graph == nullptr || place.node == nullptr || (place.count != 0 && place.dependencies == nullptr))
    return Error::invalid_value;
  return gpu.graphs.add(*graph, {place.dependencies, place.count},
                        {place.edges, place.edges == nullptr ? 0 : place.count}, std::move(what), *place.node);
}

Error add_kernel(Gpu& gpu, const NewNode& place, Kernel* kernel, const KernelParameters* parameters) {
  KernelLaunch launch;
  if (const Error error = kernel_work(gpu, kernel, parameters, launch); error != Error::success) return error;
  if (const Error error = add(gpu, place, std::move(launch)); error != Error::success) return error;
  (*place.node)->function = parameters->function;
  return Error::success;
}

Error get_kernel(Gpu& gpu, GraphNode* node, KernelParameters* parameters) {
  auto* const launch = work_in<KernelLaunch>(gpu, node);
  if (launch == nullptr || parameters == nullptr) return Error::invalid_value;
  *parameters = {node->function,           launch->shape.grid,
                 launch->shape.block,      static_cast<unsigned>(launch->shape.dynamic_shared_bytes),
                 argument_pointers(*node), nullptr};
  return Error::success;
}

Error set_kernel(Gpu& gpu, GraphNode* node, Kernel* kernel, const KernelParameters* parameters) {
  return change_kernel(gpu, gpu.graphs.find_node(node), kernel, parameters);
}

Error set_kernel(Gpu& gpu, GraphExec* exec, GraphNode* node, Kernel* kernel, const KernelParameters* parameters) {
  return change_kernel(gpu, node_in_exec(gpu, exec, node), kernel, parameters);
}

Error get_attribute(Gpu& gpu, GraphNode* node, int id, Attribute* value) {
  const auto* const launch = work_in<KernelLaunch>(gpu, node);
  if (launch == nullptr || value == nullptr || id < 0 || id > last_attribute) return Error::invalid_value;
  const auto set = node->attributes.find(id);
  *value = set == node->attributes.end() ? Attribute{} : set->second;
  const std::uint32_t cooperative = launch->shape.cooperative ? 1 : 0;
  if (id == cooperative_attribute) std::memcpy(value->data(), &cooperative, sizeof(cooperative));
  if (id == cluster_attribute) std::memcpy(value->data(), launch->shape.cluster.data(), sizeof(launch->shape.cluster));
  return Error::success;
}

Error set_attribute(Gpu& gpu, GraphNode* node, int id, const Attribute* value) {
  auto* const launch = work_in<KernelLaunch>(gpu, node);
  if (launch == nullptr || value == nullptr || id < 0 || id > last_attribute) return Error::invalid_value;
  KernelLaunch changed = *launch;
  if (id == cooperative_attribute) {
    std::uint32_t cooperative = 0;
    std::memcpy(&cooperative, value->data(), sizeof(cooperative));
    changed.shape.cooperative = cooperative != 0;
  }
  if (id == cluster_attribute) std::memcpy(changed.shape.cluster.data(), value->data(), sizeof(changed.shape.cluster));
  if (const Error error = gpu.check(changed); error != Error::success) return error;
  launch->shape = changed.shape;
  node->attributes[id] = *value;
  return Error::success;
}

Error copy_attributes(Gpu& gpu, GraphNode* to, GraphNode* from) {
  auto* const target = work_in<KernelLaunch>(gpu, to);
  const auto* const source = work_in<KernelLaunch>(gpu, from);
  if (target == nullptr || source == nullptr) return Error::invalid_value;
  target->shape.cooperative = source->shape.cooperative;
  target->shape.cluster = source->shape.cluster;
  to->attributes = from->attributes;
  return Error::success;
}

const Copy* copy_of(Gpu& gpu, GraphNode* node) { return work_in<Copy>(gpu, node); }

Error copy_work(Gpu& gpu, const Copy& copy, NodeWork& what) {
  what = copy;
  return gpu.check(copy);
}

Error get_fill(Gpu& gpu, GraphNode* node, FillParameters* parameters) {
  const auto* const fill = work_in<Fill>(gpu, node);
  if (fill == nullptr || parameters == nullptr) return Error::invalid_value;
  *parameters = {fill->address, fill->pitch, fill->value, fill->value_bytes, fill->width, fill->height};
  return Error::success;
}

Error fill_work(Gpu& gpu, const FillParameters* parameters, NodeWork& what) {
  if (parameters == nullptr || parameters->width == 0 || parameters->height == 0) return Error::invalid_value;
  const unsigned bytes = parameters->value_bytes;
  if (bytes != 1 && bytes != 2 && bytes != 4) return Error::invalid_value;
  if (parameters->address % bytes != 0 || (parameters->height > 1 && parameters->pitch % bytes != 0))
    return Error::invalid_value;
  const Fill fill{parameters->address, parameters->pitch, parameters->value, bytes,
                  parameters->width,   parameters->height};
  what = fill;
  return gpu.check(fill);
}

Error get_host(Gpu& gpu, GraphNode* node, HostParameters* parameters) {
  const auto* const host = work_in<HostNode>(gpu, node);
  if (host == nullptr || parameters == nullptr) return Error::invalid_value;
  *parameters = {host->function, host->data};
  return Error::success;
}

Error host_work(const HostParameters* parameters, NodeWork& what) {
  if (parameters == nullptr || parameters->function == nullptr) return Error::invalid_value;
  what = HostNode{parameters->function, parameters->data};
  return Error::success;
}

Error get_event(Gpu& gpu, GraphNode* node, Event** event, bool waits) {
  const auto* const found = work_in<EventNode>(gpu, node);
  if (found == nullptr || event == nullptr || found->waits != waits) return Error::invalid_value;
  *event = found->event;
  return Error::success;
}

Error event_work(Gpu& gpu, Event* event, bool waits, NodeWork& what) {
  if (gpu.streams.find_event(event) == nullptr) return Error::invalid_resource_handle;
  what = EventNode{event, waits};
  return Error::success;
}

Error get_child(Gpu& gpu, GraphNode* node, Graph** graph) {
  const auto* const child = work_in<ChildNode>(gpu, node);
  if (child == nullptr || graph == nullptr) return Error::invalid_value;
  *graph = child->graph.get();
  return Error::success;
}

Error child_work(Gpu& gpu, Graph* graph, NodeWork& what) {
  const Graph* const found = gpu.graphs.find(graph);
  return found == nullptr ? Error::invalid_value : gpu.graphs.child(*found, what);
}

Error add_child(Gpu& gpu, const NewNode& place, const ChildParameters& child) {
  constexpr int moves = 1;
  if (child.ownership < 0 || child.ownership > moves || child.graph == place.graph) return Error::invalid_value;
  NodeWork what;
  if (const Error error = child_work(gpu, child.graph, what); error != Error::success) return error;
  if (const Error error = add(gpu, place, std::move(what)); error != Error::success) return error;
  // The graph's nodes keep their handles only in a copy; the program must not use the original any more.
  return child.ownership == moves ? gpu.graphs.destroy(child.graph) : Error::success;
}

Error add_memory(Gpu& gpu, const NewNode& place, AllocationParameters* parameters) {
  constexpr int pinned = 1, device = 1;
  Graph* const graph = gpu.graphs.find(place.graph);
  if (graph == nullptr || place.node == nullptr || parameters == nullptr) return Error::invalid_value;
  if (place.count != 0 && place.dependencies == nullptr) return Error::invalid_value;
  if (parameters->type != pinned || parameters->location_type != device || parameters->handle_types != 0)
    return Error::invalid_value;
  if (parameters->location != 0) return Error::invalid_device;
  const std::span edges(place.edges, place.edges == nullptr ? 0 : place.count);
  if (const Error error =
          add_allocation(gpu, *graph, {place.dependencies, place.count}, edges, parameters->bytes, *place.node);
      error != Error::success)
    return error;
  parameters->address = std::get<AllocationNode>((*place.node)->what).memory->address;
  return Error::success;
}

Error get_memory(Gpu& gpu, GraphNode* node, AllocationParameters* parameters) {
  const auto* const allocation = work_in<AllocationNode>(gpu, node);
  if (allocation == nullptr || parameters == nullptr) return Error::invalid_value;
  *parameters = {};
  parameters->type = 1;
  parameters->location_type = 1;
  parameters->bytes = allocation->memory->bytes;
  parameters->address = allocation->memory->address;
  return Error::success;
}

Error add_free(Gpu& gpu, const NewNode& place, std::uint64_t address) {
  const Graph* const graph = gpu.graphs.find(place.graph);
  if (graph == nullptr || place.node == nullptr) return Error::invalid_value;
  if (const Error error = check_free(*graph, address); error != Error::success) return error;
  return add(gpu, place, FreeNode{address});
}

Error get_free(Gpu& gpu, GraphNode* node, std::uint64_t* address) {
  const auto* const free = work_in<FreeNode>(gpu, node);
  if (free == nullptr || address == nullptr) return Error::invalid_value;
  *address = free->address;
  return Error::success;
}

Error set(Gpu& gpu, GraphNode* node, NodeWork what) {
  GraphNode* const found = gpu.graphs.find_node(node);
  return found == nullptr ? Error::invalid_value : Graphs::set(*found, std::move(what));
}

Error set(Gpu& gpu, GraphExec* exec, GraphNode* node, NodeWork what) {
  GraphNode* const found = node_in_exec(gpu, exec, node);
  return found == nullptr ? Error::invalid_value : Graphs::set(*found, std::move(what));
}

Error get_memory_attribute(int attribute, std::uint64_t* value) {
  if (value == nullptr || attribute < 0 || attribute > 3) return Error::invalid_value;
  *value = graph_memory_bytes(attribute % 2 == 1);  // used and reserved: now, at most
  return Error::success;
}

Error set_memory_attribute(int attribute, const std::uint64_t* value) {
  const bool is_peak = attribute == 1 || attribute == 3;
  if (value == nullptr || !is_peak || *value != 0) return Error::invalid_value;
  reset_graph_memory_peak();
  return Error::success;
}

}  // namespace warpwalk::simulated::graph_calls
