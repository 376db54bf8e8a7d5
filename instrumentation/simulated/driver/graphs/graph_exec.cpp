// Executable graphs.

#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/engine/graph_calls.h"

namespace warpwalk::simulated {
namespace {

/// The first interface of instantiation, which describes errors in a text.
Error instantiate_with_log(Gpu& gpu, GraphExec** exec, Graph* graph, GraphNode** error_node, char* log,
                           std::size_t log_bytes) {
  graph_calls::InstantiateParameters parameters{0, nullptr, nullptr, 0};
  const Error error = graph_calls::instantiate(gpu, exec, graph, &parameters);
  if (error_node != nullptr) *error_node = parameters.node;
  if (log != nullptr && log_bytes != 0) log[0] = '\0';
  return error;
}

}  // namespace

namespace [[gnu::visibility("default")]] exported {
extern "C" {

CUresult cuGraphInstantiate(GraphExec** exec, Graph* graph, GraphNode** error_node, char* log, std::size_t log_bytes) {
  return call_in_context("cuGraphInstantiate",
                         [&](Gpu& gpu) { return instantiate_with_log(gpu, exec, graph, error_node, log, log_bytes); });
}

CUresult cuGraphInstantiate_v2(GraphExec** exec, Graph* graph, GraphNode** error_node, char* log,
                               std::size_t log_bytes) {
  return call_in_context("cuGraphInstantiate_v2",
                         [&](Gpu& gpu) { return instantiate_with_log(gpu, exec, graph, error_node, log, log_bytes); });
}

CUresult cuGraphInstantiateWithFlags(GraphExec** exec, Graph* graph, unsigned long long flags) {
  return call_in_context("cuGraphInstantiateWithFlags",
                         [&](Gpu& gpu) { return graph_calls::instantiate(gpu, exec, graph, flags); });
}

CUresult cuGraphExecGetFlags(GraphExec* exec, std::uint64_t* flags) {
  return call_in_context("cuGraphExecGetFlags", [&](Gpu& gpu) { return graph_calls::get_flags(gpu, exec, flags); });
}

CUresult cuGraphExecDestroy(GraphExec* exec) {
  return call_in_context("cuGraphExecDestroy", [&](Gpu& gpu) { return graph_calls::destroy_exec(gpu, exec); });
}

CUresult cuGraphNodeSetEnabled(GraphExec* exec, GraphNode* node, unsigned enabled) {
  return call_in_context("cuGraphNodeSetEnabled",
                         [&](Gpu& gpu) { return graph_calls::set_enabled(gpu, exec, node, enabled); });
}

CUresult cuGraphNodeGetEnabled(GraphExec* exec, GraphNode* node, unsigned* enabled) {
  return call_in_context("cuGraphNodeGetEnabled",
                         [&](Gpu& gpu) { return graph_calls::get_enabled(gpu, exec, node, enabled); });
}

CUresult cuGraphInstantiateWithParams(GraphExec** exec, Graph* graph, graph_calls::InstantiateParameters* parameters) {
  return call_in_context("cuGraphInstantiateWithParams",
                         [&](Gpu& gpu) { return graph_calls::instantiate(gpu, exec, graph, parameters); });
}

CUresult cuGraphInstantiateWithParams_ptsz(GraphExec** exec, Graph* graph,
                                           graph_calls::InstantiateParameters* parameters) {
  return cuGraphInstantiateWithParams(exec, graph, parameters);
}

CUresult cuGraphExecUpdate(GraphExec* exec, Graph* graph, GraphNode** error_node, int* result) {
  return call_in_context("cuGraphExecUpdate", [&](Gpu& gpu) {
    graph_calls::UpdateInfo info{};
    const Error error = graph_calls::update(gpu, exec, graph, &info);
    if (error_node != nullptr) *error_node = info.node;
    if (result != nullptr) *result = info.result;
    return error;
  });
}

CUresult cuGraphExecUpdate_v2(GraphExec* exec, Graph* graph, graph_calls::UpdateInfo* info) {
  return call_in_context("cuGraphExecUpdate_v2", [&](Gpu& gpu) { return graph_calls::update(gpu, exec, graph, info); });
}

CUresult cuGraphUpload(GraphExec* exec, CUstream stream) {
  return call_in_context("cuGraphUpload", [&](Gpu& gpu) { return graph_calls::upload(gpu, exec, stream); });
}

CUresult cuGraphUpload_ptsz(GraphExec* exec, CUstream stream) { return cuGraphUpload(exec, per_thread(stream)); }

CUresult cuGraphLaunch(GraphExec* exec, CUstream stream) {
  return call_in_context("cuGraphLaunch", [&](Gpu& gpu) { return graph_calls::launch(gpu, exec, stream); });
}

CUresult cuGraphLaunch_ptsz(GraphExec* exec, CUstream stream) { return cuGraphLaunch(exec, per_thread(stream)); }

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  // Memory of graphs that are destroyed is free at once.
  return call_after_init("cuDeviceGraphMemTrim", [&](Gpu& gpu) {
    const Error wrong = check_device(device);
    if (wrong == Error::success) trim_graph_memory(gpu);
    return wrong;
  });
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, int attribute, std::uint64_t* value) {
  return call_after_init("cuDeviceGetGraphMemAttribute", [&](Gpu&) {
    const Error wrong = check_device(device);
    return wrong == Error::success ? graph_calls::get_memory_attribute(attribute, value) : wrong;
  });
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, int attribute, const std::uint64_t* value) {
  return call_after_init("cuDeviceSetGraphMemAttribute", [&](Gpu&) {
    const Error wrong = check_device(device);
    return wrong == Error::success ? graph_calls::set_memory_attribute(attribute, value) : wrong;
  });
}

}  // extern "C"
}  // namespace gnu::visibility("default")]]exported
}  // namespace warpwalk::simulated
