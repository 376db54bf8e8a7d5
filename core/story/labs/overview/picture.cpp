// The page: bars of time, causes, kernels, ops, launches.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/analysis/time/idle.h"
#include "core/story/facts/words/rows.h"
#include "core/story/labs/overview/overview.h"
#include "core/trace/link.h"
#include "core/words/idle_text.h"
#include "core/words/time_column.h"

namespace warpwalk::story {
namespace {

Role role_of(analysis::IdleCause cause) {
  switch (cause) {
    case analysis::IdleCause::late_launch:
    case analysis::IdleCause::latency: return Role::launch;
    case analysis::IdleCause::copy:
    case analysis::IdleCause::pageable: return Role::copy;
    case analysis::IdleCause::profiler: return Role::overhead;
    case analysis::IdleCause::loading:
    case analysis::IdleCause::allocation: return Role::call;
    case analysis::IdleCause::blocked:
    case analysis::IdleCause::unrecorded:
    case analysis::IdleCause::unknown: return Role::python;
    default: return Role::wait;
  }
}

Role role_of(analysis::PathKind kind) {
  switch (kind) {
    case analysis::PathKind::python: return Role::python;
    case analysis::PathKind::op: return Role::op;
    case analysis::PathKind::call: return Role::call;
    case analysis::PathKind::unrecorded: return Role::python;
    case analysis::PathKind::loading: return Role::call;
    case analysis::PathKind::profiler: return Role::overhead;
    case analysis::PathKind::launch: return Role::launch;
    case analysis::PathKind::kernel: return Role::kernel;
    case analysis::PathKind::copy: return Role::copy;
    default: return Role::wait;
  }
}

GpuSums sums_of(const analysis::IdleReport& gpu) {
  return {gpu.computing, gpu.communicating, gpu.copying, gpu.time, gpu.counts};
}

double milliseconds(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

// The least of 1, 2, 5, 10, 20 ... that is not below the value.
double round_top(double value) {
  if (value <= 0) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= value) return factor * power;
  return 10 * power;
}

ChartPicture over_time(const OverviewLab& lab, const std::vector<double>& values) {
  const analysis::LaunchRate& rate = lab.overview.launches;
  ChartPicture chart;
  chart.to = milliseconds(rate.width) * static_cast<double>(values.size());
  const std::size_t highest = static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
  chart.top = round_top(values[highest]);
  chart.levels = {{0, "0"}, {chart.top, with_marks(fmt::format("{:g}", chart.top))}};
  const double tick = round_top(chart.to / 8);
  for (double at = 0; at <= chart.to; at += tick)
    chart.ticks.emplace_back(
        at, chart.to < 2000 ? with_marks(fmt::format("{:g} ms", at)) : with_marks(fmt::format("{:g} s", at / 1000)));
  const double width = milliseconds(rate.width);
  for (std::size_t i = 0; i < values.size(); ++i)
    chart.steps.push_back({width * static_cast<double>(i), width * static_cast<double>(i + 1), values[i]});
  chart.here = {width * (static_cast<double>(highest) + 0.5), values[highest],
                lab.word("highest", {{"n", with_marks(fmt::format("{:.4g}", values[highest]))}})};
  return chart;
}

}  // namespace

OverviewLab::OverviewLab(const SceneInput& in, bool with_made)
    : input(in),
      own(in.overview == nullptr ? std::optional<analysis::Overview>(analysis::overview_of(in.trace)) : std::nullopt),
      overview(in.overview == nullptr ? *own : *in.overview) {
  if (!overview.steps.empty()) {
    std::vector<double> numbers(overview.steps.steps.size() + 1);
    std::iota(numbers.begin(), numbers.end(), 0.0);
    step = static_cast<std::size_t>(controls.slider("step", std::move(numbers), 0, "whole"));
  }
  by_name = controls.choice("list", {word("by_time"), word("by_name")}, 0, "usual") == 1;
  if (in.comparison != nullptr) {
    const auto chosen = static_cast<std::size_t>(controls.choice(
        "changes", {word("by_part"), word("by_category"), word("by_op"), word("by_module"), word("by_kernel")}, 0,
        "usual"));
    if (chosen > 0) changes_by = static_cast<analysis::WorkGrouping>(chosen - 1);
  }
  if (with_made) made = made_prediction(in);
  sort =
      controls.choice("sort", {word("by_total"), word("by_mean"), word("by_count"), word("by_category")}, 0, "usual");
}

std::string OverviewLab::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text(fmt::format("{}.word", name), key, values);
}

