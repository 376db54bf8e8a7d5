// Changes of what the CPU does: waits, copies, launches.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/predict/apply.h"
#include "core/analysis/slices.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

// A wait for the GPU that can be dropped: a call in no op, or an op that reads a result.
struct SyncSite {
  std::vector<NodeId> nodes;
  SliceId slice = no_slice;  // the op, else the call
  bool in_step = false;
};

std::vector<SyncSite> sync_sites(const Trace& trace, const WorkGraph& graph) {
  std::vector<SyncSite> sites;
  for (std::size_t thread = 0; thread < graph.threads; ++thread)
    for (NodeId n = graph.resources[thread].first; n < graph.resources[thread].second; ++n) {
      const WorkNode& node = graph.nodes[n];
      if (!node.call || !is_wait(trace, node.slice)) continue;
      const SliceId op = outermost_op(trace, node.slice);
      if (op != no_slice && !node.reader) continue;
      SyncSite site{{}, op == no_slice ? node.slice : op, node.phase != Phase::outside};
      NodeId first = n, end = n + 1;
      if (op != no_slice)
        while (first > graph.resources[thread].first && graph.nodes[first - 1].from >= trace.slices.start[op]) --first;
      const std::int64_t until = op == no_slice ? trace.slices.end(node.slice) : trace.slices.end(op);
      while (end < graph.resources[thread].second && graph.nodes[end].from < until) ++end;
      for (NodeId inside = first; inside < end; ++inside) site.nodes.push_back(inside);
      n = std::max(n, end - 1);
      sites.push_back(std::move(site));
    }
  return sites;
}

std::string_view base_name(std::string_view file) { return file.substr(file.find_last_of('/') + 1); }

// Whether "train.py(12): step" is the line, or that of the function in which the line is.
struct LineOf {
  std::string file;
  std::int64_t line = 0;
};
LineOf line_in(std::string_view text) {
  const auto frame = parse_frame_name(text);
  return frame ? LineOf{std::string(frame->file), frame->line} : LineOf{};
}

}  // namespace

base::Result<AppliedChange> drop_syncs(const ChangeInput& input, WorkGraph& graph, const Change& change) {
  const Trace& trace = input.trace;
  std::vector<SyncSite> sites = sync_sites(trace, graph);
  std::erase_if(sites, [&](const SyncSite& site) { return !site.in_step && !graph.step_name.empty(); });
  std::vector<LineOf> lines;
  for (const SyncSite& site : sites)
    lines.push_back(change.name.empty() ? LineOf{} : line_in(input.places.line_text(site.slice)));
  if (!change.name.empty()) {
    // A frame has the first line of its function, so that the last one by this line is meant.
    std::int64_t best = 0;
    std::set<std::string> known;
    for (const LineOf& one : lines) {
      if (one.line == 0) continue;
      known.insert(fmt::format("{}:{}", base_name(one.file), one.line));
      if (base_name(one.file) == base_name(change.name) && one.line <= change.line) best = std::max(best, one.line);
    }
    if (best == 0 && sites.empty())
      return base::Error{fmt::format("{}: no synchronisation of the trace's steps can be dropped", change.text)};
    if (best == 0 && known.empty())
      return base::Error{fmt::format(
          "{}: the trace does not record lines (with_stack=True does); possible is drop-sync:all", change.text)};
    if (best == 0) {
      std::string list;
      std::size_t listed = 0;
      for (const std::string& one : known)
        if (++listed <= 8) list += (list.empty() ? "" : ", ") + one;
      return base::Error{fmt::format("{}: no synchronisation there; the trace has {}", change.text, list)};
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < sites.size(); ++i)
      if (lines[i].line == best && base_name(lines[i].file) == base_name(change.name)) sites[kept++] = sites[i];
    sites.resize(kept);
  }
  AppliedChange applied;
  if (sites.empty()) {
    applied.cannot = "no step waits for the GPU in a call, or in an op that reads a result";
    return applied;
  }
  std::set<NodeId> calls;
  for (const SyncSite& site : sites)
    for (const NodeId n : site.nodes) {
      if (graph.nodes[n].call) calls.insert(n);
      remove_node(graph, n);
    }
  for (NodeId n = graph.resources.size() > graph.threads ? graph.resources[graph.threads].first : no_node;
       n < graph.nodes.size(); ++n)
    if (graph.nodes[n].launcher != no_node && calls.contains(graph.nodes[n].launcher)) remove_node(graph, n);
  applied.text = fmt::format(
      "{} of the trace's waits for the GPU, with the ops that read results, are left out; the "
      "CPU goes on at once.",
      sites.size());
  return applied;
}

