// Lab: a whole trace on a few pages, and its differences from a second one.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/ranks/rank_report.h"
#include "core/analysis/slices.h"
#include "core/analysis/time/idle.h"
#include "core/story/beats/beat_of.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/labs.h"
#include "core/story/labs/overview/overview.h"
#include "core/words/idle_text.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t rows_below_ranks = 7;  // of the tables: so that the text of the ranks' card has room

// The four groups that the question about the critical path offers.
enum class PathHolder : std::uint8_t { cpu, launch, gpu, profiler };
constexpr std::string_view holders[] = {"cpu", "launch", "gpu", "profiler"};

PathHolder holder_of(analysis::PathKind kind) {
  if (kind == analysis::PathKind::profiler) return PathHolder::profiler;
  if (analysis::is_of_cpu(kind)) return PathHolder::cpu;
  return kind == analysis::PathKind::launch || kind == analysis::PathKind::wait_end ? PathHolder::launch
                                                                                    : PathHolder::gpu;
}

std::array<std::int64_t, std::size(holders)> held(const OverviewLab& lab) {
  std::array<std::int64_t, std::size(holders)> time = {};
  for (std::size_t k = 0; k < analysis::path_kinds; ++k)
    time[static_cast<std::size_t>(holder_of(static_cast<analysis::PathKind>(k)))] += lab.path_time()[k];
  return time;
}

std::size_t main_holder(const OverviewLab& lab) {
  const auto time = held(lab);
  return static_cast<std::size_t>(std::ranges::max_element(time) - time.begin());
}

std::string text_of(std::int64_t ns) { return time_text(static_cast<double>(ns)); }

std::string steps_section(const OverviewLab& lab) {
  const analysis::TrainingSteps& all = lab.overview.steps;
  if (all.empty()) return "steps.none";
  const bool one = all.steps.size() == 1;
  if (all.from == analysis::StepsFrom::optimizer) return one ? "steps.one_optimizer" : "steps.optimizer";
  return one ? "steps.one" : "steps";
}

std::string compare_section(const OverviewLab& lab) {
  if (lab.input.compared == nullptr) return "compare.none";
  const analysis::TraceSummary &before = lab.overview.summary, &after = *lab.input.compared;
  if (before.span == 0 || after.span == 0) return "compare.no_gpu";
  if (analysis::same_figures(before, after)) return "compare.same";
  if (analysis::compares_steps(before, after)) {
    const auto [one, other] = compared_summaries(lab);
    return other.span > one.span ? "compare.steps_longer" : "compare.steps_shorter";
  }
  return after.span > before.span ? "compare.longer" : after.span < before.span ? "compare.shorter" : "compare.equal";
}

