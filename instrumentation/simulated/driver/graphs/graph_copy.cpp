// Copies and memsets in graphs.

#include <utility>

#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/copy_sides.h"
#include "instrumentation/simulated/driver/graphs/graph.h"
#include "instrumentation/simulated/engine/graph_calls.h"

namespace warpwalk::simulated {
namespace {

bool is_on_host(const Gpu& gpu, std::uint64_t address) {
  const DeviceMemory::Place place = gpu.memory.find(address);
  return place == nullptr || place->kind == MemoryKind::pinned || place->kind == MemoryKind::registered;
}

CopySide3D parameters_of(const Gpu& gpu, const CopySide& side) {
  CopySide3D parameters{};
  parameters.x_bytes = side.at[0], parameters.y = side.at[1], parameters.z = side.at[2];
  parameters.pitch = side.pitch, parameters.height = side.height;
  if (side.array != nullptr) {
    parameters.type = MemoryType::array;
    parameters.array = side.array;
  } else if (is_on_host(gpu, side.address)) {
    parameters.type = MemoryType::host;
    parameters.host = side.address;
  } else {
    parameters.type = MemoryType::device;
    parameters.device = side.address;
  }
  return parameters;
}

}  // namespace

Error copy_node_work(Gpu& gpu, const CUDA_MEMCPY3D* parameters, NodeWork& what) {
  if (parameters == nullptr) return Error::invalid_value;
  Copy copy;
  const Error wrong = make_copy(gpu, *parameters, copy);
  return wrong == Error::success ? graph_calls::copy_work(gpu, copy, what) : wrong;
}

namespace [[gnu::visibility("default")]] exported {
extern "C" {

CUresult cuGraphAddMemcpyNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                              const CUDA_MEMCPY3D* parameters, CUcontext) {
  return call_in_context("cuGraphAddMemcpyNode", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = copy_node_work(gpu, parameters, what); wrong != Error::success) return wrong;
    return graph_calls::add(gpu, {node, graph, dependencies, count}, std::move(what));
  });
}

CUresult cuGraphMemcpyNodeGetParams(GraphNode* node, CUDA_MEMCPY3D* parameters) {
  return call_in_context("cuGraphMemcpyNodeGetParams", [&](Gpu& gpu) {
    const Copy* const copy = graph_calls::copy_of(gpu, node);
    if (copy == nullptr || parameters == nullptr) return Error::invalid_value;
    *parameters = {parameters_of(gpu, copy->from), parameters_of(gpu, copy->to), copy->extent[0], copy->extent[1],
                   copy->extent[2]};
    return Error::success;
  });
}

CUresult cuGraphMemcpyNodeSetParams(GraphNode* node, const CUDA_MEMCPY3D* parameters) {
  return call_in_context("cuGraphMemcpyNodeSetParams", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = copy_node_work(gpu, parameters, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, node, std::move(what));
  });
}

CUresult cuGraphExecMemcpyNodeSetParams(GraphExec* exec, GraphNode* node, const CUDA_MEMCPY3D* parameters, CUcontext) {
  return call_in_context("cuGraphExecMemcpyNodeSetParams", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = copy_node_work(gpu, parameters, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, exec, node, std::move(what));
  });
}

CUresult cuGraphAddMemsetNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                              const graph_calls::FillParameters* parameters, CUcontext) {
  return call_in_context("cuGraphAddMemsetNode", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::fill_work(gpu, parameters, what); wrong != Error::success) return wrong;
    return graph_calls::add(gpu, {node, graph, dependencies, count}, std::move(what));
  });
}

CUresult cuGraphMemsetNodeGetParams(GraphNode* node, graph_calls::FillParameters* parameters) {
  return call_in_context("cuGraphMemsetNodeGetParams",
                         [&](Gpu& gpu) { return graph_calls::get_fill(gpu, node, parameters); });
}

CUresult cuGraphMemsetNodeSetParams(GraphNode* node, const graph_calls::FillParameters* parameters) {
  return call_in_context("cuGraphMemsetNodeSetParams", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::fill_work(gpu, parameters, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, node, std::move(what));
  });
}

CUresult cuGraphExecMemsetNodeSetParams(GraphExec* exec, GraphNode* node, const graph_calls::FillParameters* parameters,
                                        CUcontext) {
  return call_in_context("cuGraphExecMemsetNodeSetParams", [&](Gpu& gpu) {
    NodeWork what;
    if (const Error wrong = graph_calls::fill_work(gpu, parameters, what); wrong != Error::success) return wrong;
    return graph_calls::set(gpu, exec, node, std::move(what));
  });
}

}  // extern "C"
}  // namespace gnu::visibility("default")]]exported
}  // namespace warpwalk::simulated
