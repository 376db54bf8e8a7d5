// A graph in the DOT language, for cudaGraphDebugDotPrint.

#include <fmt/format.h>

#include "instrumentation/simulated/device/graph.h"
#include "instrumentation/simulated/device/module.h"

namespace warpwalk::simulated {
namespace {

constexpr unsigned dot_verbose = 1, dot_handles = 1 << 10;

std::string details(const GraphNode& node) {
  if (const auto* const launch = std::get_if<KernelLaunch>(&node.what); launch != nullptr) {
    const auto& [grid, block, cluster, shared, cooperative] = launch->shape;
    return fmt::format("{}\\n({},{},{}) x ({},{},{}), {} bytes of dynamic shared memory", launch->kernel->name, grid[0],
                       grid[1], grid[2], block[0], block[1], block[2], shared);
  }
  if (const auto* const copy = std::get_if<Copy>(&node.what); copy != nullptr)
    return fmt::format("{} x {} x {} bytes", copy->extent[0], copy->extent[1], copy->extent[2]);
  if (const auto* const fill = std::get_if<Fill>(&node.what); fill != nullptr)
    return fmt::format("{} x {} values of {} bytes", fill->width, fill->height, fill->value_bytes);
  if (const auto* const allocation = std::get_if<AllocationNode>(&node.what); allocation != nullptr)
    return fmt::format("{} bytes at {:#x}", allocation->memory->bytes, allocation->memory->address);
  if (const auto* const free = std::get_if<FreeNode>(&node.what); free != nullptr)
    return fmt::format("{:#x}", free->address);
  return {};
}

std::string_view type_name(int type) {
  constexpr std::string_view names[] = {"KERNEL",     "MEMCPY",       "MEMSET", "HOST", "GRAPH",     "EMPTY",
                                        "WAIT_EVENT", "EVENT_RECORD", "",       "",     "MEM_ALLOC", "MEM_FREE"};
  return names[type];
}

void write_graph(const Graph& graph, unsigned flags, std::string& out) {
  out += fmt::format("subgraph cluster_{} {{\nlabel=\"graph_{}\"\n", graph.id, graph.id);
  const auto name = [&](const GraphNode& node) { return fmt::format("graph_{}_node_{}", graph.id, graph.index(node)); };
  for (const auto& node : graph.nodes) {
    std::string label = fmt::format("{}\\n{}", graph.index(*node), type_name(node_type(*node)));
    const bool is_kernel = std::holds_alternative<KernelLaunch>(node->what);
    if ((flags & ~dot_handles) != 0 || is_kernel)
      if (const std::string text = details(*node); !text.empty()) label += "\\n" + text;
    if ((flags & (dot_handles | dot_verbose)) != 0) label += fmt::format("\\n{}", fmt::ptr(node.get()));
    out += fmt::format("\"{}\" [shape=\"{}\" label=\"{}\"]\n", name(*node), is_kernel ? "octagon" : "rectangle", label);
    if (const auto* const child = std::get_if<ChildNode>(&node->what); child != nullptr)
      write_graph(*child->graph, flags, out);
  }
  for (const auto& node : graph.nodes)
    for (const GraphNode* const before : node->dependencies)
      out += fmt::format("\"{}\" -> \"{}\"\n", name(*before), name(*node));
  out += "}\n";
}

}  // namespace

std::string dot(const Graph& graph, unsigned flags) {
  std::string out = "digraph dot {\n";
  write_graph(graph, flags, out);
  return out + "}\n";
}

}  // namespace warpwalk::simulated