Narration::Values values_of(const OverviewLab& lab) {
  const analysis::Overview& all = lab.overview;
  Narration::Values values = {{"length", text_of(lab.trace().end_ns - lab.trace().begin_ns)},
                              {"launches", with_thousands(static_cast<std::int64_t>(all.launches.total))}};
  if (all.gpu) {
    values["verdict"] = words::verdict_text(lab.input.narration, *all.gpu) +
                        (all.doubtful > 0 ? words::doubt_text(lab.input.narration, lab.trace())
                                          : words::culprit_text(lab.input.narration, *all.gpu, all.culprit));
    values["span"] = text_of(all.gpu->span());
    values["computing"] = share_text(all.gpu->computing, all.gpu->span());
  }
  if (!all.work.empty()) values["first_share"] = share_text(all.work.front().total, all.work_time);
  if (all.launches.total > 0)
    values["peak"] = with_marks(fmt::format("{:.4g}", all.launches.rate(all.launches.busiest())));
  const std::size_t holder = main_holder(lab);
  values["holder"] = lab.word(fmt::format("holder_{}", holders[holder]));
  values["holder_share"] = share_text(held(lab)[holder], lab.path_span());
  values["path_span"] = text_of(lab.path_span());
  values["of_what"] = lab.step == 0 ? lab.word("of_trace") : lab.word("of_step", {{"n", fmt::to_string(lab.step)}});
  if (!all.steps.empty()) {
    const analysis::TrainingSteps& steps = all.steps;
    values["step_name"] = steps.name;
    values["steps"] = with_thousands(std::ssize(steps.steps));
    values["slowest"] = fmt::to_string(steps.slowest() + 1);
    values["slowest_time"] = text_of(steps.steps[steps.slowest()].duration());
    values["fastest_time"] = text_of(steps.steps[steps.fastest()].duration());
    const auto [part, by] = main_difference(lab, steps.steps[steps.slowest()], steps.steps[steps.fastest()]);
    values["part"] = part;
    values["part_time"] = text_of(std::abs(by));
  }
  if (lab.input.compared != nullptr) {
    const analysis::TraceSummary &before = all.summary, &after = *lab.input.compared;
    values["file"] = after.file;
    values["other_span"] = text_of(after.span);
    values["difference"] = text_of(std::abs(after.span - before.span));
    values["median_steps"] =
        before.steps > 0 && after.steps > 0
            ? lab.word("median_steps", {{"a", text_of(before.median_step)}, {"b", text_of(after.median_step)}})
            : "";
    if (analysis::compares_steps(before, after)) {
      const auto [one, other] = compared_summaries(lab);
      values["steps_before"] = with_thousands(static_cast<std::int64_t>(before.steps));
      values["steps_after"] = with_thousands(static_cast<std::int64_t>(after.steps));
      values["step_span"] = text_of(one.span);
      values["other_step_span"] = text_of(other.span);
      values["step_difference"] = text_of(std::abs(other.span - one.span));
    }
    values["verdict_before"] = lab.word("verdict_" + words::key_of(before.verdict));
    values["verdict_after"] = lab.word("verdict_" + words::key_of(after.verdict));
  }
  return values;
}

std::vector<Task> tasks_of(const OverviewLab& lab) {
  std::vector<Task> tasks;
  if (lab.overview.steps.steps.size() > 1) tasks.push_back({"slowest", lab.step == lab.overview.steps.slowest() + 1});
  tasks.push_back({"often", lab.sort == 2});
  tasks.push_back({"by_name", lab.by_name});
  tasks.push_back({"second", lab.input.compared != nullptr});
  return tasks;
}

PanelRows page_panels(const OverviewLab& lab) {
  const bool ranks = lab.input.ranks != nullptr && !lab.input.ranks->empty();
  PanelRows all;
  // First: the last rows are left out where there is no room.
  if (ranks) all.push_back({0.7, {ranks_panel(lab)}});
  all.push_back({0.6, {time_panel(lab)}});
  if (!lab.overview.gpu) {
    all.push_back({1, {ops_panel(lab, 8, true), path_panel(lab, 8, true)}, true});
    return all;
  }
  Panel parts = parts_panel(lab), work = work_panel(lab, ranks ? rows_below_ranks : 8, true);
  std::vector<TableRow>& rows = std::get<TablePicture>(parts.picture).rows;
  if (ranks) rows.resize(std::min(rows.size(), rows_below_ranks));
  const bool low = std::max(rows.size(), std::get<TablePicture>(work.picture).rows.size()) <= 2;
  all.push_back({low ? 0.5 : 1, {std::move(parts), std::move(work)}, true});
  if (low && lab.overview.launches.total > 0) all.push_back({0.6, {launches_panel(lab)}});
  return all;
}

PanelRows kernels_panels(const OverviewLab& lab) {
  const auto at_least = [](Panel panel, std::size_t rows) {
    std::get<TablePicture>(panel.picture).least_rows = rows;
    return panel;
  };
  const bool gpu = lab.overview.gpu.has_value();
  PanelRows all;
  if (gpu)
    all.push_back({1.2, {at_least(lab.sort == 3 ? categories_panel(lab) : work_panel(lab, 12, false), 4)}, true});
  all.push_back({1, {at_least(ops_panel(lab, 10, !gpu), gpu ? 4 : 10)}, true});
  return all;
}