AppliedChange pin_copies(const ChangeInput& input, WorkGraph& graph, Doubt doubt) {
  const Trace& trace = input.trace;
  // H200, PCIe 5 x16, 32 MiB: 613,938 ns (h200_calls.csv, pinned_h2d); 2.5 us for the shortest copy.
  const double bytes_per_ns = choose(doubt, 56, 54.6, 45), shortest = 2'000;
  const double call = choose(doubt, 1'500, graph.typical.launch_call, 2 * graph.typical.launch_call);
  std::size_t copies = 0;
  double before = 0, after = 0;
  std::set<SliceId> ops;
  for (WorkNode& node : graph.nodes) {
    if (!node.gpu || !is_pageable_copy(trace.name(node.slice)) || node.launcher == no_node) continue;
    if (trace.slices.kind[node.slice] != trace::SliceKind::memcpy) continue;
    const std::int64_t bytes = trace.transfers[trace.slices.detail[node.slice]].bytes;
    ++copies;
    before += node.duration;
    if (bytes != trace::absent)
      node.duration = std::min(node.duration, shortest + static_cast<double>(bytes) / bytes_per_ns);
    after += node.duration;
    const NodeId launcher = node.launcher;
    graph.nodes[launcher].duration = std::min(graph.nodes[launcher].duration, call);
    if (const SliceId op = outermost_op(trace, graph.nodes[launcher].slice); op != no_slice) ops.insert(op);
    if (launcher + 1 < graph.nodes.size() && graph.nodes[launcher + 1].waits) remove_node(graph, launcher + 1);
  }
  // PyTorch waits for the stream after a copy of pageable memory.
  for (std::size_t thread = 0; thread < graph.threads; ++thread)
    for (NodeId n = graph.resources[thread].first; n < graph.resources[thread].second; ++n) {
      const WorkNode& node = graph.nodes[n];
      if (!node.call || !is_wait(trace, node.slice) || !ops.contains(outermost_op(trace, node.slice))) continue;
      if (n + 1 < graph.nodes.size() && graph.nodes[n + 1].waits) remove_node(graph, n + 1);
      remove_node(graph, n);
    }
  AppliedChange applied;
  applied.origin = BasisOrigin::measured;
  if (copies == 0) {
    applied.cannot = "the trace has no copy of pageable memory to the GPU";
    return applied;
  }
  applied.text = fmt::format(
      "{} copies of pageable memory become copies of pinned memory with non_blocking=True: {:.1f} GB/s as measured on "
      "an "
      "H200, {:.2f} ms instead of {:.2f} ms in all, and the CPU does not wait for them. Pinning the memory is not "
      "counted.",
      copies, bytes_per_ns, after / 1e6, before / 1e6);
  return applied;
}

AppliedChange prefetch_copies(const ChangeInput& input, WorkGraph& graph) {
  const Trace& trace = input.trace;
  std::set<std::uint32_t> computing;  // streams with kernels
  for (const WorkNode& node : graph.nodes)
    if (node.gpu && trace.slices.kind[node.slice] == trace::SliceKind::kernel) computing.insert(node.resource);
  const auto waits_for_copy = [&](const WorkNode& node) {
    const NodeId after = node.launcher == no_node ? no_node : node.launcher + 1;
    return is_pageable_copy(trace.name(node.slice)) && after < graph.nodes.size() && graph.nodes[after].waits &&
           !graph.nodes[after].removed;
  };
  std::vector<NodeId> copies;
  std::size_t pageable = 0;
  double total = 0;
  for (NodeId n = 0; n < graph.nodes.size(); ++n) {
    const WorkNode& node = graph.nodes[n];
    if (!node.gpu || node.removed || trace.slices.kind[node.slice] != trace::SliceKind::memcpy) continue;
    if (!computing.contains(node.resource) || trace.name(node.slice).find("HtoD") == std::string_view::npos) continue;
    if (node.phase == Phase::outside && !graph.step_name.empty()) continue;
    if (waits_for_copy(node)) {
      ++pageable;
      continue;
    }
    copies.push_back(n);
    total += node.duration;
  }
  AppliedChange applied;
  if (copies.empty()) {
    applied.cannot = pageable > 0
                         ? "copies of pageable memory are finished when their call returns (add the change pinned)"
                         : "no step copies to the GPU on a stream that computes";
    return applied;
  }
  // In the steady state, a copy of the next step has the time of one step: what does not fit remains.
  total /= static_cast<double>(std::max<std::size_t>(1, graph.steps.size()));
  std::vector<double> recorded;
  for (const NodeId n : copies) recorded.push_back(std::exchange(graph.nodes[n].duration, 0));
  const double beside = step_time(graph, replay(graph));
  double remains = total > 0 ? std::max(0.0, total - beside) / total : 0;
  const auto keep_rest = [&] {
    for (std::size_t i = 0; i < copies.size(); ++i) graph.nodes[copies[i]].duration = recorded[i] * remains;
  };
  keep_rest();
  // The rest is partly beside what the CPU does, but a step cannot be shorter than its copies.
  if (const double step = step_time(graph, replay(graph)); remains > 0 && step < total) {
    remains += (total - step) / total;
    keep_rest();
  }
  applied.text = fmt::format(
      "{} copies to the GPU go on a stream of their own, one step ahead: of {:.2f} ms per step, {:.2f} ms do not fit "
      "beside the {:.2f} ms of the rest. What both take of the memory's bandwidth is not counted.",
      copies.size(), total / 1e6, std::max(0.0, total - beside) / 1e6, beside / 1e6);
  return applied;
}

AppliedChange change_launches(const ChangeInput& input, WorkGraph& graph, const Change& change) {
  std::size_t launches = 0;
  for (WorkNode& node : graph.nodes) {
    if (node.gpu || node.removed || !node.call || !launches_kernel(input.trace, node.slice)) continue;
    // A change can have made the call a longer stretch, of which a launch is a part.
    const double recorded = static_cast<double>(node.to - node.from), other = std::max(0.0, node.duration - recorded);
    node.duration = change.factor * 1'000 + other;
    ++launches;
  }
  AppliedChange applied;
  if (launches == 0)
    applied.cannot = "the trace has no launches";
  else
    applied.text = fmt::format("{} launches take {} us of the CPU each instead of {:.1f} us in the median.", launches,
                               change.factor, graph.typical.launch_call / 1e3);
  return applied;
}

AppliedChange speed_up_cpu(WorkGraph& graph, double factor) {
  for (WorkNode& node : graph.nodes)
    if (!node.gpu) node.duration /= factor;
  AppliedChange applied;
  if (graph.threads == 0) applied.cannot = "the trace has no work of the CPU";
  applied.text =
      fmt::format("All work of the CPU, CUDA's calls included, takes 1/{} of its time; waits follow from it.", factor);
  return applied;
}

void drop_dependences(WorkGraph& graph, const WorkNode& node) {
  for (std::uint32_t d = node.first; d < node.last; ++d) graph.dependences[d].on = no_node;
}

void remove_node(WorkGraph& graph, NodeId n) {
  WorkNode& node = graph.nodes[n];
  node.removed = true;
  node.duration = 0;
  node.gap = 0;
  drop_dependences(graph, node);
}

SliceId outermost_op(const Trace& trace, SliceId slice) {
  constexpr int most_levels = 512;  // a file can nest thousands of slices
  SliceId top = no_slice;
  for (int level = 0; slice != no_slice && level < most_levels; ++level, slice = trace.slices.parent[slice])
    if (trace.slices.kind[slice] == trace::SliceKind::op) top = slice;
  return top;
}

bool launches_kernel(const Trace& trace, SliceId call) {
  if (!trace::is_call(trace.slices.kind[call])) return false;
  for (std::size_t i = trace::first_launched(trace, call); i < trace.launched.size() && trace.launched[i].first == call;
       ++i)
    if (trace.slices.kind[trace.launched[i].second] == trace::SliceKind::kernel) return true;
  return false;
}

}  // namespace warpwalk::analysis
