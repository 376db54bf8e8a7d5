#include "app/verbs/info/conditions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/nearest.h"
#include "core/run/replay/load_recorded.h"

namespace warpwalk::verbs {
namespace {

using trace::SliceKind;
using Value = std::optional<double>;

double real(std::uint64_t n) { return static_cast<double>(n); }

/// A share of the time between the first and the last work of the GPU on which kernels ran longest.
template <class Part>
std::function<Value(InfoFigures&)> gpu_percent(Part part) {
  return [part](InfoFigures& figures) -> Value {
    const auto& gpu = figures.overview().gpu;
    if (!gpu || gpu->span() <= 0) return {};
    return 100.0 * static_cast<double>(part(*gpu, figures.overview().breakdown)) / static_cast<double>(gpu->span());
  };
}

std::function<Value(InfoFigures&)> slices_of(SliceKind kind) {
  return [kind](InfoFigures& figures) -> Value { return real(figures.summary().of(kind)); };
}

/// The name with _ for spaces and hyphens.
std::string figure_name(std::string_view name) {
  std::string plain(name);
  std::ranges::replace(plain, ' ', '_');
  std::ranges::replace(plain, '-', '_');
  return plain;
}

std::uint64_t problem_count(const trace::Problems& problems, bool only_losses) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      problems.rows(), [&](const trace::Problem& problem) { return !only_losses || trace::loses_data(problem.kind); }));
}

void add_counts(std::vector<NamedFigure>& all) {
  all.push_back({"events", "readable events of the file",
                 [](InfoFigures& f) -> Value { return real(f.loaded().result.events); }});
  all.push_back({"ops", "PyTorch ops", slices_of(SliceKind::op)});
  all.push_back(
      {"launches", "calls that started kernels", [](InfoFigures& f) -> Value { return real(f.summary().launches); }});
  all.push_back({"kernels", "kernels", slices_of(SliceKind::kernel)});
  all.push_back({"memcpys", "copies", slices_of(SliceKind::memcpy)});
  all.push_back({"memsets", "fills", slices_of(SliceKind::memset)});
  all.push_back({"synchronisations", "calls that wait for the GPU, and cuda_sync records",
                 [](InfoFigures& f) -> Value { return real(f.summary().synchronisations); }});
  all.push_back({"streams", "streams with work", [](InfoFigures& f) -> Value { return real(f.summary().streams); }});
  all.push_back({"gpus", "GPUs with timed work", [](InfoFigures& f) -> Value { return real(f.idle().size()); }});
  all.push_back({"kernels_without_launch", "kernels whose launch is not in the file", [](InfoFigures& f) -> Value {
                   return real(f.summary().of(SliceKind::kernel) - f.summary().linked_to_launch);
                 }});
  all.push_back({"kernels_without_op", "kernels that no op launched", [](InfoFigures& f) -> Value {
                   return real(f.summary().of(SliceKind::kernel) - f.summary().linked_to_op);
                 }});
  all.push_back({"problems", "kinds of problems in the list of info",
                 [](InfoFigures& f) -> Value { return real(problem_count(f.loaded().result.problems, false)); }});
  all.push_back({"lost_data", "kinds of problems by which data was lost",
                 [](InfoFigures& f) -> Value { return real(problem_count(f.loaded().result.problems, true)); }});
}