void page_facts(const OverviewLab& lab, FactWriter& facts) {
  const analysis::Overview& all = lab.overview;
  if (lab.trace().end_ns > lab.trace().begin_ns)
    facts.derived("length", static_cast<double>(lab.trace().end_ns - lab.trace().begin_ns), Unit::nanoseconds);
  if (all.gpu) {
    const analysis::GpuBreakdown& gpu = all.breakdown;
    facts.derived("span", static_cast<double>(gpu.to - gpu.from), Unit::nanoseconds);
    facts.derived("compute", static_cast<double>(gpu.compute), Unit::nanoseconds);
    facts.derived("non_compute", static_cast<double>(gpu.non_compute), Unit::nanoseconds);
    facts.derived("idle", static_cast<double>(gpu.idle), Unit::nanoseconds);
    if (gpu.communication > 0) {
      facts.derived("communication", static_cast<double>(gpu.communication), Unit::nanoseconds);
      facts.derived("communication_alone", static_cast<double>(gpu.communication_alone), Unit::nanoseconds);
    }
    if (all.gpus > 1) facts.derived("gpus", fmt::to_string(all.gpus));
  }
  if (const auto options = analysis::slowing_options(lab.trace()); !options.empty())
    facts.derived("slowed_by", fmt::format("{}", fmt::join(options, ", ")));
}

void kernels_facts(const OverviewLab& lab, FactWriter& facts) {
  if (!lab.overview.gpu) return;
  facts.derived("work_time", static_cast<double>(lab.overview.work_time), Unit::nanoseconds);
  facts.counted("names", lab.overview.work_names);
}

void launches_facts(const OverviewLab& lab, FactWriter& facts) {
  if (lab.overview.launches.total == 0) return;
  facts.counted("launches", lab.overview.launches.total);
  if (lab.trace().end_ns > lab.trace().begin_ns)
    facts.derived("width", static_cast<double>(lab.overview.launches.width), Unit::nanoseconds);
}

void path_facts(const OverviewLab& lab, FactWriter& facts) {
  if (lab.path_span() > 0) facts.derived("path_span", static_cast<double>(lab.path_span()), Unit::nanoseconds);
  for (std::size_t k = 0; k < analysis::path_kinds; ++k)
    if (lab.path_time()[k] > 0)
      facts.named(lab.word_of(static_cast<analysis::PathKind>(k)),
                  Figure::derived(static_cast<double>(lab.path_time()[k]), Unit::nanoseconds,
                                  facts.word("formula", "path_kind")));
}

void steps_facts(const OverviewLab& lab, FactWriter& facts) {
  const analysis::TrainingSteps& all = lab.overview.steps;
  if (all.empty()) return;
  facts.fact("steps_from",
             Figure::explained(lab.word(all.from == analysis::StepsFrom::profiler     ? "from_profiler"
                                        : all.from == analysis::StepsFrom::annotation ? "from_annotation"
                                                                                      : "from_optimizer")));
  facts.derived("median", static_cast<double>(all.steps[all.median()].duration()), Unit::nanoseconds);
  if (all.left_out > 0) facts.counted("left_out", all.left_out);
}

void compare_facts(const OverviewLab& lab, FactWriter& facts) {
  if (lab.input.compared == nullptr) return;
  const analysis::TraceSummary &before = lab.overview.summary, &after = *lab.input.compared;
  const auto both = [&](std::string_view key, std::string a, std::string b) {
    facts.derived(key, lab.word("from_to", {{"a", std::move(a)}, {"b", std::move(b)}}));
  };
  both("verdicts", lab.word("verdict_" + words::key_of(before.verdict)),
       lab.word("verdict_" + words::key_of(after.verdict)));
  both("both_length", text_of(before.length), text_of(after.length));
  both("both_launches", with_thousands(static_cast<std::int64_t>(before.launches)),
       with_thousands(static_cast<std::int64_t>(after.launches)));
  both("both_kernels", text_of(before.kernel_time()), text_of(after.kernel_time()));
  if (before.steps > 0 && after.steps > 0) both("both_steps", text_of(before.median_step), text_of(after.median_step));
}

std::optional<Ask> path_question(const OverviewLab& lab) {
  if (!lab.overview.gpu || lab.path_span() <= 0) return {};
  Options options;
  for (const std::string_view holder : holders) options.words.push_back(lab.word(fmt::format("holder_{}", holder)));
  options.keys.assign(std::begin(holders), std::end(holders));
  options.right = main_holder(lab);
  return Ask{"path", fmt::to_string(lab.step), std::move(options), {"path_span"}};
}

