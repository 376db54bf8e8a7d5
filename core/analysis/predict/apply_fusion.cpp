// Changes of what is launched: a CUDA graph, torch.compile, a fused optimizer.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <rapidjson/document.h>

#include "core/analysis/predict/apply.h"
#include "core/analysis/slices.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

bool is_step_work(const WorkNode& node) {
  return node.phase == Phase::forward || node.phase == Phase::backward || node.phase == Phase::optimizer;
}

// Whether the node is a part of this step, by when the CPU did it or launched it.
std::int64_t time_on_cpu(const WorkGraph& graph, const WorkNode& node) {
  return node.gpu && node.launcher != no_node ? graph.nodes[node.launcher].from : node.from;
}

// The number of the step at a time; the number of steps outside of them.
std::size_t step_at(const WorkGraph& graph, std::int64_t time) {
  const auto after = std::ranges::upper_bound(graph.steps, time, {}, &NodeRange::from);
  if (after == graph.steps.begin() || std::prev(after)->to <= time) return graph.steps.size();
  return static_cast<std::size_t>(after - graph.steps.begin()) - 1;
}

// Kernels that torch.compile makes one of, if they follow each other.
bool is_fusable(WorkCategory category) {
  return category == WorkCategory::elementwise || category == WorkCategory::normalisation ||
         category == WorkCategory::reduction || category == WorkCategory::layout || category == WorkCategory::indexing;
}

// How many kernels torch.compile makes in addition to the one of a run of fused kernels. In the backward pass, the
// gradient of a bias, or of the weights of a norm, is a sum over the batch: one kernel for parts of it, one for the
// rest. A batch norm has such sums in the forward pass too. Other norms and sums of the forward pass are over rows.
float more_kernels(WorkCategory category, Phase phase, std::string_view name) {
  const bool norm = category == WorkCategory::normalisation;
  if (!norm && category != WorkCategory::reduction) return 0;
  if (phase == Phase::backward) return 2;
  const bool over_batch =
      norm && (name.find("bn_") != std::string_view::npos || name.find("batch_norm") != std::string_view::npos);
  return over_batch ? 2 : 0;
}

// The elements of the tensors in the lists or tensors of an op's arguments, those of the first list or tensor alone.
std::vector<double> first_tensors(const Trace& trace, SliceId op) {
  std::vector<double> sizes;
  const std::string_view json = trace.text(trace.ops[trace.slices.detail[op]].input_dims);
  rapidjson::Document list;
  list.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (list.HasParseError() || !list.IsArray() || list.Empty() || !list[0].IsArray()) return sizes;
  const auto count = [](const rapidjson::Value& dimensions) {
    double elements = 1;
    for (const rapidjson::Value& one : dimensions.GetArray()) {
      if (!one.IsNumber()) return 0.0;
      elements *= std::clamp(one.GetDouble(), 0.0, 1e12);
    }
    return std::min(elements, 1e13);
  };
  const rapidjson::Value& first = list[0];
  if (!first.Empty() && first[0].IsArray()) {
    for (const rapidjson::Value& tensor : first.GetArray())
      if (tensor.IsArray()) sizes.push_back(count(tensor));
  } else {
    sizes.push_back(count(first));
  }
  return sizes;
}

// How often a fused optimizer reads or writes an element of its tensors: parameter, gradient and its states.
double accesses_of(std::string_view name) {
  if (name.find("Adam") != std::string_view::npos) return 7;
  if (name.find("SGD") != std::string_view::npos || name.find("Adagrad") != std::string_view::npos) return 5;
  return 0;
}

std::string_view optimizer_name(const Trace& trace) {
  for (SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace.slices.kind[s] == trace::SliceKind::annotation && trace.name(s).starts_with("Optimizer.step#"))
      return trace.name(s).substr(15);
  return {};
}

}  // namespace

std::vector<double> optimizer_tensors(const Trace& trace, const WorkGraph& graph) {
  // Of each parameter, autograd accumulates the gradient once in a step. Without a backward pass: the list of tensors
  // that an op of the optimizer has.
  std::vector<double> gradients, list;
  if (graph.steps.empty()) return list;
  const NodeRange& step = graph.steps.back();
  for (SliceId s = 0; s < trace.slices.size(); ++s) {
    if (trace.slices.kind[s] != trace::SliceKind::op) continue;
    if (trace.slices.start[s] < step.from || trace.slices.start[s] >= step.to) continue;
    const std::string_view name = trace.name(s);
    if (name != accumulate_gradient && name.find("_foreach_") == std::string_view::npos) continue;
    std::vector<double> sizes = first_tensors(trace, s);
    if (name == accumulate_gradient)
      gradients.insert(gradients.end(), sizes.begin(), sizes.end());
    else if (sizes.size() > list.size())
      list = std::move(sizes);
  }
  return gradients.empty() ? list : gradients;
}