void add_times(std::vector<NamedFigure>& all) {
  all.push_back({"time_span_ms", "ms from the trace's start to its end", [](InfoFigures& f) -> Value {
                   return static_cast<double>(f.trace().end_ns - f.trace().begin_ns) / 1e6;
                 }});
  all.push_back({"gpu_span_ms", "ms from the GPU's first work, or the start of its step, to its last work",
                 [](InfoFigures& f) -> Value {
                   const auto& gpu = f.overview().gpu;
                   return gpu ? Value(static_cast<double>(gpu->span()) / 1e6) : Value();
                 }});
  using Report = analysis::IdleReport;
  using Breakdown = analysis::GpuBreakdown;
  const auto unrecorded = [](const Report& gpu) { return gpu.of(analysis::IdleCause::unrecorded); };
  all.push_back({"gpu_busy_pct", "% of the GPU's span with kernels, copies or fills",
                 gpu_percent([](const Report& gpu, const Breakdown&) { return gpu.span() - gpu.idle(); }),
                 gpu_percent([](const Report& gpu, const Breakdown&) { return gpu.span() - gpu.known_idle(); })});
  all.push_back({"idle_pct", "% of the GPU's span without work in the trace",
                 gpu_percent([](const Report& gpu, const Breakdown&) { return gpu.idle(); }),
                 gpu_percent([](const Report& gpu, const Breakdown&) { return gpu.known_idle(); })});
  all.push_back({"known_idle_pct",
                 "idle_pct without the time in which the GPU may have done work that is not in the trace",
                 gpu_percent([](const Report& gpu, const Breakdown&) { return gpu.known_idle(); })});
  all.push_back(
      {"computing_pct", "% of the GPU's span with a kernel that computes",
       gpu_percent([](const Report& gpu, const Breakdown&) { return gpu.computing; }),
       gpu_percent([unrecorded](const Report& gpu, const Breakdown&) { return gpu.computing + unrecorded(gpu); })});
  all.push_back({"copying_pct", "% of the GPU's span with copies and fills alone",
                 gpu_percent([](const Report& gpu, const Breakdown&) { return gpu.copying; })});
  all.push_back({"communication_pct", "% of the GPU's span with kernels that exchange data with other GPUs",
                 gpu_percent([](const Report&, const Breakdown& gpu) { return gpu.communication; })});
  all.push_back({"communication_alone_pct", "% of the GPU's span with such kernels and none that computes",
                 gpu_percent([](const Report&, const Breakdown& gpu) { return gpu.communication_alone; })});
  all.push_back({"gaps", "times without work", [](InfoFigures& f) -> Value {
                   std::size_t gaps = 0;
                   for (const Report& report : f.idle()) gaps += report.gaps.size();
                   return real(gaps);
                 }});
  for (std::size_t i = 0; i < analysis::idle_causes; ++i) {
    const auto cause = static_cast<analysis::IdleCause>(i);
    const std::string name = "gaps." + figure_name(name_of(cause));
    all.push_back({name + "_pct", fmt::format("% of the GPU's span without work: {}", name_of(cause)),
                   gpu_percent([cause](const Report& gpu, const Breakdown&) { return gpu.of(cause); })});
  }
}

void add_path_and_steps(std::vector<NamedFigure>& all) {
  for (std::size_t i = 0; i < analysis::path_kinds; ++i) {
    const auto kind = static_cast<analysis::PathKind>(i);
    all.push_back({fmt::format("path.{}_pct", figure_name(name_of(kind))),
                   fmt::format("% of the critical path: {}", name_of(kind)), [kind](InfoFigures& f) -> Value {
                     const analysis::CriticalPath& path = f.overview().path;
                     if (path.span() <= 0) return {};
                     return 100.0 * static_cast<double>(path.of(kind)) / static_cast<double>(path.span());
                   }});
  }
  all.push_back({"steps", "training steps", [](InfoFigures& f) -> Value {
                   return real(f.overview().steps.steps.size() + f.overview().steps.left_out);
                 }});
  const auto step_ms = [](auto which) {
    return [which](InfoFigures& f) -> Value {
      const analysis::TrainingSteps& steps = f.overview().steps;
      return steps.empty() ? Value() : Value(static_cast<double>(steps.steps[which(steps)].duration()) / 1e6);
    };
  };
  all.push_back({"step_median_ms", "ms of the median step",
                 step_ms([](const analysis::TrainingSteps& steps) { return steps.median(); })});
  all.push_back({"step_slowest_ms", "ms of the slowest step",
                 step_ms([](const analysis::TrainingSteps& steps) { return steps.slowest(); })});
}

// Of a memory snapshot of PyTorch.
void add_snapshot(std::vector<NamedFigure>& all) {
  using Sums = analysis::SnapshotSums;
  const auto add = [&](std::string_view name, std::string meaning, auto value) {
    all.push_back({fmt::format("snapshot.{}", name), std::move(meaning), [value](InfoFigures& f) -> Value {
                     const Sums* const sums = f.snapshot();
                     return sums == nullptr ? Value() : value(*sums);
                   }});
  };
  const auto bytes = [](std::int64_t Sums::*member) {
    return [member](const Sums& sums) {
      return sums.*member == trace::absent ? Value() : Value(static_cast<double>(sums.*member));
    };
  };
  const auto number = [](std::size_t Sums::*member) {
    return [member](const Sums& sums) { return real(sums.*member); };
  };
  add("reserved_bytes", "bytes of a snapshot's segments", bytes(&Sums::reserved));
  add("allocated_bytes", "bytes of its blocks in use", bytes(&Sums::allocated));
  add("awaiting_free_bytes", "bytes of freed blocks that other streams still use", bytes(&Sums::awaiting));
  add("inactive_bytes", "free bytes in segments that are partly in use", bytes(&Sums::inactive));
  add("free_segments_bytes", "bytes of segments without a block in use", bytes(&Sums::whole));
  add("peak_allocated_bytes", "most bytes that the program held in the history on one GPU", bytes(&Sums::peak));
  add("segments", "segments of a snapshot", number(&Sums::segments));
  add("blocks", "blocks of a snapshot", number(&Sums::blocks));
  add("blocks_in_use", "its blocks in use", number(&Sums::in_use));
  add("out_of_memory", "requests that were refused in the history", number(&Sums::refused));
  add("inactive_pct", "inactive bytes in % of the reserved ones", [](const Sums& sums) {
    return sums.reserved <= 0 ? Value()
                              : Value(100.0 * static_cast<double>(sums.inactive) / static_cast<double>(sums.reserved));
  });
}

