// What part of a training step each node belongs to.
#include <algorithm>
#include <limits>

#include "core/analysis/predict/apply.h"
#include "core/analysis/slices.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceKind;

class PhaseFinder {
 public:
  PhaseFinder(const Trace& trace, const std::vector<bool>& asks_gpu, WorkGraph& graph)
      : trace_(trace), rows_(trace.slices), asks_gpu_(asks_gpu), graph_(graph) {}

  void find() {
    find_optimizers();
    constexpr auto never = std::numeric_limits<std::int64_t>::max();
    backward_.assign(graph_.steps.size(), never);
    first_ = backward_;
    last_.assign(graph_.steps.size(), std::numeric_limits<std::int64_t>::min());
    for (std::size_t thread = 0; thread < graph_.threads; ++thread) find_backward(thread);
    find_forward();
    for (std::size_t thread = 0; thread < graph_.threads; ++thread) find_readers(thread);
    for (WorkNode& node : graph_.nodes)
      if (node.gpu && node.launcher != no_node) {
        node.phase = graph_.nodes[node.launcher].phase;
        node.reader = graph_.nodes[node.launcher].reader;
      }
  }

 private:
  void find_optimizers() {
    for (SliceId s = 0; s < rows_.size(); ++s)
      if (rows_.kind[s] == SliceKind::annotation && trace_.name(s).starts_with("Optimizer.step#"))
        optimizers_.push_back({rows_.start[s], rows_.end(s)});
    optimizers_ = united_intervals(std::move(optimizers_));
  }

  // The number of the step at a time; the number of steps outside of them.
  std::size_t step_at(std::int64_t time) const {
    const auto after = std::ranges::upper_bound(graph_.steps, time, {}, &NodeRange::from);
    if (after == graph_.steps.begin() || std::prev(after)->to <= time) return graph_.steps.size();
    return static_cast<std::size_t>(after - graph_.steps.begin()) - 1;
  }

  void find_backward(std::size_t thread) {
    const bool is_main = thread == graph_.main_thread;
    for (NodeId n = graph_.resources[thread].first; n < graph_.resources[thread].second; ++n) {
      WorkNode& node = graph_.nodes[n];
      const std::size_t step = step_at(node.from);
      if (step == graph_.steps.size()) continue;
      node.phase = covered_by(optimizers_, node.from, node.from + 1) > 0 ? Phase::optimizer : Phase::other;
      const SliceId top = outermost_op(trace_, node.slice);
      const bool engine = top != no_slice && trace_.name(top).starts_with("autograd::engine::");
      if (engine || (!is_main && !node.handed && node.slice != no_slice && asks_gpu_[thread])) {
        node.phase = Phase::backward;
        backward_[step] = std::min(backward_[step], node.from);
      } else if (is_main && node.call && node.phase == Phase::other && launches_kernel(trace_, node.slice)) {
        first_[step] = std::min(first_[step], top == no_slice ? node.from : rows_.start[top]);
        last_[step] = std::max(last_[step], top == no_slice ? node.to : rows_.end(top));
      }
    }
  }

  // What the main thread does from a step's first kernel to its backward pass; without one, to its last kernel.
  void find_forward() {
    for (WorkNode& node : graph_.nodes) {
      if (node.gpu || node.resource != graph_.main_thread || node.phase != Phase::other) continue;
      const std::size_t step = step_at(node.from);
      const bool has_backward = backward_[step] != std::numeric_limits<std::int64_t>::max();
      if (node.handed && node.to >= backward_[step])
        node.phase = Phase::backward;
      else if (node.from >= first_[step] && node.from < (has_backward ? backward_[step] : last_[step]))
        node.phase = Phase::forward;
    }
  }

  // Ops that wait for the GPU and launch nothing but copies to the CPU.
  void find_readers(std::size_t thread) {
    const NodeId end = graph_.resources[thread].second;
    NodeId next = 0;
    for (NodeId begin = graph_.resources[thread].first; begin < end; begin = next) {
      next = begin + 1;
      const SliceId op = outermost_op(trace_, graph_.nodes[begin].slice);
      if (op == no_slice) continue;
      bool waits = false, other = false;
      for (next = begin; next < end && graph_.nodes[next].from < rows_.end(op); ++next) {
        const WorkNode& node = graph_.nodes[next];
        waits = waits || node.waits;
        other = other || (node.call && launches_other(node.slice));
      }
      next = std::max(next, begin + 1);
      for (NodeId n = begin; n < next; ++n) graph_.nodes[n].reader = waits && !other;
    }
  }

  // Whether the call launches something else than copies to the CPU.
  bool launches_other(SliceId call) const {
    for (std::size_t i = trace::first_launched(trace_, call);
         i < trace_.launched.size() && trace_.launched[i].first == call; ++i) {
      const SliceId work = trace_.launched[i].second;
      if (rows_.kind[work] == SliceKind::kernel || trace_.name(work).find("HtoD") != std::string_view::npos)
        return true;
    }
    return false;
  }

  const Trace& trace_;
  const trace::Slices& rows_;
  const std::vector<bool>& asks_gpu_;
  WorkGraph& graph_;
  std::vector<Interval> optimizers_;
  std::vector<std::int64_t> backward_, first_, last_;  // by step: its start; first and last kernel of the main thread
};

}  // namespace

void find_phases(const Trace& trace, const std::vector<bool>& asks_gpu, WorkGraph& graph) {
  PhaseFinder(trace, asks_gpu, graph).find();
}

}  // namespace warpwalk::analysis