AppliedChange capture_graph(const ChangeInput& input, WorkGraph& graph, Doubt doubt) {
  AppliedChange applied;
  applied.origin = BasisOrigin::measured;
  // H200, chains of 2 us kernels in a graph (h200_calls.csv): 0.74 us from one to the next. Under a profiler, a launch
  // of a graph of some hundred nodes takes 100 us of the CPU.
  const double gap = choose(doubt, 300, 700, 1'300);
  const double call = choose(doubt, 10'000, 30'000, 150'000), node_call = choose(doubt, 0, 200, 600);
  std::vector<NodeId> launch(graph.steps.size(), no_node);
  std::vector<std::size_t> kernels(graph.steps.size(), 0);
  std::size_t waits = 0;
  for (const WorkNode& node : graph.nodes)
    if (node.gpu && is_step_work(node) && !node.removed)
      if (const std::size_t step = step_at(graph, time_on_cpu(graph, node)); step < graph.steps.size()) ++kernels[step];
  for (std::size_t thread = 0; thread < graph.threads; ++thread)
    for (NodeId n = graph.resources[thread].first; n < graph.resources[thread].second; ++n) {
      const std::size_t step = step_at(graph, graph.nodes[n].from);
      if (step == graph.steps.size() || !is_step_work(graph.nodes[n])) continue;
      waits += graph.nodes[n].waits && !graph.nodes[n].handed;
      remove_node(graph, n);
      if (thread != graph.main_thread || launch[step] != no_node || !graph.nodes[n].call) continue;
      if (!launches_kernel(input.trace, graph.nodes[n].slice)) continue;
      graph.nodes[n].removed = false;
      launch[step] = n;
      graph.nodes[n].duration = call + node_call * static_cast<double>(kernels[step]);
    }
  // Between the captured parts of a step, the CPU no longer does anything: zero_grad, Python.
  for (std::size_t step = 0; step < graph.steps.size(); ++step) {
    if (launch[step] == no_node) continue;
    NodeId last = launch[step];
    for (NodeId n = launch[step]; n < graph.steps[step].last; ++n)
      if (is_step_work(graph.nodes[n])) last = n;
    for (NodeId n = launch[step] + 1; n < last; ++n)
      if (!graph.nodes[n].removed) remove_node(graph, n);
  }
  // A captured Adam counts its steps on the GPU, and gradients are added to those that the graph keeps: H200, PyTorch
  // 2.11, two kernels more of each parameter.
  const double more = optimizer_name(input.trace).find("Adam") == std::string_view::npos ? 0 : choose(doubt, 1, 2, 3);
  const double more_kernels_time =
      more * static_cast<double>(optimizer_tensors(input.trace, graph).size()) * (1'200 + gap);
  std::size_t captured = 0;
  std::vector<NodeId> first(graph.steps.size(), no_node);
  for (NodeId n = 0; n < graph.nodes.size(); ++n) {
    WorkNode& node = graph.nodes[n];
    if (!node.gpu || node.removed || !is_step_work(node) || node.launcher == no_node) continue;
    const std::size_t step = step_at(graph, time_on_cpu(graph, node));
    if (step == graph.steps.size() || launch[step] == no_node) continue;
    ++captured;
    node.gap = first[step] == no_node ? std::max(node.gap, 1'500.0) + more_kernels_time : gap;
    first[step] = n;
    bool released = false;
    for (std::uint32_t d = node.first; d < node.last; ++d) {
      Dependence& one = graph.dependences[d];
      if (one.on != node.launcher || !one.from_start) continue;
      one = {launch[step], true, graph.typical.launch_lag + 2'000};
      released = true;
    }
    if (released) node.launcher = launch[step];
  }
  if (captured == 0) {
    applied.cannot = "no step of it launches kernels from ops or an optimizer";
    return applied;
  }
  sort_nodes(graph);
  applied.text = fmt::format(
      "Forward pass, backward pass and optimizer of each step, {} kernels, are one launch; kernels follow each other "
      "after "
      "{:.1f} us, as measured on an H200. Kernels keep their times; data must be copied to the graph's tensors.{}{}",
      captured / std::max<std::size_t>(1, graph.steps.size()), gap / 1e3,
      more > 0 ? " A captured Adam needs two small kernels more of each parameter." : "",
      waits > 0 ? " Waits for the GPU within the step cannot be captured: they are left out." : "");
  return applied;
}

AppliedChange compile_graph(const ChangeInput& input, WorkGraph& graph, Doubt doubt) {
  const Trace& trace = input.trace;
  AppliedChange applied;
  applied.origin = BasisOrigin::scaled;
  // Guards and wrappers of a compiled region and of its backward pass, and each launch in them, relative to the calls
  // that the trace records: PyTorch 2.11 on hosts of H200s under torch.profiler. CPUs differ, and between two runs too.
  const double call = graph.typical.launch_call, base = choose(doubt, 15, 35, 60) * call;
  const bool stacks = !trace.python.empty();
  const double launch = (stacks ? choose(doubt, 5, 8, 14) : choose(doubt, 3, 4.5, 7.5)) * call;
  const double bandwidth = input.peaks.bytes_per_second.value_or(0) * 0.75 / 1e9;  // bytes per ns
  const double kept_share = choose(doubt, 0.2, 0.3, 0.6);
  std::vector<float> kept(graph.nodes.size(), 0);  // launches that remain, of work on the GPU
  std::size_t fused = 0, groups = 0, others = 0;
  for (std::size_t stream = graph.threads; stream < graph.resources.size(); ++stream) {
    std::vector<NodeId> group;
    const auto end_group = [&] {
      if (group.empty()) return;
      double sum = 0, longest = 0;
      float launched = 1;
      for (const NodeId n : group) {
        // Compiled kernels come near the bandwidth, also where the recorded ones do not.
        const WorkAmount amount = amount_of(input, graph.nodes[n]);
        const WorkCategory category = input.categories.of(graph.nodes[n].slice, amount);
        double time = graph.nodes[n].duration;
        if (amount.bytes && bandwidth > 0) time = std::min(time, 1'500 + *amount.bytes / bandwidth);
        sum += time;
        longest = std::max(longest, time);
        launched += more_kernels(category, graph.nodes[n].phase, trace.name(graph.nodes[n].slice));
      }
      const NodeId last = group.back();
      if (group.size() > 1) {
        fused += group.size();
        ++groups;
        for (const NodeId n : group)
          if (n != last) remove_node(graph, n);
        graph.nodes[last].duration = std::max(longest, kept_share * sum);
      }
      kept[last] = launched;
      group.clear();
    };
    Phase phase = Phase::outside;
    for (NodeId n = graph.resources[stream].first; n < graph.resources[stream].second; ++n) {
      const WorkNode& node = graph.nodes[n];
      const bool compiled = node.phase == Phase::forward || node.phase == Phase::backward;
      const bool kernel = trace.slices.kind[node.slice] == trace::SliceKind::kernel;
      if (node.phase != phase) end_group();
      phase = node.phase;
      if (!compiled || node.removed) continue;
      if (kernel && is_fusable(input.categories.of(node.slice))) {
        group.push_back(n);
        continue;
      }
      end_group();
      kept[n] = trace::launch_of(trace, node.slice) == no_slice ? 0 : 1;
      ++others;
    }
    end_group();
  }
  if (groups + others == 0) {
    applied.cannot = "no step of it launches kernels from ops";
    return applied;
  }
  std::vector<float> launches(graph.nodes.size(), 0);
  for (NodeId n = 0; n < graph.nodes.size(); ++n)
    if (graph.nodes[n].launcher != no_node) launches[graph.nodes[n].launcher] += kept[n];
  std::set<std::pair<std::size_t, Phase>> begun;  // step and pass
  for (std::size_t thread = 0; thread < graph.threads; ++thread) {
    for (NodeId n = graph.resources[thread].first; n < graph.resources[thread].second; ++n) {
      WorkNode& node = graph.nodes[n];
      if (node.handed) continue;
      if (node.phase != Phase::forward && node.phase != Phase::backward) continue;
      const SliceId op = node.slice == no_slice ? no_slice : outermost_op(trace, node.slice);
      // Gradients are still put into the parameters one by one.
      if (op != no_slice && trace.name(op).find("AccumulateGrad") != std::string_view::npos) continue;
      node.duration = static_cast<double>(launches[n]) * launch;
      if (begun.emplace(step_at(graph, node.from), node.phase).second) node.duration += base;
    }
  }
  applied.text = fmt::format(
      "{} kernels between products become {} in forward and backward pass, which take {:.0f} % of their time; products "
      "keep "
      "theirs. A compiled pass takes the CPU {:.0f} us and {:.0f} us per launch (PyTorch 2.11 under the profiler); "
      "loss, "
      "gradients and optimizer are not compiled.",
      fused, groups, 100 * kept_share, base / 1e3, launch / 1e3);
  return applied;
}

AppliedChange fuse_optimizer(const ChangeInput& input, WorkGraph& graph, Doubt doubt) {
  const Trace& trace = input.trace;
  AppliedChange applied;
  applied.origin = BasisOrigin::scaled;
  const std::string_view name = optimizer_name(trace);
  if (name.empty()) {
    applied.cannot = "it has no range Optimizer.step#..., by which torch.profiler marks an optimizer";
    return applied;
  }
  const double accesses = accesses_of(name);
  if (accesses == 0) {
    applied.cannot = fmt::format("{} has no fused implementation", name);
    return applied;
  }
  const std::vector<double> tensors = optimizer_tensors(trace, graph);
  double elements = 0;
  for (const double one : tensors) elements += one;
  if (elements <= 0 || !input.peaks.bytes_per_second) {
    applied.cannot =
        "the sizes of the optimizer's tensors or the bandwidth of its GPU are not known "
        "(record_shapes=True records sizes)";
    return applied;
  }
  const double bandwidth = *input.peaks.bytes_per_second * choose(doubt, 0.8, 0.65, 0.5) / 1e9;
  // Launches of at most 36 tensors each; a chunk of 65,536 elements is a block's work.
  const double count = static_cast<double>(tensors.size());
  const double kernels = std::ceil(count / 36);
  const double on_gpu = kernels * 8'000 + 4 * accesses * elements / bandwidth;
  // PyTorch 2.11 on the host of an H200 under torch.profiler; with_stack=True records each function of Python.
  const double stacks = trace.python.empty() ? 1 : 1.8;
  const double on_cpu = stacks * (choose(doubt, 80'000, 140'000, 180'000) + choose(doubt, 2'000, 5'000, 8'000) * count);
  double cpu_before = 0, gpu_before = 0;
  std::size_t kernels_before = 0;
  std::vector<NodeId> launch(graph.steps.size(), no_node), first(graph.steps.size(), no_node);
  for (std::size_t step = 0; step < graph.steps.size(); ++step) {
    double cpu = 0;
    for (NodeId n = graph.steps[step].first; n < graph.steps[step].last; ++n) {
      const WorkNode& node = graph.nodes[n];
      if (node.phase != Phase::optimizer) continue;
      cpu += node.duration;
      if (launch[step] == no_node && node.call && launches_kernel(trace, node.slice)) launch[step] = n;
      remove_node(graph, n);
    }
    cpu_before += cpu;
    if (launch[step] == no_node) continue;
    graph.nodes[launch[step]].duration = std::min(cpu, on_cpu);
    graph.nodes[launch[step]].removed = false;
  }
  for (NodeId n = 0; n < graph.nodes.size(); ++n) {
    WorkNode& node = graph.nodes[n];
    if (!node.gpu || node.phase != Phase::optimizer) continue;
    const std::size_t step = step_at(graph, time_on_cpu(graph, node));
    if (step == graph.steps.size() || launch[step] == no_node) continue;
    gpu_before += node.duration;
    ++kernels_before;
    if (first[step] != no_node || node.launcher != launch[step]) {
      remove_node(graph, n);
      continue;
    }
    first[step] = n;
    node.duration = on_gpu;
  }
  if (kernels_before == 0) {
    applied.cannot = "its optimizer launches no kernels";
    return applied;
  }
  const double steps = static_cast<double>(std::max<std::size_t>(1, graph.steps.size()));
  applied.text = fmt::format(
      "{}: {} tensors of {:.1f} million elements, each read or written {} times, take {:.3f} ms of the GPU instead of "
      "{:.3f} ms, and {:.2f} ms of the CPU instead of {:.2f} ms.",
      name, tensors.size(), elements / 1e6, accesses, on_gpu / 1e6, gpu_before / steps / 1e6, on_cpu / 1e6,
      cpu_before / steps / 1e6);
  return applied;
}

}  // namespace warpwalk::analysis