// Of --compare.
void add_comparison(std::vector<NamedFigure>& all) {
  using Comparison = analysis::TraceComparison;
  const auto of = [](auto value) {
    return [value](InfoFigures& f) -> Value { return f.comparison() ? value(*f.comparison()) : Value(); };
  };
  const auto percent = [](const std::array<double, 2>& both) {
    return both[0] > 0 ? Value(100.0 * (both[1] / both[0] - 1)) : Value();
  };
  all.push_back({"step_median_pct", "% by which the median step of --compare is longer",
                 of([](const Comparison& one) { return one.step_median_pct(); }),
                 of([](const Comparison& one) { return one.known_step_median_pct(); }),
                 "the spread of the steps explains the difference"});
  all.push_back({"gpu_work_pct", "% by which the GPU's work of --compare takes longer per step",
                 of([percent](const Comparison& one) { return percent(one.time); })});
  all.push_back({"launches_pct", "% by which --compare has more kernels, copies and fills per step",
                 of([percent](const Comparison& one) { return percent(one.launches); })});
}

struct OperatorText {
  std::string_view text;
  Condition::Operator op;
};
// Two characters before one.
constexpr std::array<OperatorText, 6> operators = {{{">=", Condition::Operator::at_least},
                                                    {"<=", Condition::Operator::at_most},
                                                    {"==", Condition::Operator::equal},
                                                    {"!=", Condition::Operator::unequal},
                                                    {">", Condition::Operator::more},
                                                    {"<", Condition::Operator::less}}};

std::string_view without_spaces(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t");
  return from == std::string_view::npos ? std::string_view() : text.substr(from, to - from + 1);
}

std::string value_text(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

base::Error malformed(std::string_view text) {
  return base::Error{fmt::format(
      "--fail-if {}: not a condition; write a figure, one of > >= < <= == !=, and a number, such as 'idle_pct>20'",
      text)};
}

}  // namespace

const std::vector<NamedFigure>& named_figures() {
  static const std::vector<NamedFigure> all = [] {
    std::vector<NamedFigure> figures;
    add_counts(figures);
    add_times(figures);
    add_path_and_steps(figures);
    add_snapshot(figures);
    add_comparison(figures);
    return figures;
  }();
  return all;
}

bool Condition::holds(double value) const {
  switch (op) {
    case Operator::more: return value > limit;
    case Operator::at_least: return value >= limit;
    case Operator::less: return value < limit;
    case Operator::at_most: return value <= limit;
    case Operator::equal: return value == limit;
    case Operator::unequal: return value != limit;
  }
  return false;
}

base::Result<Condition> parse_condition(std::string_view text) {
  const std::size_t at = text.find_first_of("<>=!");
  if (at == std::string_view::npos) return malformed(text);
  const auto found =
      std::ranges::find_if(operators, [&](const OperatorText& one) { return text.substr(at).starts_with(one.text); });
  if (found == operators.end()) return malformed(text);
  Condition condition;
  condition.op = found->op;
  condition.text = text;
  const std::string_view name = without_spaces(text.substr(0, at));
  const std::string_view number = without_spaces(text.substr(at + found->text.size()));
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), condition.limit);
  if (name.empty() || error != std::errc() || end != number.data() + number.size() || !std::isfinite(condition.limit))
    return malformed(text);
  std::vector<std::string_view> names;
  for (const NamedFigure& figure : named_figures()) {
    names.push_back(figure.name);
    if (figure.name == name) condition.figure = &figure;
  }
  if (condition.figure != nullptr) return condition;
  const std::string_view near = base::nearest_name(name, names);
  return base::Error{fmt::format("--fail-if {}: unknown figure {}; {}docs/verbs.md lists them", text, name,
                                 near.empty() ? "" : fmt::format("did you mean {}? ", near))};
}

std::string condition_text(const Condition& condition, double value) {
  return fmt::format("{}: it is {}", condition.text, value_text(value));
}

std::string doubtful_text(const Condition& condition, double value, double at_best) {
  if (!condition.figure->doubt.empty())
    return fmt::format("{}: not counted: it is {}, but {}", condition.text, value_text(value), condition.figure->doubt);
  return fmt::format("{}: not counted: it is {}, but {} without the time of which the trace may lack work",
                     condition.text, value_text(value), value_text(at_best));
}

}  // namespace warpwalk::verbs
