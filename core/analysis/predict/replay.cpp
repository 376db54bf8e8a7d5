// The times that follow from the dependences.
#include <algorithm>
#include <queue>

#include "core/analysis/predict/work_graph.h"

namespace warpwalk::analysis {
namespace {

// Dependences that make a circle do not hold.
void drop_open(WorkGraph& graph, NodeId n, const std::vector<bool>& done) {
  for (std::uint32_t d = graph.nodes[n].first; d < graph.nodes[n].last; ++d)
    if (!done[graph.dependences[d].on]) graph.dependences[d].on = no_node;
}

double median_step(std::vector<double> steps, std::size_t leave_out) {
  steps.erase(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(std::min(leave_out, steps.size())));
  if (steps.empty()) return 0;
  std::ranges::sort(steps);
  return (steps[(steps.size() - 1) / 2] + steps[steps.size() / 2]) / 2;
}

// `start`, `end`: the times of a node.
template <class Start, class End>
double time_of_step(const WorkGraph& graph, Start start, End end) {
  std::vector<double> on_cpu, on_gpu;
  double before = 0;
  bool any = false;
  for (const NodeRange& step : graph.steps) {
    on_cpu.push_back(start(step.last) - start(step.first));
    if (step.last_work.empty()) continue;
    double last = -std::numeric_limits<double>::max();
    for (const NodeId n : step.last_work) last = std::max(last, end(n));
    if (any) on_gpu.push_back(last - before);
    if (graph.steps.size() == 1) on_cpu.back() = std::max(on_cpu.back(), last - start(step.first));
    before = last;
    any = true;
  }
  const std::size_t leave_out = on_cpu.size() >= 5 ? 2 : 0;
  const std::size_t periods = on_cpu.size() - std::min(on_cpu.size(), on_gpu.size());
  return std::max(median_step(on_cpu, leave_out), median_step(on_gpu, leave_out - std::min(leave_out, periods)));
}

}  // namespace

void sort_nodes(WorkGraph& graph) {
  graph.order.clear();
  const std::size_t count = graph.nodes.size();
  std::vector<std::uint32_t> open(count, 0), begin(count + 1, 0);
  std::vector<NodeId> after;
  const auto each_edge = [&](auto use) {
    for (NodeId n = 0; n < count; ++n) {
      if (n > graph.resources[graph.nodes[n].resource].first) use(n - 1, n);
      for (std::uint32_t d = graph.nodes[n].first; d < graph.nodes[n].last; ++d)
        if (graph.dependences[d].on != no_node) use(graph.dependences[d].on, n);
    }
  };
  each_edge([&](NodeId on, NodeId) { ++begin[on + 1]; });
  for (std::size_t n = 0; n < count; ++n) begin[n + 1] += begin[n];
  after.resize(begin[count]);
  std::vector<std::uint32_t> filled(begin.begin(), begin.end() - 1);
  each_edge([&](NodeId on, NodeId n) {
    after[filled[on]++] = n;
    ++open[n];
  });
  std::queue<NodeId> ready;
  std::vector<bool> done(count, false);
  for (NodeId n = 0; n < count; ++n)
    if (open[n] == 0) ready.push(n);
  std::vector<NodeId> by_time;  // only for traces whose clocks contradict each other
  std::size_t next = 0;
  while (graph.order.size() < count) {
    if (ready.empty()) {
      if (by_time.empty()) {
        for (NodeId n = 0; n < count; ++n) by_time.push_back(n);
        std::ranges::stable_sort(by_time, {}, [&](NodeId n) { return graph.nodes[n].from; });
      }
      while (done[by_time[next]]) ++next;
      drop_open(graph, by_time[next], done);
      ready.push(by_time[next]);
      open[by_time[next]] = 0;
    }
    const NodeId n = ready.front();
    ready.pop();
    if (done[n]) continue;
    done[n] = true;
    graph.order.push_back(n);
    for (std::uint32_t i = begin[n]; i < begin[n + 1]; ++i)
      if (open[after[i]] > 0 && --open[after[i]] == 0) ready.push(after[i]);
  }
}

NodeTimes replay(const WorkGraph& graph) {
  NodeTimes times;
  times.start.assign(graph.nodes.size(), 0);
  times.end.assign(graph.nodes.size(), 0);
  double begin = std::numeric_limits<double>::max();
  for (const auto& [first, end] : graph.resources)
    if (first < end && !graph.nodes[first].gpu) begin = std::min(begin, static_cast<double>(graph.nodes[first].from));
  if (begin == std::numeric_limits<double>::max())
    for (const WorkNode& node : graph.nodes) begin = std::min(begin, static_cast<double>(node.from));
  for (const NodeId n : graph.order) {
    const WorkNode& node = graph.nodes[n];
    const bool is_first = n == graph.resources[node.resource].first;
    double start = is_first ? begin + node.gap : times.end[n - 1] + node.gap;
    for (std::uint32_t d = node.first; d < node.last; ++d) {
      const Dependence& one = graph.dependences[d];
      if (one.on == no_node) continue;
      start = std::max(start, (one.from_start ? times.start : times.end)[one.on] + one.lag);
    }
    // A thread waits from the end of what it did before.
    times.start[n] = node.waits && !is_first ? std::min(start, times.end[n - 1]) : start;
    times.end[n] = start + node.duration;
  }
  return times;
}

double step_time(const WorkGraph& graph, const NodeTimes& times) {
  return time_of_step(
      graph, [&](NodeId n) { return times.start[n]; }, [&](NodeId n) { return times.end[n]; });
}

double recorded_step_time(const WorkGraph& graph) {
  return time_of_step(
      graph, [&](NodeId n) { return static_cast<double>(graph.nodes[n].from); },
      [&](NodeId n) { return static_cast<double>(graph.nodes[n].to); });
}

}  // namespace warpwalk::analysis