TableCell OverviewLab::derived(std::string text, std::string_view formula) const {
  return figure_cell(Figure::derived(std::move(text), input.narration.text(fmt::format("{}.formula", name), formula)));
}

TableCell OverviewLab::count(std::size_t n, std::string_view formula) const {
  return figure_cell(Figure::derived(static_cast<double>(n), Unit::count,
                                     input.narration.text(fmt::format("{}.formula", name), formula)));
}

std::string OverviewLab::word_of(analysis::PathKind kind) const {
  return input.narration.text(fmt::format("{}.path_kind", name), name_of(kind));
}

std::string OverviewLab::label(SliceId slice) const {
  return slice == no_slice ? "–" : analysis::label_of(input.trace, slice);
}

std::int64_t OverviewLab::path_span() const {
  return step == 0 ? overview.path.span() : overview.steps.steps[step - 1].duration();
}
const std::array<std::int64_t, analysis::path_kinds>& OverviewLab::path_time() const {
  return step == 0 ? overview.path.time : overview.steps.steps[step - 1].path_time;
}
const std::vector<analysis::PathRow>& OverviewLab::path_list() const {
  return step == 0 ? overview.path_list : overview.steps.steps[step - 1].path;
}
const std::vector<analysis::PathRow>& OverviewLab::path_longest() const {
  return step == 0 ? overview.path_longest : overview.steps.steps[step - 1].path_longest;
}
const std::vector<analysis::PathRow>& OverviewLab::path_names() const {
  return step == 0 ? overview.path_names : overview.steps.steps[step - 1].path_names;
}

std::vector<TimePart> time_parts(const Narration& narration, const GpuSums& sums) {
  std::vector<TimePart> parts = {{narration.text("idle", "computing"), Role::kernel, sums.computing, 0, {}},
                                 {narration.text("idle", "communicating"), Role::wait, sums.communicating, 0, {}},
                                 {narration.text("idle", "copying"), Role::copy, sums.copying, 0, {}}};
  for (std::size_t i = 0; i < analysis::idle_causes; ++i) {
    const auto cause = static_cast<analysis::IdleCause>(i);
    parts.push_back({words::cause_text(narration, cause), role_of(cause), sums.idle[i], sums.gaps[i], cause});
  }
  std::stable_sort(parts.begin() + 3, parts.end(),
                   [](const TimePart& a, const TimePart& b) { return a.time > b.time; });
  std::erase_if(parts, [](const TimePart& part) { return part.time == 0; });
  return parts;
}

Row stacked(std::string name, const std::vector<TimePart>& parts, std::int64_t longest) {
  Row row{std::move(name), {}};
  std::int64_t at = 0;
  for (const TimePart& part : parts) {
    // Shorter bars have no room for a label.
    const bool readable = part.time * 14 >= longest;
    row.bars.push_back({no_slice, readable ? part.label : std::string(), at, at + part.time, part.role, false, 1});
    at += part.time;
  }
  return row;
}

SliceId followable(const Trace& trace, SliceId slice) {
  for (; slice != no_slice; slice = trace.slices.parent[slice]) {
    const trace::SliceKind kind = trace.slices.kind[slice];
    if (kind == trace::SliceKind::op || trace::is_gpu_work(kind)) return slice;
    const std::size_t i = trace::first_launched(trace, slice);
    if (trace::is_call(kind) && i < trace.launched.size() && trace.launched[i].first == slice)
      return trace.launched[i].second;
    if (kind == trace::SliceKind::python) break;
  }
  return no_slice;
}

Panel time_panel(const OverviewLab& lab) {
  const analysis::Overview& all = lab.overview;
  TimelinePicture picture;
  const std::int64_t longest = std::max({all.gpu ? all.gpu->span() : 0, all.path.span(), std::int64_t{1}});
  picture.to = static_cast<double>(longest);
  picture.untimed = !all.gpu && all.path.span() == 0;
  RowGroup group{lab.word("by_kind"), {}};
  if (all.gpu) {
    group.rows.push_back(stacked(lab.word("row_gpu"), time_parts(lab.input.narration, sums_of(*all.gpu)), longest));
  }
  std::vector<TimePart> path;
  for (std::size_t k = 0; k < analysis::path_kinds; ++k)
    if (all.path.time[k] > 0)
      path.push_back({lab.word_of(static_cast<analysis::PathKind>(k)),
                      role_of(static_cast<analysis::PathKind>(k)),
                      all.path.time[k],
                      0,
                      {}});
  group.rows.push_back(stacked(lab.word("path"), path, longest));
  picture.groups.push_back(std::move(group));
  return {"", 1, std::move(picture)};
}