constexpr Frame<OverviewLab> overview_frame = {
    .subject = [](const Here& here) { return OverviewLab(here.input, here.beats[here.index]->key() == "made"); },
    .stop = "op",
    .values = values_of,
    .complete = [](OverviewLab& lab, const Narration::Values&, Stage& stage) { stage.controls = lab.controls.take(); }};

constexpr BeatOf<OverviewLab> overview_beats[] = {
    {.key = "page",
     .section = [](const OverviewLab& lab) -> std::string { return lab.overview.gpu ? "page" : "page.none"; },
     .facts = page_facts,
     .panels = page_panels,
     .controls = no_controls},
    {.key = "kernels",
     .section = [](const OverviewLab& lab) -> std::string { return lab.overview.gpu ? "kernels" : "kernels.none"; },
     .facts = kernels_facts,
     .panels = kernels_panels,
     .controls = [](const OverviewLab&) -> ControlNames { return {"sort"}; }},
    {.key = "launches",
     .section = [](const OverviewLab& lab) -> std::string {
       return lab.overview.launches.total > 0 ? "launches" : "launches.none";
     },
     .facts = launches_facts,
     .panels = [](const OverviewLab& lab) -> PanelRows {
       if (lab.overview.launches.total == 0) return {};
       return {{1, {launches_panel(lab)}}, {1, {queue_panel(lab)}}};
     },
     .controls = no_controls},
    {.key = "path",
     .section = [](const OverviewLab& lab) -> std::string {
       return lab.overview.path.span() > 0 ? "path" : "path.none";
     },
     .facts = path_facts,
     .panels = [](const OverviewLab& lab) -> PanelRows {
       return {{0.8, {path_bars_panel(lab)}}, {1, {path_panel(lab, 5, false)}, true}};
     },
     .controls = [](const OverviewLab&) -> ControlNames {
       return {"step", "list"};
     },
     .question = path_question},
    {.key = "steps",
     .section = steps_section,
     .facts = steps_facts,
     .panels = [](const OverviewLab& lab) -> PanelRows {
       if (lab.overview.steps.empty()) return {};
       return {{0.8, {steps_chart_panel(lab)}}, {1, {steps_panel(lab)}, true}};
     },
     .controls = [](const OverviewLab&) -> ControlNames { return {"step"}; }},
    {.key = "compare",
     .section = compare_section,
     .facts = compare_facts,
     .panels = [](const OverviewLab& lab) -> PanelRows {
       if (lab.input.compared == nullptr) return {{1, {figures_panel(lab)}}};
       return {{0.6, {compare_bars_panel(lab)}},
               {1, {lab.changes_by ? work_changes_panel(lab, 9) : changes_panel(lab, 7)}, true}};
     },
     .controls = [](const OverviewLab& lab) -> ControlNames {
       if (lab.input.comparison == nullptr) return {};
       return {"changes"};
     }},
    {.key = "change",
     .section = [](const OverviewLab& lab) -> std::string {
       return lab.overview.advice.empty() ? "change.none" : "change";
     },
     .panels = [](const OverviewLab& lab) -> PanelRows {
       if (lab.overview.advice.empty()) return {};
       return {{1, {advice_panel(lab, 7)}, true}};
     },
     .controls = no_controls},
    {.key = "made",
     .anchor = [](const WalkTimes& times) -> std::optional<std::int64_t> {
       if (!analysis::made_change(times.trace)) return {};
       return 0;
     },
     .values = made_values,
     .facts = made_facts,
     .panels = made_panels,
     .controls = no_controls,
     .question = made_question},
    {.key = "next",
     .panels = [](const OverviewLab& lab) -> PanelRows {
       return {{2, {next_panel(lab)}}, {1, {tasks_panel(lab.input, OverviewLab::name, tasks_of(lab))}, true}};
     },
     .controls = no_controls}};

}  // namespace

const Contents& overview_lab() {
  static const BeatTable table(OverviewLab::name, overview_frame, overview_beats);
  return table;
}

}  // namespace warpwalk::story
