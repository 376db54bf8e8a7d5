#include "app/verbs/info/text.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/verbs/info/fused_lines.h"
#include "app/verbs/info/overview_json.h"
#include "core/analysis/names/short_names.h"
#include "core/analysis/time/idle_lines.h"
#include "core/base/quantity_text.h"
#include "core/gpu/device/gpu_name.h"
#include "core/run/replay/load_recorded.h"
#include "core/trace/stream_overlap.h"
#include "core/words/time_column.h"

namespace warpwalk::verbs {
namespace {

using trace::SliceId;
using trace::SliceKind;
using trace::Trace;

std::string number_text(std::uint64_t n) { return base::with_thousands(static_cast<std::int64_t>(n)); }

std::string labelled_line(std::string_view label, const std::string& value) {
  return fmt::format("  {:<26}{}\n", label, value);
}

std::string percent(std::int64_t part, std::int64_t whole) {
  return fmt::format("{:>6.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// The kernels by name, with their times and shares of the time of all kernels, copies and fills, as in the overview.
std::string kernel_table(const Trace& trace) {
  struct Total {
    std::int64_t ns = 0;
    std::uint64_t count = 0;
  };
  std::map<trace::StringId, Total> totals;
  std::int64_t all = 0;
  for (const SliceId s : trace.kernel_order) {
    Total& total = totals[trace.slices.name[s]];
    total.ns += trace.slices.duration[s];
    ++total.count;
    all += trace.slices.duration[s];
  }
  for (SliceId s = 0; all > 0 && s < trace.slices.size(); ++s)
    if (trace.slices.kind[s] == SliceKind::memcpy || trace.slices.kind[s] == SliceKind::memset)
      all += std::max<std::int64_t>(0, trace.slices.duration[s]);
  std::vector<std::pair<trace::StringId, Total>> sorted(totals.begin(), totals.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
  std::string out = all == 0 ? "\nkernels, without times\n" : "\nkernels by GPU time, in % of all GPU work\n";
  std::vector<std::string_view> names;
  for (const auto& [name, total] : sorted) names.push_back(trace.text(name));
  const std::vector<std::string> labels = analysis::kernel_labels(names);
  const words::TimeColumn times(sorted.front().second.ns);
  constexpr std::size_t limit = 8;
  for (std::size_t i = 0; i < std::min(sorted.size(), limit); ++i) {
    const Total& total = sorted[i].second;
    if (all != 0) out += fmt::format("  {:>12} {}", times.text(total.ns), percent(total.ns, all));
    out += fmt::format("  {:>8} x  {}\n", number_text(total.count), analysis::shortened(labels[i], 60));
  }
  if (sorted.size() > limit) out += fmt::format("  and {} more names\n", sorted.size() - limit);
  return out;
}

// The GPU's time between its first and its last work, and the causes of its idle time.
std::string idle_table(const analysis::IdleReport& report, const analysis::IdleLine& culprit, bool doubtful) {
  struct Line {
    std::int64_t time = 0;
    std::string what;
    std::size_t gaps = 0;
  };
  std::vector<Line> lines = {{report.computing, "kernels", 0},
                             {report.communicating, "only communication", 0},
                             {report.copying, "only copies and fills", 0}};
  const std::size_t busy = lines.size();
  for (std::size_t i = 0; i < analysis::idle_causes; ++i)
    lines.push_back(
        {report.time[i], fmt::format("idle: {}", name_of(static_cast<analysis::IdleCause>(i))), report.counts[i]});
  std::ranges::stable_sort(std::span(lines).subspan(busy), std::ranges::greater{}, &Line::time);
  const words::TimeColumn times(std::ranges::max(lines, {}, &Line::time).time);
  std::string out = fmt::format("\nGPU {}, from {} to its last work: {}{}\n",
                                report.device == trace::absent ? std::string("?") : std::to_string(report.device),
                                report.from_step ? "the start of its first step" : "its first",
                                name_of(report.verdict()), doubtful ? ", but times are doubtful (see problems)" : "");
  for (const Line& line : lines) {
    if (line.time == 0) continue;
    const std::string gaps = line.gaps == 0   ? ""
                             : line.gaps == 1 ? " (1 gap)"
                                              : fmt::format(" ({} gaps)", number_text(line.gaps));
    out +=
        fmt::format("  {:>12} {}  {}{}\n", times.text(line.time), percent(line.time, report.span()), line.what, gaps);
  }
  if (culprit.time > 0 && !culprit.line.empty())
    out += fmt::format("  {:>12} {:>8}  of what makes it {}: {}\n", "look at",
                       base::share_text(culprit.time, report.time_of(report.cause())), name_of(report.cause()),
                       culprit.line);
  return out;
}

// The content of a memory snapshot of PyTorch.
std::string snapshot_table(const analysis::SnapshotSums& sums) {
  std::string out = "\nmemory snapshot (lab/allocator shows it)\n";
  const auto bytes = [](std::int64_t n) { return base::bytes_text(static_cast<double>(n)); };
  out += labelled_line("segments", fmt::format("{}, {}", number_text(sums.segments), bytes(sums.reserved)));
  out += labelled_line("blocks in use", fmt::format("{} of {}, {}", number_text(sums.in_use), number_text(sums.blocks),
                                                    bytes(sums.allocated)));
  if (sums.awaiting > 0) out += labelled_line("awaiting free", bytes(sums.awaiting));
  if (sums.inactive > 0) out += labelled_line("free in segments in use", bytes(sums.inactive));
  if (sums.whole > 0) out += labelled_line("free segments", bytes(sums.whole));
  if (sums.peak != trace::absent) out += labelled_line("peak of the history", bytes(sums.peak));
  if (sums.refused > 0) out += labelled_line("out of memory", number_text(sums.refused));
  out += labelled_line("call stacks", number_text(sums.stacks));
  return out;
}

std::string counts_table(InfoFigures& figures) {
  const Trace& trace = figures.trace();
  const InfoSummary& summary = figures.summary();
  const trace::ReadResult& result = figures.loaded().result;
  std::string out;
  const auto line = [&](std::string_view label, const std::string& value) { out += labelled_line(label, value); };
  line("events", number_text(result.events));
  line("time", trace.end_ns == trace.begin_ns && !trace.kernel_order.empty()
                   ? "none"
                   : base::time_text(static_cast<double>(trace.end_ns - trace.begin_ns)));
  line("Python frames", number_text(summary.of(SliceKind::python)));
  line("ops", number_text(summary.of(SliceKind::op)));
  line("runtime, driver calls",
       fmt::format("{}, {}", number_text(summary.of(SliceKind::runtime)), number_text(summary.of(SliceKind::driver))));
  line("launches", number_text(summary.launches));
  line("kernels", number_text(summary.of(SliceKind::kernel)));
  for (const auto& [library, kernels] : summary.stand_ins)
    line(fmt::format("  in place of {}", library), fmt::format("{}: warpwalk's own", number_text(kernels)));
  line("  with their launch", number_text(summary.linked_to_launch));
  line("  with their op", number_text(summary.linked_to_op));
  line("copies, fills",
       fmt::format("{}, {}", number_text(summary.of(SliceKind::memcpy)), number_text(summary.of(SliceKind::memset))));
  line("synchronisations", number_text(summary.synchronisations));
  line("memory events", number_text(trace.memory.size()));
  if (!trace.driver_memory.empty()) {
    std::size_t taken = 0;
    for (const trace::DriverMemory& change : trace.driver_memory) taken += change.bytes > 0;
    line("GPU memory taken, freed",
         fmt::format("{}, {}", number_text(taken), number_text(trace.driver_memory.size() - taken)));
  }
  line("streams", number_text(summary.streams));
  if (const std::size_t inside = run::recorded_launches(trace).size(); inside > 0)
    line("launches with memory", number_text(inside));
  for (const trace::Device& device : summary.devices)
    line(fmt::format("GPU {}", device.id),
         device.name == 0 ? "not described"
                          : fmt::format("{}, {} {}", trace.text(device.name),
                                        device.sms == trace::absent ? std::string("?") : std::to_string(device.sms),
                                        !gpu::is_amd(trace.text(device.name)) ? "SMs"
                                        : device.warp_size == 32              ? "workgroup processors"
                                                                              : "compute units"));
  if (const auto options = analysis::slowing_options(trace); !options.empty())
    line("profiler slowed CPU by", fmt::format("{}", fmt::join(options, ", ")));
  line("read", fmt::format("{} in {:.3f} s, peak memory {}", base::bytes_text(static_cast<double>(result.bytes)),
                           figures.loaded().seconds, base::bytes_text(static_cast<double>(peak_memory_bytes()))));
  return out;
}

std::string absent_table(InfoFigures& figures) {
  const Trace& trace = figures.trace();
  const InfoSummary& summary = figures.summary();
  std::string absent;
  const auto lacks = [&](bool lacking, std::string_view what) {
    if (lacking) absent += fmt::format("  {}\n", what);
  };
  const bool lost = figures.loaded().result.problems.count_of(trace::ProblemKind::incomplete_recording) > 0;
  lacks(trace.kernel_order.empty() && summary.streams == 0,
        lost ? "GPU work: the profiler could not record it (see problems)"
             : "GPU work: a CPU-only run, or a profile without ProfilerActivity.CUDA");
  lacks(summary.of(SliceKind::op) == 0, "ops");
  lacks(summary.of(SliceKind::python) == 0, "Python frames: torch.profiler records them if with_stack=True");
  lacks(trace.memory.empty() && trace.driver_memory.empty(),
        "memory events: torch.profiler records them if profile_memory=True");
  return absent.empty() ? "" : "\nnot in this trace\n" + absent;
}

std::string problem_table(const trace::Problems& problems) {
  std::string out;
  for (const trace::Problem& problem : problems.rows())
    out += fmt::format("  {:<22}{:>8}  {}{}\n", trace::name_of(problem.kind), number_text(problem.count),
                       problem.count > 1 ? "the first: " : "", problem.message);
  return out.empty() ? "" : "\nproblems\n" + out;
}

}  // namespace

std::string figures_text(InfoFigures& figures, std::string_view name) {
  const Trace& trace = figures.trace();
  std::string out = fmt::format("{}\n", name) + counts_table(figures);
  if (const analysis::SnapshotSums* const snapshot = figures.snapshot()) out += snapshot_table(*snapshot);
  if (!trace.kernel_order.empty()) out += kernel_table(trace);
  out += fused_lines_table(figures);
  out += measured_table(trace);
  const bool doubtful = !trace::doubtful_durations(trace).empty();
  for (const analysis::IdleReport& report : figures.idle())
    out += idle_table(report, analysis::culprit_of(trace, figures.places(), report), doubtful);
  out += advice_table(figures);
  return out + absent_table(figures) + problem_table(figures.loaded().result.problems);
}

}  // namespace warpwalk::verbs
