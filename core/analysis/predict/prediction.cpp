#include "core/analysis/predict/prediction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/kernels/kernel_table.h"
#include "core/base/enum_names.h"

namespace warpwalk::analysis {
namespace {

StepParts parts_of(const WorkGraph& graph, const NodeTimes* times) {
  StepParts parts;
  const double steps = static_cast<double>(std::max<std::size_t>(1, graph.steps.size()));
  const auto length = [&](NodeId n) {
    const WorkNode& node = graph.nodes[n];
    return times != nullptr ? times->end[n] - times->start[n] : static_cast<double>(node.to - node.from);
  };
  for (const NodeRange& step : graph.steps)
    for (NodeId n = step.first; n < step.last; ++n)
      (graph.nodes[n].waits ? parts.waiting : parts.cpu) += std::max(0.0, length(n)) / steps;
  for (NodeId n = 0; n < graph.nodes.size(); ++n) {
    const WorkNode& node = graph.nodes[n];
    if (!node.gpu || node.removed || (node.phase == Phase::outside && !graph.step_name.empty())) continue;
    parts.gpu += node.duration / steps;
    ++parts.kernels;
  }
  parts.kernels = static_cast<std::size_t>(std::llround(static_cast<double>(parts.kernels) / steps));
  return parts;
}

// Steps that end later or earlier than recorded by this share show that the graph does not hold for the trace.
constexpr double most_replay_error = 0.05;

// How far two runs of one program differ. Of the GPU, a share of the step. Of the CPU, a factor, measured on hosts of
// H200s: the ops that two recordings of a program have in common took 0.6 to 1.8 times as long (68 recordings, standard
// deviation of the logarithm 0.21); 58 of 68 are within this factor.
constexpr double spread = 0.04, cpu_spread = 1.35;

// A change that rests on the CPU and moves the step less than this cannot be told from two runs of the same code if
// the range has a tenth of the step on both sides.
constexpr double least_change = 0.04, wide_range = 0.1;

// Whether a change scales the work of a program in ways that can change what the CPU does.
bool rests_on_cpu(const Change& change) {
  switch (change.kind) {
    case ChangeKind::dtype:
    case ChangeKind::batch:
    case ChangeKind::sequence:
    case ChangeKind::hidden:
    case ChangeKind::compile:
    case ChangeKind::fuse:
    case ChangeKind::fused_optimizer: return true;
    default: return false;
  }
}

// The order in which changes are applied, whatever the order they are given in: the GPU first, so that others use its
// peaks; the work of kernels before the type in which it is done; what sets times of the CPU before what scales them;
// last what depends on how long a step takes.
std::vector<std::size_t> in_order(std::span<const Change> changes) {
  constexpr std::array order = {
      ChangeKind::gpu,      ChangeKind::drop_sync, ChangeKind::pinned,          ChangeKind::batch,
      ChangeKind::sequence, ChangeKind::hidden,    ChangeKind::dtype,           ChangeKind::compile,
      ChangeKind::fuse,     ChangeKind::kernel,    ChangeKind::fused_optimizer, ChangeKind::graph,
      ChangeKind::ranks,    ChangeKind::link,      ChangeKind::launch_us,       ChangeKind::cpu,
      ChangeKind::stream};
  std::vector<std::size_t> sorted(changes.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::stable_sort(sorted, {}, [&](std::size_t i) { return std::ranges::find(order, changes[i].kind); });
  return sorted;
}

// The time of a step if the work of the CPU takes another time.
double with_cpu(WorkGraph graph, double factor) {
  for (WorkNode& node : graph.nodes)
    if (!node.gpu) node.duration *= factor;
  return step_time(graph, replay(graph));
}

}  // namespace

std::string_view name_of(BasisOrigin origin) { return base::enum_name(origin); }

base::Result<AppliedChange> apply_change(const ChangeInput& input, WorkGraph& graph, const Change& change,
                                         Doubt doubt) {
  switch (change.kind) {
    case ChangeKind::drop_sync: return drop_syncs(input, graph, change);
    case ChangeKind::pinned: return pin_copies(input, graph, doubt);
    case ChangeKind::stream: return prefetch_copies(input, graph);
    case ChangeKind::graph: return capture_graph(input, graph, doubt);
    case ChangeKind::compile: return compile_graph(input, graph, doubt);
    case ChangeKind::fused_optimizer: return fuse_optimizer(input, graph, doubt);
    case ChangeKind::dtype: return narrow_type(input, graph, change, doubt);
    case ChangeKind::batch:
    case ChangeKind::sequence:
    case ChangeKind::hidden: return change_sizes(input, graph, change, doubt);
    case ChangeKind::fuse: return fuse_ops(input, graph, change, doubt);
    case ChangeKind::ranks:
    case ChangeKind::link: return change_ranks(input, graph, change, doubt);
    case ChangeKind::kernel: return speed_up_kernels(input, graph, change);
    case ChangeKind::gpu: return change_gpu(input, graph, change, doubt);
    case ChangeKind::launch_us: return change_launches(input, graph, change);
    case ChangeKind::cpu: return speed_up_cpu(graph, change.factor);
  }
  return base::Error{change.text};
}

Predictor::Predictor(const Trace& trace, std::span<const gpu::Device> known, KernelSimulator simulate)
    : trace_(trace),
      known_(known),
      recorded_(work_graph(trace)),
      simulate_(std::move(simulate)),
      device_(kernel_device(trace, known)),
      peaks_(device_peaks(device_, trace.devices.empty() ? trace::absent : trace.devices.front().sms)),
      categories_(trace),
      places_(trace) {
  if (recorded_.empty() || recorded_.steps.empty()) {
    cannot_ = "the trace has no work of a thread";
    return;
  }
  before_ = recorded_step_time(recorded_);
  times_ = replay(recorded_);
  replayed_ = step_time(recorded_, times_);
  if (before_ <= 0 || std::abs(replayed_ - before_) > most_replay_error * before_)
    cannot_ = fmt::format("the dependences found give {:.3f} ms per step instead of the recorded {:.3f} ms",
                          replayed_ / 1e6, before_ / 1e6);
}

base::Result<Prediction> predict(const Trace& trace, std::span<const Change> changes,
                                 std::span<const gpu::Device> known) {
  return Predictor(trace, known).predict(changes);
}

base::Result<Prediction> Predictor::predict(std::span<const Change> changes, const std::atomic<bool>* cancel) {
  Prediction prediction;
  prediction.graph = recorded_;
  prediction.step_name = recorded_.step_name;
  prediction.before = before_;
  prediction.times = times_;
  prediction.cannot = cannot_;
  if (!recorded_.empty()) prediction.parts_before = prediction.parts_after = parts_of(recorded_, nullptr);
  if (!cannot_.empty()) return prediction;
  const double replayed = replayed_;
  const std::vector<std::size_t> order = in_order(changes);
  std::array<double, 3> times{};
  prediction.basis.resize(changes.size());
  for (const Doubt doubt : {Doubt::likely, Doubt::low, Doubt::high}) {
    if (cancel != nullptr && *cancel) return base::Error{"cancelled"};
    WorkGraph graph = recorded_;
    DevicePeaks now = peaks_;
    const bool described = device_.how == DeviceMatch::How::described && device_.device;
    const ChangeInput input{trace_,
                            categories_,
                            places_,
                            now,
                            device_.recorded,
                            known_,
                            described ? &*device_.device : nullptr,
                            simulate_ ? &simulate_ : nullptr};
    for (const std::size_t i : order) {
      const Change& change = changes[i];
      auto applied = apply_change(input, graph, change, doubt);
      if (!applied) return base::Error{applied.error()};
      if (!applied->cannot.empty()) prediction.cannot = applied->cannot;
      if (applied->peaks) now = *std::move(applied->peaks);
      if (doubt != Doubt::likely) continue;
      prediction.basis[i] = {change.text, applied->origin,
                             applied->cannot.empty() ? applied->text : "Nothing is known: " + applied->cannot + "."};
    }
    if (!prediction.cannot.empty()) return prediction;
    NodeTimes after = replay(graph);
    // The dependences' own error is left out.
    times[static_cast<std::size_t>(doubt)] = step_time(graph, after) + prediction.before - replayed;
    if (doubt != Doubt::likely) continue;
    prediction.times = std::move(after);
    prediction.graph = std::move(graph);
  }
  prediction.parts_after = parts_of(prediction.graph, &prediction.times);
  const double step = times[0];
  // What no constant's range covers: GPU work of two runs of one program differs by some percent, work of the CPU by
  // more. The three causes are independent of each other.
  const double faster = with_cpu(prediction.graph, 1 / cpu_spread) + prediction.before - replayed;
  const double slower = with_cpu(prediction.graph, cpu_spread) + prediction.before - replayed;
  const double other = spread * step;
  prediction.step = step;
  prediction.low = step - std::hypot(step - std::min({step, times[1], times[2]}), step - std::min(step, faster), other);
  prediction.high =
      step + std::hypot(std::max({step, times[1], times[2]}) - step, std::max(step, slower) - step, other);
  const double before = prediction.before;
  const bool scaled = std::ranges::any_of(changes, rests_on_cpu);
  if (scaled && std::abs(step - before) < least_change * before &&
      *prediction.low<(1 - wide_range) * before&& * prediction.high>(1 + wide_range) * before) {
    prediction.cannot = fmt::format(
        "the CPU bounds the step, and the change moves it by {:+.0f} % alone, while the CPU's time differs more "
        "between "
        "two runs of the same code ({:.3f} to {:.3f} ms)",
        100 * (step - before) / before, *prediction.low / 1e6, *prediction.high / 1e6);
    prediction.step = prediction.low = prediction.high = std::nullopt;
  }
  return prediction;
}

std::string verdict_of(const Prediction& prediction) {
  if (!prediction.step) return fmt::format("Cannot tell: {}.", prediction.cannot);
  const double before = prediction.before, after = *prediction.step, change = (before - after) / before;
  const std::string_view what = prediction.step_name.empty() ? "The trace" : "A step";
  const std::string range = fmt::format("{:.3f} to {:.3f} ms", *prediction.low / 1e6, *prediction.high / 1e6);
  const bool can_be_equal = *prediction.low < before && before < *prediction.high;
  if (can_be_equal && std::abs(change) < 0.03)
    return fmt::format("{} would take about as long as before: {:.3f} ms instead of {:.3f} ms ({}).", what, after / 1e6,
                       before / 1e6, range);
  return fmt::format("{} would take {:.3f} ms instead of {:.3f} ms, {:.0f} % {} ({}).", what, after / 1e6, before / 1e6,
                     100 * std::abs(change), change > 0 ? "less" : "more", range);
}

}  // namespace warpwalk::analysis
