#include "core/analysis/time/overview.h"

#include <algorithm>
#include <array>
#include <future>
#include <map>
#include <memory>
#include <utility>

#include "core/platform/give_way.h"
#include "core/trace/stream_overlap.h"

namespace warpwalk::analysis {
namespace {

constexpr std::size_t stretches = 120;  // of the chart of launches
constexpr std::size_t most_names = 64;  // of kernels, ops and parts of the path
constexpr std::size_t most_rows = 24;   // of a critical path
constexpr std::size_t most_step_rows = 12;
constexpr std::size_t most_lines = 16;
constexpr std::size_t most_advice = 10;

// For each cause, the gap with the longest part of it.
std::vector<IdleGap> longest_by_cause(const IdleReport& report) {
  std::array<const IdleGap*, idle_causes> gaps = {};
  std::array<IdlePart, idle_causes> parts = {};
  for (const IdleGap& gap : report.gaps)
    for (const IdlePart& part : report.parts_of(gap)) {
      const auto cause = static_cast<std::size_t>(part.cause);
      if (gaps[cause] != nullptr && part.length() <= parts[cause].length()) continue;
      gaps[cause] = &gap;
      parts[cause] = part;
    }
  std::vector<IdleGap> longest;
  for (std::size_t cause = 0; cause < idle_causes; ++cause)
    if (gaps[cause] != nullptr) {
      longest.push_back(*gaps[cause]);
      longest.back().cause = parts[cause].cause;
      longest.back().seen_in = parts[cause].seen_in;
      longest.back().parts = 0;
    }
  std::ranges::sort(longest, {}, &IdleGap::from);
  return longest;
}

TraceSummary summary_of(const Trace& trace, const Overview& overview, std::string file) {
  TraceSummary summary;
  summary.file = std::move(file);
  summary.length = trace.end_ns - trace.begin_ns;
  summary.launches = overview.launches.total;
  summary.steps = overview.steps.steps.size() + overview.steps.left_out;
  if (!overview.steps.empty()) summary.median_step = overview.steps.steps[overview.steps.median()].duration();
  if (!overview.gpu) return summary;
  const IdleReport& gpu = *overview.gpu;
  summary.span = gpu.span();
  summary.computing = gpu.computing;
  summary.communicating = gpu.communicating;
  summary.copying = gpu.copying;
  summary.idle = gpu.time;
  summary.gaps = gpu.counts;
  summary.verdict = gpu.verdict();
  std::map<std::string_view, TraceSummary::Kernel> kernels;
  for (const WorkCost& cost : overview.work) {
    if (trace.slices.kind[cost.longest_one] != trace::SliceKind::kernel) continue;
    const std::string_view name = trace.name(cost.longest_one);
    kernels[name] = {std::string(name), cost.count, cost.total};
  }
  for (auto& [name, kernel] : kernels) summary.kernels.push_back(std::move(kernel));
  return summary;
}

}  // namespace

const IdleGap* Overview::longest_gap(IdleCause cause) const {
  if (!gpu) return nullptr;
  const auto found = std::ranges::find(gpu->gaps, cause, &IdleGap::cause);
  return found == gpu->gaps.end() ? nullptr : &*found;
}

Overview overview_of(const Trace& trace, std::string file, const KernelParts& parts) {
  Overview all;
  const PathFinder paths(trace);
  // The path, the steps and the lines take most of the time; each fills members of its own.
  const std::shared_future<std::shared_ptr<const CodePlaces>> places =
      std::async(std::launch::async, [&] { return std::make_shared<const CodePlaces>(trace); }).share();
  std::future<void> path = std::async(std::launch::async, [&] {
    all.path = paths.whole();
    all.path_list = path_rows(trace, all.path, most_rows);
    all.path_longest = longest_path_rows(trace, all.path, most_rows);
    all.path_names = path_names(trace, all.path, most_names);
  });
  platform::give_way();
  std::vector<IdleReport> reports = idle_reports(trace, paths);
  all.gpus = reports.size();
  if (!reports.empty()) all.gpu = std::move(*std::ranges::max_element(reports, {}, &IdleReport::kernels));
  std::future<IdleLines> lines = std::async(std::launch::async, [&] {
    return all.gpu ? idle_lines_and_culprit(trace, *places.get(), *all.gpu, most_lines) : IdleLines{};
  });
  for (const GpuBreakdown& one : gpu_breakdowns(trace))
    if (all.gpu && one.device == all.gpu->device) all.breakdown = one;
  if (all.gpu) all.work = work_costs(trace, all.gpu->device);
  for (const WorkCost& cost : all.work) all.work_time += cost.total;
  platform::give_way();
  all.ops = op_costs(trace);
  platform::give_way();
  for (const OpCost& cost : all.ops) all.op_gpu_time += cost.gpu;
  all.launches = launch_rate(trace, stretches);
  platform::give_way();
  all.doubtful = trace::doubtful_durations(trace).size();
  all.steps = training_steps(trace, all.gpu ? &*all.gpu : nullptr, paths, most_step_rows);
  all.summary = summary_of(trace, all, std::move(file));
  path.get();
  IdleLines by_line = lines.get();
  all.culprit = std::move(by_line.culprit);
  all.idle_lines = std::move(by_line.lines);
  AdviceSums advice(trace, *places.get());
  if (all.gpu) {
    advice.begin_at(all.gpu->from);
    advice.add(all.gpu->parts);
  }
  advice.add(all.path);
  all.advice = advice.first(most_advice);
  all.path.segments = {};
  if (all.gpu) {
    all.gpu->gaps = longest_by_cause(*all.gpu);
    all.gpu->parts = {};
  }
  all.work_names = all.work.size();
  if (all.work.size() > most_names) all.work.resize(most_names);
  for (WorkCost& cost : all.work)
    if (parts) cost.parts = parts(trace.name(cost.longest_one));
  if (all.ops.size() > most_names) all.ops.resize(most_names);
  return all;
}

}  // namespace warpwalk::analysis
