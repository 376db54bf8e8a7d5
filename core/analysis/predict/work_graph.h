#pragma once

// This folder predicts a trace with changes: the dependences of its work, the changes, and the times that follow.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/analysis/kernels/tensor_cores.h"
#include "core/analysis/time/path_index.h"
#include "core/analysis/time/training_steps.h"

namespace warpwalk::analysis {

using NodeId = std::uint32_t;
constexpr NodeId no_node = std::numeric_limits<NodeId>::max();

/// What part of a training step a stretch of the CPU belongs to.
enum class Phase : std::uint8_t {
  outside,    ///< between steps
  other,      ///< in a step, in none of the parts below: data, reading of results
  forward,    ///< from the first kernel that a step launches outside of an optimizer to its backward pass
  backward,   ///< by the autograd threads
  optimizer,  ///< in a range Optimizer.step#...
};

/// Something that takes time: a stretch of a thread on the CPU, or a piece of GPU work. It begins when all of these
/// hold: `gap` ns have passed since the node before it on its thread or stream; and `lag` ns since each of the nodes
/// that it depends on. Times that result from waiting are not part of `duration`.
struct WorkNode {
  std::int64_t from = 0, to = 0;  ///< as recorded
  double duration = 0;            ///< ns that it takes itself
  double gap = 0;
  double work = 1;                 ///< its FLOPs and bytes, relative to those recorded
  double width = 1;                ///< the bytes of an element, relative to those recorded
  MathUnit unit = MathUnit::none;  ///< that a change lets it compute on; none: as recorded
  SliceId slice = no_slice;        ///< the outermost call or op; of the GPU, the work
  SliceId launch = no_slice;
  NodeId launcher = no_node;   ///< of the GPU: the call that launches it
  std::uint32_t resource = 0;  ///< threads, then streams
  std::uint32_t first = 0;     ///< its dependences: from here to `first` of the next node
  std::uint32_t last = 0;
  Phase phase = Phase::outside;
  bool gpu = false;
  bool call = false;       ///< a call of CUDA, not counting what it waits for
  bool waits = false;      ///< takes no time of its own: its dependences are what the call or the thread waits for
  bool handed = false;     ///< a wait for another thread
  bool reader = false;     ///< in an op that reads a result from the GPU, such as aten::item
  bool throttled = false;  ///< a launch that waited while the queue of the GPU was full
  bool removed = false;    ///< by a change: it takes no time
};

struct Dependence {
  NodeId on = no_node;
  bool from_start = false;  ///< of the node that it depends on; else from its end
  double lag = 0;           ///< ns; can be negative
};

/// A step as nodes of one thread.
struct NodeRange {
  NodeId first = no_node, last = no_node;  ///< the last one is not part of it
  std::int64_t from = 0, to = 0;           ///< as recorded
  std::vector<NodeId> last_work = {};      ///< on each stream, the last GPU work that it launches
};

/// Typical times of a trace.
struct TypicalTimes {
  double launch_lag = 5'000;   ///< from the start of a launch to the start of its kernel, on an idle stream
  double queue_gap = 1'000;    ///< between two kernels that were launched in time
  double launch_call = 4'000;  ///< of the CPU in a launch
  double short_wait = 2'000;   ///< of a call that has nothing to wait for
};

/// The dependences of a trace's work. Waiting is derived from them, so that other durations give other times.
///
/// - A thread does one thing after the other. Its stretches end at calls, at ops outside of others, and where it waits
///   for another thread.
/// - GPU work waits for the work before on its stream, for its launch, and for what its stream waits for.
/// - A call that waits for the GPU ends after the work that it waits for, with the recorded remainder; so does a copy
///   of pageable memory.
/// - A thread that does nothing while another one works waits for it: autograd's thread for the forward pass, the main
///   thread for the backward pass.
/// - A launch waits while as many pieces of work are in the queue of the GPU as it holds.
struct WorkGraph {
  std::vector<WorkNode> nodes;  ///< by resource, then time
  std::vector<Dependence> dependences;
  std::vector<NodeId> order;                         ///< each after those that it depends on
  std::vector<std::pair<NodeId, NodeId>> resources;  ///< their nodes: first, end
  std::vector<trace::TrackId> tracks;                ///< of each resource
  std::size_t threads = 0;                           ///< resources before this one are threads
  std::size_t main_thread = 0;
  std::vector<NodeRange> steps;  ///< of the main thread; without steps in the trace, the whole of it
  std::string step_name;         ///< empty: the whole trace
  TypicalTimes typical;

  bool empty() const { return nodes.empty(); }
  /// The node of GPU work or of an outermost call; no_node if it has none.
  NodeId node_of(SliceId slice) const;
  std::vector<std::pair<SliceId, NodeId>> by_slice;  ///< sorted
};

/// The graph of a trace. Threads that neither launch work nor have ops are left out.
WorkGraph work_graph(const Trace& trace);

/// Finds WorkNode::phase and WorkNode::reader. `asks_gpu`: of each thread, whether it launches work or waits for the
/// GPU.
void find_phases(const Trace& trace, const std::vector<bool>& asks_gpu, WorkGraph& graph);

/// Finds WorkGraph::order anew, after dependences were changed.
void sort_nodes(WorkGraph& graph);

/// Start and end of each node, ns since the trace's base.
struct NodeTimes {
  std::vector<double> start, end;

  double of(const NodeRange& step) const { return start[step.last] - start[step.first]; }
};
/// The times with the durations that the graph now has.
NodeTimes replay(const WorkGraph& graph);

/// The time of a step, ns: the median duration of its range on the CPU or, if it is longer, the median time from the
/// end of one step's last GPU work to that of the next. A CPU that runs ahead of the GPU ends its ranges early,
/// although the program takes as long as the GPU. The first two of five or more steps are left out: programs start
/// slowly.
double step_time(const WorkGraph& graph, const NodeTimes& times);
/// The same of the times as recorded.
double recorded_step_time(const WorkGraph& graph);

}  // namespace warpwalk::analysis
