// Kernel nodes.

#include "instrumentation/simulated/engine/graph_calls.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/registry.h"

namespace warpwalk::simulated {
namespace {

/// Runs `body` with the kernel that parameters name.
template <typename Body>
Error with_kernel_of(Gpu& gpu, const graph_calls::KernelParameters* parameters, Body body) {
  if (parameters == nullptr) return Error::invalid_value;
  return with_kernel(gpu, parameters->function, [&](Kernel& kernel) { return body(&kernel); });
}

}  // namespace

extern "C" {

Error cudaGraphAddKernelNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                             const graph_calls::KernelParameters* parameters) {
  return runtime_call("cudaGraphAddKernelNode", [&](Gpu& gpu) {
    return with_kernel_of(gpu, parameters, [&](Kernel* kernel) {
      return graph_calls::add_kernel(gpu, {node, graph, dependencies, count}, kernel, parameters);
    });
  });
}

Error cudaGraphKernelNodeGetParams(GraphNode* node, graph_calls::KernelParameters* parameters) {
  return runtime_call("cudaGraphKernelNodeGetParams", [&](Gpu& gpu) {
    const Error error = graph_calls::get_kernel(gpu, node, parameters);
    if (error != Error::success || parameters->function != nullptr) return error;
    // Of a captured launch.
    parameters->function = registry().function_of(*std::get<KernelLaunch>(node->what).kernel);
    return Error::success;
  });
}

Error cudaGraphKernelNodeSetParams(GraphNode* node, const graph_calls::KernelParameters* parameters) {
  return runtime_call("cudaGraphKernelNodeSetParams", [&](Gpu& gpu) {
    return with_kernel_of(gpu, parameters,
                          [&](Kernel* kernel) { return graph_calls::set_kernel(gpu, node, kernel, parameters); });
  });
}

Error cudaGraphExecKernelNodeSetParams(GraphExec* exec, GraphNode* node,
                                       const graph_calls::KernelParameters* parameters) {
  return runtime_call("cudaGraphExecKernelNodeSetParams", [&](Gpu& gpu) {
    return with_kernel_of(gpu, parameters,
                          [&](Kernel* kernel) { return graph_calls::set_kernel(gpu, exec, node, kernel, parameters); });
  });
}

Error cudaGraphKernelNodeGetAttribute(GraphNode* node, int id, graph_calls::Attribute* value) {
  return runtime_call("cudaGraphKernelNodeGetAttribute",
                      [&](Gpu& gpu) { return graph_calls::get_attribute(gpu, node, id, value); });
}

Error cudaGraphKernelNodeSetAttribute(GraphNode* node, int id, const graph_calls::Attribute* value) {
  return runtime_call("cudaGraphKernelNodeSetAttribute",
                      [&](Gpu& gpu) { return graph_calls::set_attribute(gpu, node, id, value); });
}

Error cudaGraphKernelNodeCopyAttributes(GraphNode* to, GraphNode* from) {
  return runtime_call("cudaGraphKernelNodeCopyAttributes",
                      [&](Gpu& gpu) { return graph_calls::copy_attributes(gpu, to, from); });
}

}  // extern "C"
}  // namespace warpwalk::simulated
