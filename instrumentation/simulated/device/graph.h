#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

#include "instrumentation/simulated/device/copy.h"
#include "instrumentation/simulated/device/error.h"
#include "instrumentation/simulated/device/launch.h"
#include "instrumentation/simulated/device/stream.h"

namespace warpwalk::simulated {

class Gpu;
class Graphs;
struct Graph;

struct EmptyNode {};
/// A function of the program in a graph.
struct HostNode {
  void (*function)(void*) = nullptr;
  void* data = nullptr;
};
struct EventNode {
  Event* event = nullptr;
  bool waits = false;  ///< else it records the event
};
struct ChildNode {
  std::shared_ptr<Graph> graph;  ///< the node's own copy
};
/// The memory of an allocation node. It keeps its address, and is there as long as a graph or the program has it.
struct GraphMemory {
  Gpu& gpu;
  DeviceMemory::Place place;
  std::uint64_t address = 0, bytes = 0;
  bool freed_by_graph = false;  ///< a graph has a free node for it
  bool launched = false;

  GraphMemory(Gpu& of, DeviceMemory::Place memory);
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
};
struct AllocationNode {
  std::shared_ptr<GraphMemory> memory;
};
struct FreeNode {
  std::uint64_t address = 0;
};

using NodeWork =
    std::variant<EmptyNode, KernelLaunch, Copy, Fill, HostNode, EventNode, ChildNode, AllocationNode, FreeNode>;

/// The ports and the type of an edge: a cudaGraphEdgeData.
struct EdgeData {
  std::uint8_t from_port = 0, to_port = 0;
  std::uint8_t type = 0;  ///< 1: programmatic; the simulated GPU waits for the whole node all the same
  std::array<std::uint8_t, 5> reserved{};
  bool operator==(const EdgeData&) const = default;
};

/// cudaGraphNode_t and CUgraphNode are pointers to it.
struct GraphNode {
  Graph* graph = nullptr;
  std::uint64_t id = 0;  ///< unique in the process
  std::vector<GraphNode*> dependencies, dependents;
  std::vector<EdgeData> edges;  ///< of the dependencies, in their order
  NodeWork what;
  bool enabled = true;
  // Of kernel nodes.
  const void* function = nullptr;                          ///< as the program named the kernel; null: it was captured
  std::vector<void*> pointers;                             ///< to the arguments, for calls that return them
  std::map<int, std::array<std::uint8_t, 64>> attributes;  ///< cudaLaunchAttributeValue by cudaLaunchAttributeID
};

/// The value of cudaGraphNodeType and CUgraphNodeType.
int node_type(const GraphNode& node);
/// Pointers to the arguments of a kernel node, one per parameter. They stay valid until the node's work changes.
void** argument_pointers(GraphNode& node);

/// An object of the program that graphs keep alive. cudaUserObject_t and CUuserObject are pointers to it.
struct UserObject {
  void* pointer = nullptr;
  void (*destroy)(void*) = nullptr;
  unsigned references = 0;
};

/// cudaGraph_t and CUgraph are pointers to it.
struct Graph {
  explicit Graph(Graphs& of);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// Adds a node without dependencies.
  GraphNode& add(NodeWork what);
  /// The position of a node among `nodes`.
  std::size_t index(const GraphNode& node) const;

