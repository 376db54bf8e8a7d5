#pragma once

#include <cstddef>
#include <cstdint>

#include "instrumentation/simulated/device/graph.h"
#include "instrumentation/simulated/engine/gpu.h"

/// What the graph functions of the runtime and of the driver have in common. Handles are not checked yet, and pointers
/// may be null. Structures have the layouts of both interfaces, whose names are in the comments.
namespace warpwalk::simulated::graph_calls {

/// cudaKernelNodeParams and CUDA_KERNEL_NODE_PARAMS_v1; later versions of the driver's add a kernel and a context.
struct KernelParameters {
  const void* function;
  std::array<std::uint32_t, 3> grid, block;
  unsigned shared_bytes;
  void** arguments;
  void** extra;
};
static_assert(sizeof(KernelParameters) == 56);

/// cudaMemsetParams and CUDA_MEMSET_NODE_PARAMS
struct FillParameters {
  std::uint64_t address;
  std::size_t pitch;
  unsigned value, value_bytes;
  std::size_t width, height;
};
static_assert(sizeof(FillParameters) == 40);

/// cudaHostNodeParams and CUDA_HOST_NODE_PARAMS
struct HostParameters {
  void (*function)(void*);
  void* data;
};
static_assert(sizeof(HostParameters) == 16);

/// cudaMemAllocNodeParams and CUDA_MEM_ALLOC_NODE_PARAMS
struct AllocationParameters {
  int type, handle_types;
  int location_type, location;  ///< of the pool; 1: a device
  void* security;
  std::size_t largest;
  unsigned short usage;
  unsigned char reserved[54];
  const void* accesses;
  std::size_t access_count;
  std::size_t bytes;
  std::uint64_t address;  ///< the result
};
static_assert(sizeof(AllocationParameters) == 120);

/// cudaChildGraphNodeParams and CUDA_CHILD_GRAPH_NODE_PARAMS
struct ChildParameters {
  Graph* graph;
  int ownership;  ///< 0: the node gets a copy, 1: it gets the graph
};
static_assert(sizeof(ChildParameters) == 16);

/// cudaGraphInstantiateParams and CUDA_GRAPH_INSTANTIATE_PARAMS
struct InstantiateParameters {
  std::uint64_t flags;
  const void* stream;
  GraphNode* node;
  int result;
};
static_assert(sizeof(InstantiateParameters) == 32);

/// cudaGraphExecUpdateResultInfo and CUgraphExecUpdateResultInfo
struct UpdateInfo {
  int result;
  GraphNode* node;
  GraphNode* from;
};
static_assert(sizeof(UpdateInfo) == 24);

using Attribute = std::array<std::uint8_t, 64>;  ///< cudaLaunchAttributeValue, CUlaunchAttributeValue

/// The node to add: its graph and what it depends on.
struct NewNode {
  GraphNode** node;
  Graph* graph;
  GraphNode* const* dependencies;
  std::size_t count;
  const EdgeData* edges = nullptr;
};

// graph_calls.cpp: graphs, their nodes and edges
Error create(Gpu& gpu, Graph** graph, unsigned flags);
Error destroy(Gpu& gpu, Graph* graph);
Error clone(Gpu& gpu, Graph** copy, Graph* graph);
Error find_in_clone(Gpu& gpu, GraphNode** copy, GraphNode* node, Graph* graph);
Error get_type(Gpu& gpu, GraphNode* node, int* type);
/// These and the next ones: `nodes` null: sets the count only; else sets as many elements as fit, and null for the
/// rest.
Error get_nodes(Gpu& gpu, Graph* graph, GraphNode** nodes, std::size_t* count);
Error get_roots(Gpu& gpu, Graph* graph, GraphNode** nodes, std::size_t* count);
Error get_edges(Gpu& gpu, Graph* graph, GraphNode** from, GraphNode** to, EdgeData* edges, std::size_t* count);
Error get_dependencies(Gpu& gpu, GraphNode* node, GraphNode** nodes, EdgeData* edges, std::size_t* count);
Error get_dependents(Gpu& gpu, GraphNode* node, GraphNode** nodes, EdgeData* edges, std::size_t* count);
Error add_dependencies(Gpu& gpu, Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* edges,
                       std::size_t count);
Error remove_dependencies(Gpu& gpu, Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* edges,
                          std::size_t count);
Error destroy_node(Gpu& gpu, GraphNode* node);
Error print_dot(Gpu& gpu, Graph* graph, const char* path, unsigned flags);
Error create_object(Gpu& gpu, UserObject** object, void* pointer, void (*destroy)(void*), unsigned references,
                    unsigned flags);
Error retain_object(Gpu& gpu, UserObject* object, unsigned count);
Error release_object(Gpu& gpu, UserObject* object, unsigned count);
Error retain_in_graph(Gpu& gpu, Graph* graph, UserObject* object, unsigned count, unsigned flags);
Error release_in_graph(Gpu& gpu, Graph* graph, UserObject* object, unsigned count);

// graph_calls_node.cpp: what nodes do
Error add(Gpu& gpu, const NewNode& place, NodeWork what);
Error add_kernel(Gpu& gpu, const NewNode& place, Kernel* kernel, const KernelParameters* parameters);
/// With the program's name of the kernel, or null.
Error get_kernel(Gpu& gpu, GraphNode* node, KernelParameters* parameters);
Error set_kernel(Gpu& gpu, GraphNode* node, Kernel* kernel, const KernelParameters* parameters);
Error set_kernel(Gpu& gpu, GraphExec* exec, GraphNode* node, Kernel* kernel, const KernelParameters* parameters);
Error get_attribute(Gpu& gpu, GraphNode* node, int id, Attribute* value);
Error set_attribute(Gpu& gpu, GraphNode* node, int id, const Attribute* value);
Error copy_attributes(Gpu& gpu, GraphNode* to, GraphNode* from);
/// The copy or memset of a node, for functions that return it; null if the node is of another type.
const Copy* copy_of(Gpu& gpu, GraphNode* node);
Error get_fill(Gpu& gpu, GraphNode* node, FillParameters* parameters);
Error fill_work(Gpu& gpu, const FillParameters* parameters, NodeWork& what);
Error copy_work(Gpu& gpu, const Copy& copy, NodeWork& what);
Error get_host(Gpu& gpu, GraphNode* node, HostParameters* parameters);
Error host_work(const HostParameters* parameters, NodeWork& what);
Error get_event(Gpu& gpu, GraphNode* node, Event** event, bool waits);
Error event_work(Gpu& gpu, Event* event, bool waits, NodeWork& what);
Error get_child(Gpu& gpu, GraphNode* node, Graph** graph);
Error child_work(Gpu& gpu, Graph* graph, NodeWork& what);
Error add_child(Gpu& gpu, const NewNode& place, const ChildParameters& child);
Error add_memory(Gpu& gpu, const NewNode& place, AllocationParameters* parameters);
Error get_memory(Gpu& gpu, GraphNode* node, AllocationParameters* parameters);
Error add_free(Gpu& gpu, const NewNode& place, std::uint64_t address);
Error get_free(Gpu& gpu, GraphNode* node, std::uint64_t* address);
/// Replaces the work of a node in a graph, or of the node of an executable graph that belongs to it.
Error set(Gpu& gpu, GraphNode* node, NodeWork what);
Error set(Gpu& gpu, GraphExec* exec, GraphNode* node, NodeWork what);
/// cudaDeviceGetGraphMemAttribute and its counterparts.
Error get_memory_attribute(int attribute, std::uint64_t* value);
Error set_memory_attribute(int attribute, const std::uint64_t* value);

// graph_calls_exec.cpp: executable graphs and captures
Error instantiate(Gpu& gpu, GraphExec** exec, Graph* graph, std::uint64_t flags);
Error instantiate(Gpu& gpu, GraphExec** exec, Graph* graph, InstantiateParameters* parameters);
Error get_flags(Gpu& gpu, GraphExec* exec, std::uint64_t* flags);
Error update(Gpu& gpu, GraphExec* exec, Graph* graph, UpdateInfo* info);
Error upload(Gpu& gpu, GraphExec* exec, const void* stream);
Error launch(Gpu& gpu, GraphExec* exec, const void* stream);
Error destroy_exec(Gpu& gpu, GraphExec* exec);
Error set_enabled(Gpu& gpu, GraphExec* exec, GraphNode* node, unsigned enabled);
Error get_enabled(Gpu& gpu, GraphExec* exec, GraphNode* node, unsigned* enabled);
Error begin_capture(Gpu& gpu, const void* stream, int mode);
Error begin_capture_to_graph(Gpu& gpu, const void* stream, Graph* graph, GraphNode* const* nodes, const EdgeData* edges,
                             std::size_t count, int mode);
Error end_capture(Gpu& gpu, const void* stream, Graph** graph);
Error get_capture_status(Gpu& gpu, const void* stream, int* status);
/// What a capture's information is stored in; all but `status` may be null.
struct CaptureOutputs {
  int* status;
  std::uint64_t* id;
  Graph** graph;
  GraphNode* const** nodes;
  const EdgeData** edges;
  std::size_t* count;
};
Error get_capture_info(Gpu& gpu, const void* stream, const CaptureOutputs& outputs);
Error update_capture_dependencies(Gpu& gpu, const void* stream, GraphNode* const* nodes, const EdgeData* edges,
                                  std::size_t count, unsigned flags);
Error exchange_capture_mode(int* mode);

}  // namespace warpwalk::simulated::graph_calls