Panel parts_panel(const OverviewLab& lab) {
  const analysis::IdleReport& gpu = *lab.overview.gpu;
  TablePicture table;
  table.columns = {{lab.word("head_cause")},
                   {lab.word("head_time"), 1, true, true},
                   {lab.word("head_share"), 1, true, true},
                   {lab.word("head_gaps"), 1, true, true}};
  const std::vector<TimePart> parts = time_parts(lab.input.narration, sums_of(gpu));
  std::int64_t largest = 0;
  for (const TimePart& part : parts) largest = std::max(largest, part.time);
  const words::TimeColumn times(largest);
  for (const TimePart& part : parts) {
    TableRow row;
    row.cells = {word_cell(part.label), lab.derived(times.text(part.time), part.cause ? "gaps_by_cause" : "busy"),
                 lab.derived(share_text(part.time, gpu.span()), "share_span"),
                 part.cause ? lab.count(part.gaps, "gaps") : word_cell("")};
    if (part.cause)
      if (const analysis::IdleGap* const gap = lab.overview.longest_gap(*part.cause))
        row.follow = followable(lab.trace(), gap->work);
    table.rows.push_back(std::move(row));
  }
  return {lab.word("causes"), 1, std::move(table)};
}

// The lines that a compiler made a kernel of, each with its part of the kernel's time.
void add_parts(const OverviewLab& lab, const analysis::WorkCost& cost, const words::TimeColumn& totals,
               TablePicture& table) {
  constexpr std::size_t most_parts = 3;
  for (std::size_t i = 0; i < std::min(cost.parts.size(), most_parts); ++i) {
    const analysis::KernelPart& part = cost.parts[i];
    const std::int64_t time = std::llround(part.share * static_cast<double>(cost.total));
    TableRow row;
    row.cells = {word_cell("    " + part.row, Tone::quiet), lab.derived(totals.text(time), "part"),
                 lab.derived(share_text(time, lab.overview.work_time), "share_work")};
    row.cells.resize(table.columns.size());
    row.follow = followable(lab.trace(), cost.longest_one);
    table.rows.push_back(std::move(row));
  }
}

Panel work_panel(const OverviewLab& lab, std::size_t rows, bool short_form) {
  const analysis::Overview& all = lab.overview;
  std::vector<const analysis::WorkCost*> order;
  for (const analysis::WorkCost& cost : all.work) order.push_back(&cost);
  if (lab.sort == 1)
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [](const analysis::WorkCost* cost) { return cost->mean(); });
  if (lab.sort == 2)
    std::ranges::stable_sort(order, std::ranges::greater{}, [](const analysis::WorkCost* cost) { return cost->count; });
  TablePicture table;
  // The long form has its heading in the table: the page has two of them above a control.
  std::string heading = lab.word("kernels", {{"n", fmt::to_string(all.work_names)}});
  table.columns = {{short_form ? lab.word("head_work") : std::exchange(heading, {})},
                   {lab.word("head_total"), 1, true, true},
                   {lab.word("head_share"), 1, true, true},
                   {lab.word("head_count"), 1, true, true}};
  if (!short_form) {
    table.columns.push_back({lab.word("head_mean"), 1, true, true});
    table.columns.push_back({lab.word("head_shortest"), 1, true, true});
    table.columns.push_back({lab.word("head_longest"), 1, true, true});
  }
  std::int64_t largest = 0, longest = 0;
  for (const analysis::WorkCost& cost : all.work) {
    largest = std::max(largest, cost.total);
    longest = std::max(longest, cost.longest);
  }
  const words::TimeColumn totals(largest), single(longest);
  const Origin origin = lab.trace().records.time_origin();
  for (std::size_t i = 0; i < order.size() && table.rows.size() < rows; ++i) {
    const analysis::WorkCost& cost = *order[i];
    TableRow row;
    row.cells = {word_cell(cost.label), lab.derived(totals.text(cost.total), "total"),
                 lab.derived(share_text(cost.total, all.work_time), "share_work"), lab.count(cost.count, "count")};
    row.cells.front().tip = std::string(lab.trace().name(cost.longest_one));
    for (const analysis::KernelPart& part : cost.parts)
      row.cells.front().tip += fmt::format("\n{:.0f} %  {}", 100 * part.share, part.row);
    if (!short_form) {
      row.cells.push_back(lab.derived(single.text(std::llround(cost.mean())), "mean"));
      row.cells.push_back(figure_cell(Figure::recorded(single.text(cost.shortest), origin)));
      row.cells.push_back(figure_cell(Figure::recorded(single.text(cost.longest), origin)));
    }
    row.follow = followable(lab.trace(), cost.longest_one);
    row.followed = cost.longest_one == lab.input.walk.kernel;
    table.rows.push_back(std::move(row));
    add_parts(lab, cost, totals, table);
  }
  if (table.rows.size() > rows) table.rows.resize(rows);
  return {std::move(heading), 1, std::move(table)};
}

