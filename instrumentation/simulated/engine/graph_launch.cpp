// Launches of executable graphs, and their memory.

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "instrumentation/simulated/device/graph.h"
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {
namespace {

std::atomic<std::uint64_t>& memory_now() {
  static std::atomic<std::uint64_t> bytes = 0;
  return bytes;
}

std::atomic<std::uint64_t>& memory_peak() {
  static std::atomic<std::uint64_t> bytes = 0;
  return bytes;
}

/// Bytes that CUDA keeps for the memory of graphs: from the first launch that needs them until they are trimmed, in
/// steps of 32 MiB. Only recordings show them.
class GraphReserve {
 public:
  void grow(Gpu& gpu) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t needed = (memory_now() + step - 1) / step * step;
    if (needed > bytes_) record(gpu, needed - bytes_, false);
    bytes_ = std::max(bytes_, needed);
  }
  void trim(Gpu& gpu) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t needed = (memory_now() + step - 1) / step * step;
    if (needed < bytes_) record(gpu, bytes_ - needed, true);
    bytes_ = std::min(bytes_, needed);
  }

 private:
  static constexpr std::uint64_t step = std::uint64_t{32} << 20;
  static void record(Gpu& gpu, std::uint64_t bytes, bool freed) {
    if (!gpu.recorder.on()) return;
    Allocation reserved;
    reserved.bytes = bytes;
    gpu.record_memory(reserved, freed);
  }
  std::mutex mutex_;
  std::uint64_t bytes_ = 0;
};

GraphReserve& graph_reserve() {
  static GraphReserve reserve;
  return reserve;
}

bool copies_nothing(const Copy& copy) { return copy.extent[0] == 0 || copy.extent[1] == 0 || copy.extent[2] == 0; }
bool fills_nothing(const Fill& fill) { return fill.width == 0 || fill.height == 0; }

/// Before a launch: the memory of its allocation nodes is there, and the addresses of copies and memsets are valid.
Error check_nodes(Gpu& gpu, const Graph& graph) {
  for (const GraphNode* const node : graph.order) {
    Error error = Error::success;
    if (const auto* const allocation = std::get_if<AllocationNode>(&node->what); allocation != nullptr) {
      GraphMemory& memory = *allocation->memory;
      if (gpu.memory.find(memory.address) == nullptr) error = gpu.memory.restore(memory.place);
      memory.launched = true;
      memory.place->owned = memory.freed_by_graph;
    } else if (const auto* const copy = std::get_if<Copy>(&node->what); copy != nullptr) {
      error = gpu.check(*copy);
    } else if (const auto* const fill = std::get_if<Fill>(&node->what); fill != nullptr) {
      error = gpu.check(*fill);
    } else if (const auto* const event = std::get_if<EventNode>(&node->what); event != nullptr) {
      if (gpu.streams.find_event(event->event) == nullptr) error = Error::invalid_resource_handle;
    } else if (const auto* const child = std::get_if<ChildNode>(&node->what); child != nullptr) {
      error = check_nodes(gpu, *child->graph);
    }
    if (error != Error::success) return error;
  }
  return Error::success;
}

/// The work of one launch.
class GraphSubmission {
 public:
  GraphSubmission(Gpu& gpu, const Stream& stream, std::uint32_t graph) : gpu_(gpu), stream_(stream), graph_(graph) {}

  /// Submits the nodes of a graph after `before`, and returns the work after which all of it is done.
  std::vector<WorkPtr> submit(const Graph& graph, const std::vector<WorkPtr>& before) {
    std::unordered_map<const GraphNode*, WorkPtr> works;
    std::vector<WorkPtr> ends;
    for (GraphNode* const node : graph.order) {
      std::vector<WorkPtr> after;
      for (const GraphNode* const dependency : node->dependencies) after.push_back(works[dependency]);
      if (after.empty()) after = before;
      const auto* const child = std::get_if<ChildNode>(&node->what);
      if (child != nullptr && node->enabled) after = submit(*child->graph, after);
      const WorkPtr work = work_of(*node);
      work->after.insert(work->after.end(), after.begin(), after.end());
      works[node] = work;
      if (node->dependents.empty()) ends.push_back(work);
      // Branches of a graph are like streams of their own.
      constexpr std::uint32_t first_branch = std::uint32_t{1} << 31;
      work->stream = first_branch + count_++;
      gpu_.queue.submit(work);
    }
    return ends.empty() ? before : ends;
  }

 private:
  WorkPtr marker() {
    auto work = std::make_shared<Work>();
    work->submitted = gpu_.clock.now();
    return work;
  }

