// Kernel nodes.

#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/graphs/graph.h"
#include "instrumentation/simulated/engine/graph_calls.h"

namespace warpwalk::simulated {
namespace {

/// Parameters as the first version of the interface has them.
const graph_calls::KernelParameters* launch_of(const graph_calls::KernelParameters* parameters) { return parameters; }
const graph_calls::KernelParameters* launch_of(const KernelNodeParameters* parameters) {
  return parameters == nullptr ? nullptr : &parameters->launch;
}

Error get_kernel_parameters(Gpu& gpu, GraphNode* node, graph_calls::KernelParameters* parameters) {
  const Error error = graph_calls::get_kernel(gpu, node, parameters);
  // The runtime names kernels by functions of the program.
  if (error == Error::success) parameters->function = std::get<KernelLaunch>(node->what).kernel;
  return error;
}

}  // namespace

namespace [[gnu::visibility("default")]] exported {
extern "C" {

CUresult cuGraphAddKernelNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                              const graph_calls::KernelParameters* parameters) {
  return call_in_context("cuGraphAddKernelNode", [&](Gpu& gpu) {
    return graph_calls::add_kernel(gpu, {node, graph, dependencies, count}, kernel_of(parameters),
                                   launch_of(parameters));
  });
}

CUresult cuGraphKernelNodeGetParams(GraphNode* node, graph_calls::KernelParameters* parameters) {
  return call_in_context("cuGraphKernelNodeGetParams",
                         [&](Gpu& gpu) { return get_kernel_parameters(gpu, node, parameters); });
}

CUresult cuGraphKernelNodeSetParams(GraphNode* node, const graph_calls::KernelParameters* parameters) {
  return call_in_context("cuGraphKernelNodeSetParams", [&](Gpu& gpu) {
    return graph_calls::set_kernel(gpu, node, kernel_of(parameters), launch_of(parameters));
  });
}

CUresult cuGraphExecKernelNodeSetParams(GraphExec* exec, GraphNode* node,
                                        const graph_calls::KernelParameters* parameters) {
  return call_in_context("cuGraphExecKernelNodeSetParams", [&](Gpu& gpu) {
    return graph_calls::set_kernel(gpu, exec, node, kernel_of(parameters), launch_of(parameters));
  });
}

CUresult cuGraphAddKernelNode_v2(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                                 const KernelNodeParameters* parameters) {
  return call_in_context("cuGraphAddKernelNode_v2", [&](Gpu& gpu) {
    return graph_calls::add_kernel(gpu, {node, graph, dependencies, count}, kernel_of(parameters),
                                   launch_of(parameters));
  });
}

CUresult cuGraphKernelNodeGetParams_v2(GraphNode* node, KernelNodeParameters* parameters) {
  return call_in_context("cuGraphKernelNodeGetParams_v2", [&](Gpu& gpu) {
    if (parameters == nullptr) return Error::invalid_value;
    *parameters = {};
    return get_kernel_parameters(gpu, node, &parameters->launch);
  });
}

CUresult cuGraphKernelNodeSetParams_v2(GraphNode* node, const KernelNodeParameters* parameters) {
  return call_in_context("cuGraphKernelNodeSetParams_v2", [&](Gpu& gpu) {
    return graph_calls::set_kernel(gpu, node, kernel_of(parameters), launch_of(parameters));
  });
}

CUresult cuGraphExecKernelNodeSetParams_v2(GraphExec* exec, GraphNode* node, const KernelNodeParameters* parameters) {
  return call_in_context("cuGraphExecKernelNodeSetParams_v2", [&](Gpu& gpu) {
    return graph_calls::set_kernel(gpu, exec, node, kernel_of(parameters), launch_of(parameters));
  });
}

CUresult cuGraphKernelNodeGetAttribute(GraphNode* node, int id, graph_calls::Attribute* value) {
  return call_in_context("cuGraphKernelNodeGetAttribute",
                         [&](Gpu& gpu) { return graph_calls::get_attribute(gpu, node, id, value); });
}

CUresult cuGraphKernelNodeSetAttribute(GraphNode* node, int id, const graph_calls::Attribute* value) {
  return call_in_context("cuGraphKernelNodeSetAttribute",
                         [&](Gpu& gpu) { return graph_calls::set_attribute(gpu, node, id, value); });
}

CUresult cuGraphKernelNodeCopyAttributes(GraphNode* to, GraphNode* from) {
  return call_in_context("cuGraphKernelNodeCopyAttributes",
                         [&](Gpu& gpu) { return graph_calls::copy_attributes(gpu, to, from); });
}

}  // extern "C"
}  // namespace gnu::visibility("default")]]exported
}  // namespace warpwalk::simulated