  Graphs& registry;
  std::uint32_t id = 0;                                     ///< unique in the process
  std::vector<std::unique_ptr<GraphNode>> nodes;            ///< in the order of creation
  std::unordered_map<const GraphNode*, GraphNode*> copies;  ///< of a copy: its nodes by those of the original
  std::map<UserObject*, unsigned> objects;                  ///< with the number of references
  std::vector<GraphNode*> order;  ///< of an executable graph: each node after those that it depends on
};

/// cudaGraphExec_t and CUgraphExec are pointers to it.
struct GraphExec {
  std::unique_ptr<Graph> graph;  ///< a copy; its nodes are found by those of the original
  std::uint64_t flags = 0;
  WorkPtr last;  ///< of its last launch: launches of one executable graph never overlap
};

/// Why a graph cannot be instantiated: cudaGraphInstantiateResult.
struct InstantiateResult {
  int result = 0;  ///< 0 success, 1 error, 2 invalid structure, 3 unsupported node
  GraphNode* node = nullptr;
};

/// Why an executable graph cannot be updated: cudaGraphExecUpdateResultInfo.
struct UpdateResult {
  enum Kind : int { success, error, topology, type, function, parameters, unsupported, function_change, attributes };
  Kind kind = success;
  GraphNode* node = nullptr;  ///< of the new graph
  GraphNode* from = nullptr;  ///< the node that it depends on, of an edge that differs
};

/// The capture of streams into a graph.
struct Capture {
  enum class Mode : int { global = 0, thread_local_mode = 1, relaxed = 2 };
  Graphs* registry = nullptr;
  std::uint64_t id = 0;
  Mode mode = Mode::global;
  Stream* origin = nullptr;
  std::thread::id thread;  ///< that began it
  Graph* graph = nullptr;
  bool to_existing_graph = false;
  bool invalid = false;
  bool ended = false;
  /// The nodes that the next one of a stream depends on.
  struct End {
    std::vector<GraphNode*> nodes;
    std::vector<EdgeData> edges;
  };
  std::unordered_map<Stream*, End> ends;
  std::vector<GraphNode*> left;  ///< the last nodes of streams that were destroyed
};

/// What cudaStreamGetCaptureInfo returns.
struct CaptureInfo {
  int status = 0;  ///< 0 none, 1 active, 2 invalidated
  std::uint64_t id = 0;
  Graph* graph = nullptr;
  const Capture::End* end = nullptr;
};

/// Graphs, executable graphs and captures of the process. Thread-safe, but for two threads that change the same graph.
class Graphs {
 public:
  Graph* create();
  /// Null if there is no such graph, node, executable graph or object.
  Graph* find(const void* handle) const;
  GraphNode* find_node(const void* handle) const;
  GraphExec* find_exec(const void* handle) const;
  UserObject* find_object(const void* handle) const;
  /// The memory of an allocation node; null if none of them has the address.
  std::shared_ptr<GraphMemory> memory_at(std::uint64_t address) const;
  Error destroy(Graph* graph);
  Error destroy(GraphNode* node);
  Error destroy(GraphExec* exec);
  /// Graphs and executable graphs that the program has not destroyed.
  std::size_t count() const;

  /// Adds a node. `edges` is empty or has as many elements as `dependencies`.
  Error add(Graph& graph, std::span<GraphNode* const> dependencies, std::span<const EdgeData> edges, NodeWork what,
            GraphNode*& node);
  Error connect(Graph& graph, std::span<GraphNode* const> from, std::span<GraphNode* const> to,
                std::span<const EdgeData> edges);
  Error disconnect(Graph& graph, std::span<GraphNode* const> from, std::span<GraphNode* const> to);
  /// A copy that belongs to the program.
  Error clone(const Graph& graph, Graph*& copy);
  /// A copy for a child node.
  Error child(const Graph& graph, NodeWork& what);

  /// Makes an executable copy. Kernels, copies and memsets must have been checked when they were added.
  Error instantiate(const Graph& graph, std::uint64_t flags, GraphExec*& exec, InstantiateResult& result);
  /// Takes over the parameters of a graph of the same shape.
  Error update(GraphExec& exec, const Graph& graph, UpdateResult& result);
  /// The node of an executable graph that belongs to a node of the graph from which it was made; null if there is none.
  static GraphNode* in_exec(const GraphExec& exec, const GraphNode& node);
  /// Replaces what a node does by work of the same type. `node`: of a graph or of an executable one.
  static Error set(GraphNode& node, NodeWork what);

  Error create_object(const UserObject& made, UserObject*& object);
  Error retain(UserObject& object, unsigned count);
  Error release(UserObject& object, unsigned count);
  /// `moves`: the graph takes over references of the caller.
  Error retain(Graph& graph, UserObject& object, unsigned count, bool moves);
  Error release(Graph& graph, UserObject& object, unsigned count);