  WorkPtr work_of(GraphNode& node) {
    const GraphPlace place{graph_, node.id};
    if (!node.enabled) return marker();
    if (const auto* const launch = std::get_if<KernelLaunch>(&node.what); launch != nullptr)
      return gpu_.work_of(*launch, stream_, place);
    if (const auto* const copy = std::get_if<Copy>(&node.what); copy != nullptr)
      return copies_nothing(*copy) ? marker() : gpu_.work_of(*copy, stream_, place);
    if (const auto* const fill = std::get_if<Fill>(&node.what); fill != nullptr)
      return fills_nothing(*fill) ? marker() : gpu_.work_of(*fill, stream_, place);
    if (const auto* const host = std::get_if<HostNode>(&node.what); host != nullptr)
      return gpu_.work_of([host = *host] { host.function(host.data); });
    const WorkPtr work = marker();
    if (const auto* const event = std::get_if<EventNode>(&node.what); event != nullptr) {
      if (event->waits)
        work->after.push_back(event->event->work);
      else
        record(*event->event, work);
    }
    return work;
  }

  void record(Event& event, const WorkPtr& work) const {
    event.capture.reset();
    event.captured.clear();
    event.recorded = true;
    event.work = work;
    event.stream = stream_.id;
  }

  Gpu& gpu_;
  const Stream& stream_;
  std::uint32_t graph_;
  std::uint32_t count_ = 0;
};

}  // namespace

GraphMemory::GraphMemory(Gpu& of, DeviceMemory::Place memory)
    : gpu(of), place(std::move(memory)), address(place->address), bytes(place->bytes) {
  const std::uint64_t now = memory_now() += bytes;
  if (now > memory_peak()) memory_peak() = now;
}

GraphMemory::~GraphMemory() {
  memory_now() -= bytes;
  // Memory that no graph frees is the program's.
  if ((freed_by_graph || !launched) && gpu.memory.find(address) == place) gpu.memory.free(address);
}

std::uint64_t graph_memory_bytes(bool most) { return most ? memory_peak() : memory_now(); }
void reset_graph_memory_peak() { memory_peak() = memory_now().load(); }
void trim_graph_memory(Gpu& gpu) { graph_reserve().trim(gpu); }

Error add_allocation(Gpu& gpu, Graph& graph, std::span<GraphNode* const> dependencies, std::span<const EdgeData> edges,
                     std::uint64_t bytes, GraphNode*& node) {
  if (bytes == 0) return Error::invalid_value;
  auto place = gpu.memory.allocate(MemoryKind::device, bytes, "cudaGraphAddMemAllocNode", true);
  if (place == nullptr) return Error::out_of_memory;
  place->owned = true;
  AllocationNode allocation{std::make_shared<GraphMemory>(gpu, std::move(place))};
  return gpu.graphs.add(graph, dependencies, edges, std::move(allocation), node);
}

Error check_free(const Graph& graph, std::uint64_t address) {
  const std::shared_ptr<GraphMemory> memory = graph.registry.memory_at(address);
  if (memory == nullptr) return Error::invalid_value;
  const bool freed_before = std::ranges::any_of(graph.nodes, [address](const auto& node) {
    const auto* const free = std::get_if<FreeNode>(&node->what);
    return free != nullptr && free->address == address;
  });
  if (freed_before) return Error::invalid_value;
  memory->freed_by_graph = true;
  return Error::success;
}

Error add_captured_allocation(Gpu& gpu, Stream& stream, std::uint64_t bytes, std::uint64_t& address) {
  if (bytes == 0) return Error::invalid_value;
  auto place = gpu.memory.allocate(MemoryKind::device, bytes, "cudaMallocAsync", true);
  if (place == nullptr) return Error::out_of_memory;
  place->owned = true;
  address = place->address;
  return add_captured(stream, AllocationNode{std::make_shared<GraphMemory>(gpu, std::move(place))});
}

Error add_captured_free(Stream& stream, std::uint64_t address) {
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture->invalid) return Error::stream_capture_invalidated;
  if (const Error error = check_free(*capture->graph, address); error != Error::success) return error;
  return add_captured(stream, FreeNode{address});
}

Error launch_graph(Gpu& gpu, GraphExec& exec, Stream& stream) {
  if (stream.capture != nullptr) {
    // As a GPU's driver does it: a launch of a graph is not captured.
    stream.capture->invalid = true;
    return Error::stream_capture_unsupported;
  }
  if (const Error error = gpu.graphs.check_implicit(stream); error != Error::success) return error;
  if (const Error error = check_nodes(gpu, *exec.graph); error != Error::success) return error;
  if (memory_now() > 0) graph_reserve().grow(gpu);
  const auto marker = [&](std::vector<WorkPtr> after) {
    auto work = std::make_shared<Work>();
    work->submitted = gpu.clock.now();
    work->after = std::move(after);
    return work;
  };
  const WorkPtr first = marker({exec.last});
  gpu.streams.submit(stream, first);
  const WorkPtr last = marker(GraphSubmission(gpu, stream, exec.graph->id).submit(*exec.graph, {first}));
  gpu.streams.submit(stream, last);
  exec.last = last;
  if (gpu.options.sanitize) gpu.queue.settle(last);
  return gpu.queue.error();
}

}  // namespace warpwalk::simulated
