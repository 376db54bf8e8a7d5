#include <utility>

#include "instrumentation/simulated/engine/graph_calls.h"

namespace warpwalk::simulated::graph_calls {
namespace {

constexpr std::uint64_t upload_flag = 2;

bool is_mode(int mode) { return mode >= 0 && mode <= 2; }

/// Only what can be switched off: kernels, copies and memsets.
bool can_be_disabled(const GraphNode& node) {
  return std::holds_alternative<KernelLaunch>(node.what) || std::holds_alternative<Copy>(node.what) ||
         std::holds_alternative<Fill>(node.what);
}

GraphNode* node_to_switch(Gpu& gpu, GraphExec* exec, GraphNode* node) {
  const GraphExec* const found = gpu.graphs.find_exec(exec);
  if (found == nullptr || gpu.graphs.find_node(node) == nullptr) return nullptr;
  GraphNode* const own = Graphs::in_exec(*found, *node);
  return own != nullptr && can_be_disabled(*own) ? own : nullptr;
}

}  // namespace

Error instantiate(Gpu& gpu, GraphExec** exec, Graph* graph, InstantiateParameters* parameters) {
  const Graph* const found = gpu.graphs.find(graph);
  if (exec == nullptr || found == nullptr || parameters == nullptr) return Error::invalid_value;
  InstantiateResult result;
  const Error error = gpu.graphs.instantiate(*found, parameters->flags, *exec, result);
  parameters->node = result.node;
  parameters->result = result.result;
  if (error != Error::success || (parameters->flags & upload_flag) == 0) return error;
  return upload(gpu, *exec, parameters->stream);
}

Error instantiate(Gpu& gpu, GraphExec** exec, Graph* graph, std::uint64_t flags) {
  InstantiateParameters parameters{flags & ~upload_flag, nullptr, nullptr, 0};
  return instantiate(gpu, exec, graph, &parameters);
}

Error get_flags(Gpu& gpu, GraphExec* exec, std::uint64_t* flags) {
  const GraphExec* const found = gpu.graphs.find_exec(exec);
  if (found == nullptr || flags == nullptr) return Error::invalid_value;
  *flags = found->flags & ~upload_flag;
  return Error::success;
}

Error update(Gpu& gpu, GraphExec* exec, Graph* graph, UpdateInfo* info) {
  GraphExec* const found = gpu.graphs.find_exec(exec);
  const Graph* const from = gpu.graphs.find(graph);
  if (found == nullptr || from == nullptr) return Error::invalid_value;
  UpdateResult result;
  const Error error = gpu.graphs.update(*found, *from, result);
  if (info != nullptr) *info = {result.kind, result.node, result.from};
  return error;
}

/// Nothing needs to be uploaded.
Error upload(Gpu& gpu, GraphExec* exec, const void* stream) {
  if (gpu.streams.find(stream) == nullptr) return Error::invalid_resource_handle;
  return gpu.graphs.find_exec(exec) == nullptr ? Error::invalid_value : Error::success;
}

Error launch(Gpu& gpu, GraphExec* exec, const void* stream) {
  GraphExec* const found = gpu.graphs.find_exec(exec);
  Stream* const into = gpu.streams.find(stream);
  if (into == nullptr) return Error::invalid_resource_handle;
  return found == nullptr ? Error::invalid_value : launch_graph(gpu, *found, *into);
}

Error destroy_exec(Gpu& gpu, GraphExec* exec) { return gpu.graphs.destroy(exec); }

Error set_enabled(Gpu& gpu, GraphExec* exec, GraphNode* node, unsigned enabled) {
  GraphNode* const own = node_to_switch(gpu, exec, node);
  if (own == nullptr) return Error::invalid_value;
  own->enabled = enabled != 0;
  return Error::success;
}

Error get_enabled(Gpu& gpu, GraphExec* exec, GraphNode* node, unsigned* enabled) {
  const GraphNode* const own = node_to_switch(gpu, exec, node);
  if (own == nullptr || enabled == nullptr) return Error::invalid_value;
  *enabled = own->enabled ? 1 : 0;
  return Error::success;
}

Error begin_capture(Gpu& gpu, const void* stream, int mode) {
  Stream* const found = gpu.streams.find(stream);
  if (found == nullptr) return Error::invalid_resource_handle;
  if (!is_mode(mode)) return Error::invalid_value;
  return gpu.graphs.begin_capture(*found, static_cast<Capture::Mode>(mode));
}

Error begin_capture_to_graph(Gpu& gpu, const void* stream, Graph* graph, GraphNode* const* nodes, const EdgeData* edges,
                             std::size_t count, int mode) {
  Stream* const found = gpu.streams.find(stream);
  Graph* const into = gpu.graphs.find(graph);
  if (found == nullptr) return Error::invalid_resource_handle;
  if (into == nullptr || !is_mode(mode) || (count != 0 && nodes == nullptr)) return Error::invalid_value;
  return gpu.graphs.begin_capture(*found, *into, {nodes, count}, {edges, edges == nullptr ? 0 : count},
                                  static_cast<Capture::Mode>(mode));
}

Error end_capture(Gpu& gpu, const void* stream, Graph** graph) {
  Stream* const found = gpu.streams.find(stream);
  if (found == nullptr) return Error::invalid_resource_handle;
  return graph == nullptr ? Error::invalid_value : gpu.graphs.end_capture(*found, *graph);
}

Error get_capture_status(Gpu& gpu, const void* stream, int* status) {
  return get_capture_info(gpu, stream, {status, nullptr, nullptr, nullptr, nullptr, nullptr});
}

Error get_capture_info(Gpu& gpu, const void* stream, const CaptureOutputs& outputs) {
  Stream* const found = gpu.streams.find(stream);
  if (found == nullptr) return Error::invalid_resource_handle;
  if (outputs.status == nullptr) return Error::invalid_value;
  CaptureInfo info;
  if (const Error error = gpu.graphs.capture_info(*found, info); error != Error::success) return error;
  *outputs.status = info.status;
  if (outputs.id != nullptr && info.status != 0) *outputs.id = info.id;
  if (info.end == nullptr) return Error::success;
  if (outputs.graph != nullptr) *outputs.graph = info.graph;
  if (outputs.nodes != nullptr) *outputs.nodes = info.end->nodes.data();
  if (outputs.edges != nullptr) *outputs.edges = info.end->edges.data();
  if (outputs.count != nullptr) *outputs.count = info.end->nodes.size();
  return Error::success;
}

Error update_capture_dependencies(Gpu& gpu, const void* stream, GraphNode* const* nodes, const EdgeData* edges,
                                  std::size_t count, unsigned flags) {
  constexpr unsigned replaces = 1;
  Stream* const found = gpu.streams.find(stream);
  if (found == nullptr) return Error::invalid_resource_handle;
  if (flags > replaces || (count != 0 && nodes == nullptr)) return Error::invalid_value;
  return gpu.graphs.set_capture_dependencies(*found, {nodes, count}, {edges, edges == nullptr ? 0 : count},
                                             flags == replaces);
}

Error exchange_capture_mode(int* mode) {
  if (mode == nullptr || !is_mode(*mode)) return Error::invalid_value;
  *mode = static_cast<int>(Graphs::exchange_mode(static_cast<Capture::Mode>(*mode)));
  return Error::success;
}

}  // namespace warpwalk::simulated::graph_calls
