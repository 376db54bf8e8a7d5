// Executable graphs.

#include "instrumentation/simulated/engine/graph_calls.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {

extern "C" {

Error cudaGraphInstantiate(GraphExec** exec, Graph* graph, unsigned long long flags) {
  return runtime_call("cudaGraphInstantiate",
                      [&](Gpu& gpu) { return graph_calls::instantiate(gpu, exec, graph, flags); });
}

Error cudaGraphInstantiateWithFlags(GraphExec** exec, Graph* graph, unsigned long long flags) {
  return runtime_call("cudaGraphInstantiateWithFlags",
                      [&](Gpu& gpu) { return graph_calls::instantiate(gpu, exec, graph, flags); });
}

Error cudaGraphExecGetFlags(GraphExec* exec, std::uint64_t* flags) {
  return runtime_call("cudaGraphExecGetFlags", [&](Gpu& gpu) { return graph_calls::get_flags(gpu, exec, flags); });
}

Error cudaGraphExecDestroy(GraphExec* exec) {
  return runtime_call("cudaGraphExecDestroy", [&](Gpu& gpu) { return graph_calls::destroy_exec(gpu, exec); });
}

Error cudaGraphNodeSetEnabled(GraphExec* exec, GraphNode* node, unsigned enabled) {
  return runtime_call("cudaGraphNodeSetEnabled",
                      [&](Gpu& gpu) { return graph_calls::set_enabled(gpu, exec, node, enabled); });
}

Error cudaGraphNodeGetEnabled(GraphExec* exec, GraphNode* node, unsigned* enabled) {
  return runtime_call("cudaGraphNodeGetEnabled",
                      [&](Gpu& gpu) { return graph_calls::get_enabled(gpu, exec, node, enabled); });
}

Error cudaGraphInstantiateWithParams(GraphExec** exec, Graph* graph, graph_calls::InstantiateParameters* parameters) {
  return runtime_call("cudaGraphInstantiateWithParams",
                      [&](Gpu& gpu) { return graph_calls::instantiate(gpu, exec, graph, parameters); });
}

Error cudaGraphInstantiateWithParams_ptsz(GraphExec** exec, Graph* graph,
                                          graph_calls::InstantiateParameters* parameters) {
  return cudaGraphInstantiateWithParams(exec, graph, parameters);
}

Error cudaGraphExecUpdate(GraphExec* exec, Graph* graph, graph_calls::UpdateInfo* info) {
  return runtime_call("cudaGraphExecUpdate", [&](Gpu& gpu) { return graph_calls::update(gpu, exec, graph, info); });
}

Error cudaGraphUpload(GraphExec* exec, const void* stream) {
  return runtime_call("cudaGraphUpload", [&](Gpu& gpu) { return graph_calls::upload(gpu, exec, stream); });
}

Error cudaGraphUpload_ptsz(GraphExec* exec, const void* stream) { return cudaGraphUpload(exec, of_thread(stream)); }

Error cudaGraphLaunch(GraphExec* exec, const void* stream) {
  return runtime_call("cudaGraphLaunch", [&](Gpu& gpu) { return graph_calls::launch(gpu, exec, stream); });
}

Error cudaGraphLaunch_ptsz(GraphExec* exec, const void* stream) { return cudaGraphLaunch(exec, of_thread(stream)); }

Error cudaDeviceGraphMemTrim(int device) {
  return runtime_call("cudaDeviceGraphMemTrim", [&](Gpu& gpu) {
    const Error wrong = check_device(device);
    if (wrong == Error::success) trim_graph_memory(gpu);
    return wrong;
  });
}

Error cudaDeviceGetGraphMemAttribute(int device, int attribute, std::uint64_t* value) {
  return runtime_call("cudaDeviceGetGraphMemAttribute", [&](Gpu&) {
    const Error wrong = check_device(device);
    return wrong == Error::success ? graph_calls::get_memory_attribute(attribute, value) : wrong;
  });
}

Error cudaDeviceSetGraphMemAttribute(int device, int attribute, const std::uint64_t* value) {
  return runtime_call("cudaDeviceSetGraphMemAttribute", [&](Gpu&) {
    const Error wrong = check_device(device);
    return wrong == Error::success ? graph_calls::set_memory_attribute(attribute, value) : wrong;
  });
}

}  // extern "C"
}  // namespace warpwalk::simulated