Panel ops_panel(const OverviewLab& lab, std::size_t rows, bool short_form) {
  const analysis::Overview& all = lab.overview;
  TablePicture table;
  std::string heading = lab.word("ops");
  table.columns = {{short_form ? lab.word("head_op") : std::exchange(heading, {}), 5}};
  if (!short_form) {
    table.columns.push_back({lab.word("head_gpu"), 1.5, true});
    table.columns.push_back({lab.word("head_share"), 1.1, true});
    table.columns.push_back({lab.word("head_works"), 1.2, true});
  }
  table.columns.push_back({lab.word("head_count"), 1, true});
  table.columns.push_back({lab.word("head_self"), 1.6, true});
  std::int64_t gpu = 0, self = 0;
  for (const analysis::OpCost& cost : all.ops) {
    gpu = std::max(gpu, cost.gpu);
    self = std::max(self, cost.self);
  }
  const words::TimeColumn gpu_times(gpu), self_times(self);
  for (std::size_t i = 0; i < std::min(rows, all.ops.size()); ++i) {
    const analysis::OpCost& cost = all.ops[i];
    const bool outside = cost.example == no_slice;
    TableRow row;
    row.cells = {word_cell(outside ? lab.word("outside_ops") : lab.label(cost.example))};
    if (!short_form) {
      row.cells.push_back(lab.derived(gpu_times.text(cost.gpu), "op_gpu"));
      row.cells.push_back(lab.derived(share_text(cost.gpu, all.op_gpu_time), "share_work"));
      row.cells.push_back(lab.count(cost.works, "works"));
    }
    row.cells.push_back(outside ? word_cell("–") : lab.count(cost.count, "count"));
    row.cells.push_back(outside ? word_cell("–") : lab.derived(self_times.text(cost.self), "op_self"));
    row.follow = cost.example;
    row.followed = cost.example != no_slice && cost.example == lab.input.walk.op;
    table.rows.push_back(std::move(row));
  }
  return {std::move(heading), 1, std::move(table)};
}

Panel launches_panel(const OverviewLab& lab) {
  const analysis::LaunchRate& rate = lab.overview.launches;
  std::vector<double> values;
  for (std::size_t i = 0; i < rate.launches.size(); ++i) values.push_back(rate.rate(i));
  ChartPicture chart = over_time(lab, values);
  chart.label = lab.word("launches");
  chart.tip = lab.word("launches_tip", {{"width", time_text(static_cast<double>(rate.width))}});
  return {"", 1, std::move(chart)};
}

Panel queue_panel(const OverviewLab& lab) {
  ChartPicture chart = over_time(lab, lab.overview.launches.queued);
  chart.label = lab.word("queue");
  chart.tip = lab.word("queue_tip", {{"width", time_text(static_cast<double>(lab.overview.launches.width))}});
  return {"", 1, std::move(chart)};
}

Panel path_bars_panel(const OverviewLab& lab) {
  TimelinePicture picture;
  const std::vector<analysis::PathRow>& list = lab.path_list();
  if (!list.empty()) {
    picture.from = static_cast<double>(analysis::since_start(lab.trace(), list.front().from));
    picture.to = static_cast<double>(analysis::since_start(lab.trace(), list.back().to));
  }
  picture.untimed = list.empty() || picture.to <= picture.from;  // the trace has no times
  picture.to = std::max(picture.to, picture.from + 1);
  Row cpu{lab.word("row_cpu"), {}}, gpu{lab.word("row_gpu"), {}};
  for (const analysis::PathRow& row : list) {
    const bool on_gpu = analysis::is_of_gpu(row.kind) || row.kind == analysis::PathKind::queue;
    (on_gpu ? gpu : cpu)
        .bars.push_back({no_slice, lab.word_of(row.kind), analysis::since_start(lab.trace(), row.from),
                         analysis::since_start(lab.trace(), row.to), role_of(row.kind), false, 1});
  }
  picture.groups.push_back({lab.word("path"), {std::move(cpu), std::move(gpu)}});
  return {"", 1, std::move(picture)};
}

}  // namespace warpwalk::story