  Error begin_capture(Stream& stream, Capture::Mode mode);
  Error begin_capture(Stream& stream, Graph& graph, std::span<GraphNode* const> dependencies,
                      std::span<const EdgeData> edges, Capture::Mode mode);
  /// Ends a capture. After an error, the graph is null.
  Error end_capture(Stream& stream, Graph*& graph);
  Error capture_info(Stream& stream, CaptureInfo& info);
  /// Replaces the nodes that the stream's next one depends on, or adds to them.
  Error set_capture_dependencies(Stream& stream, std::span<GraphNode* const> nodes, std::span<const EdgeData> edges,
                                 bool replaces);
  /// Sets the calling thread's mode, and returns the previous one.
  static Capture::Mode exchange_mode(Capture::Mode mode);
  /// For calls that are unsafe during captures, such as cudaMalloc: returns stream_capture_unsupported and invalidates
  /// the captures that forbid them to this thread.
  Error check_unsafe();
  /// For work in the legacy default stream, which would wait for streams that are being captured:
  /// stream_capture_implicit.
  Error check_implicit(const Stream& stream);

 private:
  friend struct Graph;
  friend Error add_captured(Stream& stream, NodeWork what);
  friend Error captured_wait(Stream& stream, const Event& event);
  friend Error captured_record(Event& event, Stream& stream);
  friend void leave_capture(Stream& stream);
  Error begin(Stream& stream, std::shared_ptr<Capture> capture, Capture::End end);
  std::vector<std::shared_ptr<Capture>> active_captures();
  /// One that has a blocking stream, for which the legacy default stream would wait; null: none.
  std::shared_ptr<Capture> blocking_capture();

  mutable std::mutex mutex_;  ///< for the sets of handles
  std::map<const void*, std::unique_ptr<Graph>> owned_;
  std::set<const void*> graphs_, nodes_;  ///< all, with those of children and executable graphs
  std::map<const void*, std::unique_ptr<GraphExec>> execs_;
  std::map<const void*, std::unique_ptr<UserObject>> objects_;
  std::map<std::uint64_t, std::weak_ptr<GraphMemory>> memory_;  ///< by address
  std::uint32_t last_graph_ = 0;

  std::mutex capture_mutex_;  ///< for captures; taken before the other one
  std::vector<std::weak_ptr<Capture>> captures_;
  std::uint64_t last_capture_ = 0;
};

/// Copies nodes, edges and references of a graph into an empty one.
void copy_graph(const Graph& from, Graph& to);
/// Sorts the nodes of a graph and of its children into Graph::order. Returns false if they depend on each other in a
/// circle.
bool sort_nodes(Graph& graph);
/// True if the graph or a child has a node of this type.
bool has_node(const Graph& graph, int type);
/// The graph in the DOT language. `flags`: cudaGraphDebugDotFlags.
std::string dot(const Graph& graph, unsigned flags);

/// Adds a node to the capture of a stream, in the place of work that it would have submitted.
Error add_captured(Stream& stream, NodeWork what);
Error captured_record(Event& event, Stream& stream);
/// Waits for an event in a stream that is being captured, or for a captured event: the stream joins its capture.
Error captured_wait(Stream& stream, const Event& event);
/// For a stream that is about to be destroyed: invalidates its capture.
void leave_capture(Stream& stream);
/// For a query of an event or a wait for it: if the event stands for nodes of a capture, returns captured_event and
/// invalidates the capture.
Error check_captured(const Event& event);
/// Refuses to wait for a stream that is being captured, which also ends the capture.
Error check_not_captured(Stream& stream);

// With the GPU.

/// Adds a node that allocates memory, whose address is known at once.
Error add_allocation(Gpu& gpu, Graph& graph, std::span<GraphNode* const> dependencies, std::span<const EdgeData> edges,
                     std::uint64_t bytes, GraphNode*& node);
/// Checks the address that a free node gets: an allocation node must have allocated it, and the graph must not free it
/// twice.
Error check_free(const Graph& graph, std::uint64_t address);
/// cudaMallocAsync in a stream that is being captured.
Error add_captured_allocation(Gpu& gpu, Stream& stream, std::uint64_t bytes, std::uint64_t& address);
/// cudaFreeAsync in such a stream.
Error add_captured_free(Stream& stream, std::uint64_t address);
/// Submits the work of an executable graph. In a stream that is being captured, invalidates the capture.
Error launch_graph(Gpu& gpu, GraphExec& exec, Stream& stream);
/// Bytes that allocation nodes have, now and at most.
std::uint64_t graph_memory_bytes(bool most);
void reset_graph_memory_peak();
/// Gives the memory back that no graph uses (cudaDeviceGraphMemTrim).
void trim_graph_memory(Gpu& gpu);

}  // namespace warpwalk::simulated
