// Copies and memsets in graphs.

#include <utility>

#include "instrumentation/simulated/engine/graph_calls.h"
#include "instrumentation/simulated/runtime/arrays/array.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/graphs/graph.h"
#include "instrumentation/simulated/runtime/registry.h"

namespace warpwalk::simulated {
namespace {

using graph_calls::NewNode;

/// A copy of consecutive bytes.
struct BytesCopy {
  const void *to, *from;
  std::size_t count;
  int kind;
};

/// A copy to or from a variable of the program.
struct SymbolCopy {
  const void *symbol, *other;
  std::size_t count, offset;
  int kind;
  bool to_symbol;
};

Error work_of(Gpu& gpu, const BytesCopy& bytes, NodeWork& what) {
  Copy copy;
  copy.to.address = reinterpret_cast<std::uint64_t>(bytes.to);
  copy.from.address = reinterpret_cast<std::uint64_t>(bytes.from);
  copy.extent = {bytes.count, 1, 1};
  copy.kind = static_cast<CopyKind>(bytes.kind);
  return graph_calls::copy_work(gpu, copy, what);
}

Error work_of(Gpu& gpu, const SymbolCopy& part, NodeWork& what) {
  ModuleVariable* variable = nullptr;
  if (const Error wrong = registry().find(gpu, part.symbol, variable); wrong != Error::success) return wrong;
  const std::uint64_t bytes = variable->memory->bytes;
  if (part.offset > bytes || part.count > bytes - part.offset) return Error::invalid_value;
  const void* const in_variable = reinterpret_cast<const void*>(variable->memory->address + part.offset);
  const BytesCopy copy = part.to_symbol ? BytesCopy{in_variable, part.other, part.count, part.kind}
                                        : BytesCopy{part.other, in_variable, part.count, part.kind};
  return work_of(gpu, copy, what);
}

Error work_of(Gpu& gpu, const Copy3D* parameters, NodeWork& what) { return copy_node_work(gpu, parameters, what); }

Error work_of(Gpu& gpu, const graph_calls::FillParameters* parameters, NodeWork& what) {
  return graph_calls::fill_work(gpu, parameters, what);
}

template <typename Parameters>
Error add_node(const char* name, const NewNode& place, const Parameters& parameters) {
  return runtime_call(name, [&](Gpu& gpu) {
    NodeWork what;
    const Error wrong = work_of(gpu, parameters, what);
    return wrong == Error::success ? graph_calls::add(gpu, place, std::move(what)) : wrong;
  });
}

template <typename Parameters>
Error set_node(const char* name, GraphNode* node, const Parameters& parameters) {
  return runtime_call(name, [&](Gpu& gpu) {
    NodeWork what;
    const Error wrong = work_of(gpu, parameters, what);
    return wrong == Error::success ? graph_calls::set(gpu, node, std::move(what)) : wrong;
  });
}

template <typename Parameters>
Error set_exec_node(const char* name, GraphExec* exec, GraphNode* node, const Parameters& parameters) {
  return runtime_call(name, [&](Gpu& gpu) {
    NodeWork what;
    const Error wrong = work_of(gpu, parameters, what);
    return wrong == Error::success ? graph_calls::set(gpu, exec, node, std::move(what)) : wrong;
  });
}

}  // namespace

extern "C" {

Error cudaGraphAddMemcpyNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                             const Copy3D* parameters) {
  return add_node("cudaGraphAddMemcpyNode", {node, graph, dependencies, count}, parameters);
}

Error cudaGraphMemcpyNodeSetParams(GraphNode* node, const Copy3D* parameters) {
  return set_node("cudaGraphMemcpyNodeSetParams", node, parameters);
}

Error cudaGraphExecMemcpyNodeSetParams(GraphExec* exec, GraphNode* node, const Copy3D* parameters) {
  return set_exec_node("cudaGraphExecMemcpyNodeSetParams", exec, node, parameters);
}

Error cudaGraphAddMemcpyNode1D(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                               void* to, const void* from, std::size_t bytes, int kind) {
  return add_node("cudaGraphAddMemcpyNode1D", {node, graph, dependencies, count}, BytesCopy{to, from, bytes, kind});
}

Error cudaGraphMemcpyNodeSetParams1D(GraphNode* node, void* to, const void* from, std::size_t bytes, int kind) {
  return set_node("cudaGraphMemcpyNodeSetParams1D", node, BytesCopy{to, from, bytes, kind});
}

Error cudaGraphExecMemcpyNodeSetParams1D(GraphExec* exec, GraphNode* node, void* to, const void* from,
                                         std::size_t bytes, int kind) {
  return set_exec_node("cudaGraphExecMemcpyNodeSetParams1D", exec, node, BytesCopy{to, from, bytes, kind});
}

Error cudaGraphAddMemcpyNodeToSymbol(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                                     const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                     int kind) {
  return add_node("cudaGraphAddMemcpyNodeToSymbol", {node, graph, dependencies, count},
                  SymbolCopy{symbol, from, bytes, offset, kind, true});
}

Error cudaGraphMemcpyNodeSetParamsToSymbol(GraphNode* node, const void* symbol, const void* from, std::size_t bytes,
                                           std::size_t offset, int kind) {
  return set_node("cudaGraphMemcpyNodeSetParamsToSymbol", node, SymbolCopy{symbol, from, bytes, offset, kind, true});
}

Error cudaGraphExecMemcpyNodeSetParamsToSymbol(GraphExec* exec, GraphNode* node, const void* symbol, const void* from,
                                               std::size_t bytes, std::size_t offset, int kind) {
  return set_exec_node("cudaGraphExecMemcpyNodeSetParamsToSymbol", exec, node,
                       SymbolCopy{symbol, from, bytes, offset, kind, true});
}

Error cudaGraphAddMemcpyNodeFromSymbol(GraphNode** node, Graph* graph, GraphNode* const* dependencies,
                                       std::size_t count, void* to, const void* symbol, std::size_t bytes,
                                       std::size_t offset, int kind) {
  return add_node("cudaGraphAddMemcpyNodeFromSymbol", {node, graph, dependencies, count},
                  SymbolCopy{symbol, to, bytes, offset, kind, false});
}

Error cudaGraphMemcpyNodeSetParamsFromSymbol(GraphNode* node, void* to, const void* symbol, std::size_t bytes,
                                             std::size_t offset, int kind) {
  return set_node("cudaGraphMemcpyNodeSetParamsFromSymbol", node, SymbolCopy{symbol, to, bytes, offset, kind, false});
}

Error cudaGraphExecMemcpyNodeSetParamsFromSymbol(GraphExec* exec, GraphNode* node, void* to, const void* symbol,
                                                 std::size_t bytes, std::size_t offset, int kind) {
  return set_exec_node("cudaGraphExecMemcpyNodeSetParamsFromSymbol", exec, node,
                       SymbolCopy{symbol, to, bytes, offset, kind, false});
}

Error cudaGraphMemcpyNodeGetParams(GraphNode* node, Copy3D* parameters) {
  return runtime_call("cudaGraphMemcpyNodeGetParams", [&](Gpu& gpu) {
    const Copy* const copy = graph_calls::copy_of(gpu, node);
    if (copy == nullptr || parameters == nullptr) return Error::invalid_value;
    *parameters = parameters_of(*copy);
    return Error::success;
  });
}

Error cudaGraphAddMemsetNode(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count,
                             const graph_calls::FillParameters* parameters) {
  return add_node("cudaGraphAddMemsetNode", {node, graph, dependencies, count}, parameters);
}

Error cudaGraphMemsetNodeSetParams(GraphNode* node, const graph_calls::FillParameters* parameters) {
  return set_node("cudaGraphMemsetNodeSetParams", node, parameters);
}

Error cudaGraphExecMemsetNodeSetParams(GraphExec* exec, GraphNode* node,
                                       const graph_calls::FillParameters* parameters) {
  return set_exec_node("cudaGraphExecMemsetNodeSetParams", exec, node, parameters);
}

Error cudaGraphMemsetNodeGetParams(GraphNode* node, graph_calls::FillParameters* parameters) {
  return runtime_call("cudaGraphMemsetNodeGetParams",
                      [&](Gpu& gpu) { return graph_calls::get_fill(gpu, node, parameters); });
}

}  // extern "C"
}  // namespace warpwalk::simulated
