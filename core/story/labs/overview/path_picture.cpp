// The critical path as a list, steps beside each other, and where to go next.
#include <algorithm>
#include <cstdlib>
#include <functional>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/analysis/time/idle.h"
#include "core/story/labs/overview/overview.h"
#include "core/words/advice_text.h"
#include "core/words/idle_text.h"
#include "core/words/time_column.h"

namespace warpwalk::story {
namespace {

// What a stretch is, and, unless `alone`, what it comes before.
std::string text_of(const OverviewLab& lab, const analysis::PathRow& row, bool alone) {
  const bool has_next = row.kind == analysis::PathKind::python || row.kind == analysis::PathKind::unrecorded ||
                        row.kind == analysis::PathKind::profiler || row.kind == analysis::PathKind::blocked ||
                        row.kind == analysis::PathKind::loading;
  const bool before_nothing = has_next && (alone || row.next == no_slice);
  return lab.input.narration.text(
      fmt::format("{}.{}", OverviewLab::name, before_nothing ? "last_path_row" : "path_row"), name_of(row.kind),
      {{"name", lab.label(row.slice)}, {"next", lab.label(row.next)}});
}

// The same in a row of the list: in a long text, what it comes before is at the pointer.
TableCell path_cell(const OverviewLab& lab, const analysis::PathRow& row) {
  constexpr std::size_t most = 56;  // characters on one line of a projector, beside the figures
  std::string text = text_of(lab, row, false);
  if (text.size() <= most) return word_cell(std::move(text));
  TableCell cell = word_cell(text_of(lab, row, true));
  if (cell.text != text) cell.tip = std::move(text);
  return cell;
}

SliceId leads_to(const OverviewLab& lab, const analysis::PathRow& row) {
  const SliceId own = followable(lab.trace(), row.slice);
  return own != no_slice ? own : followable(lab.trace(), row.next);
}

// The largest part of a step's idle time; none if there is none.
std::optional<analysis::IdleCause> main_cause(const analysis::TrainingStep& step) {
  const auto most = std::ranges::max_element(step.idle);
  if (*most == 0) return {};
  return static_cast<analysis::IdleCause>(most - step.idle.begin());
}

CardLink to_scene(std::string_view scene) { return {std::string(scene), {}, {}, {}}; }
CardLink to_key(std::string_view key) { return {{}, {}, {}, std::string(key)}; }

CardLink help_for(analysis::IdleVerdict verdict) {
  switch (verdict) {
    case analysis::IdleVerdict::busy:
    case analysis::IdleVerdict::between: return to_scene("lab/occupancy");
    case analysis::IdleVerdict::launch_bound: return to_scene("launch");
    case analysis::IdleVerdict::copy_bound: return to_scene("warehouse");
    case analysis::IdleVerdict::blocked:
    case analysis::IdleVerdict::loading:
    case analysis::IdleVerdict::allocating: return to_key("idle");
    case analysis::IdleVerdict::synchronised:
    case analysis::IdleVerdict::dependent: return to_scene("boardroom");
    default: return to_key("timeline");
  }
}

// What the change would gain, with its range: "-12 % (-20 to -5 %)".
TableCell predicted_cell(const Narration& narration, const analysis::AdvicePrediction& one) {
  if (one.change.empty()) return word_cell("–");
  if (!one.step) {
    TableCell cell = word_cell(narration.text("advice", "cannot_tell"));
    cell.tip = narration.text("advice", "basis.cannot", {{"change", one.change}, {"why", one.cannot}});
    return cell;
  }
  const auto share = [&](double step) {
    return with_marks(fmt::format("{:+.0f}", 100 * (step - one.before) / one.before));
  };
  return figure_cell(Figure::derived(
      narration.text("advice", "predicted",
                     {{"share", share(*one.step)}, {"low", share(*one.low)}, {"high", share(*one.high)}}),
      narration.text("advice", "basis.predicted",
                     {{"change", one.change},
                      {"step", time_text(*one.step)},
                      {"before", time_text(one.before)},
                      {"low", time_text(*one.low)},
                      {"high", time_text(*one.high)}})));
}

}  // namespace

Panel advice_panel(const OverviewLab& lab, std::size_t rows) {
  const Narration& narration = lab.input.narration;
  TablePicture table;
  const words::TimeColumn times(lab.overview.advice.front().at_most);
  table.columns = {{narration.text("advice", "head_what"), 4, false, false, true},
                   {narration.text("advice", "head_at_most"), 1, true, true}};
  const bool predicted = !lab.overview.predicted.empty();
  if (predicted) table.columns.push_back({narration.text("advice", "head_predicted"), 1, true, true});
  table.columns.push_back({narration.text("advice", "head_action"), 5, false, false, true});
  for (std::size_t i = 0; i < std::min(rows, lab.overview.advice.size()); ++i) {
    const analysis::Advice& one = lab.overview.advice[i];
    const words::AdviceText text = words::advice_text(narration, one, lab.overview.path.span());
    TableRow row;
    row.cells = {word_cell(text.what), figure_cell(Figure::derived(times.text(one.at_most), text.basis))};
    if (predicted) row.cells.push_back(predicted_cell(narration, lab.overview.predicted[i]));
    row.cells.push_back(word_cell(text.action));
    row.cells.back().below = text.unless;
    row.cells.front().tip = one.module;
    row.follow = one.slice == no_slice ? no_slice : followable(lab.trace(), one.slice);
    table.rows.push_back(std::move(row));
  }
  return {"", 1, std::move(table)};
}

Panel path_panel(const OverviewLab& lab, std::size_t rows, bool short_form) {
  const std::int64_t span = lab.path_span();
  const bool by_name = lab.by_name || short_form;
  std::vector<analysis::PathRow> list = by_name ? lab.path_names() : lab.path_longest();
  const std::size_t all = list.size();
  if (by_name && all > rows) list.resize(rows);
  if (!by_name && all > rows) {
    std::vector<std::int64_t> lengths;
    for (const analysis::PathRow& row : list) lengths.push_back(row.length());
    std::ranges::sort(lengths, std::greater{});
    std::erase_if(list, [least = lengths[rows - 1]](const analysis::PathRow& row) { return row.length() < least; });
    list.resize(std::min(list.size(), rows));  // of stretches of one length, the first ones
  }
  std::int64_t largest = 0;
  for (const analysis::PathRow& row : list) largest = std::max(largest, by_name ? row.name_time : row.length());
  const words::TimeColumn times(largest);
  const words::TimeColumn moments(list.empty() ? 0 : analysis::since_start(lab.trace(), list.back().from));
  TablePicture table;
  if (!by_name) table.columns.push_back({lab.word("head_at"), 1, true, true});
  table.columns.push_back({lab.word("head_time"), 1, true, true});
  table.columns.push_back({lab.word("head_share"), 1, true, true});
  table.columns.push_back({lab.word("head_what"), 1, false, false, true});
  if (!by_name) table.columns.push_back({lab.word("head_of_it"), 1, true, true});
  if (!short_form) table.columns.push_back({lab.word("head_pieces"), 1, true, true});
  for (const analysis::PathRow& row : list) {
    const std::int64_t time = by_name ? row.name_time : row.length();
    TableRow shown;
    if (!by_name) shown.cells.push_back(lab.derived(moments.text(analysis::since_start(lab.trace(), row.from)), "at"));
    shown.cells.push_back(lab.derived(times.text(time), by_name ? "path_name" : "path_row"));
    shown.cells.push_back(lab.derived(share_text(time, span), "share_path"));
    shown.cells.push_back(path_cell(lab, row));
    if (!by_name) shown.cells.push_back(lab.derived(share_text(row.name_time, row.length()), "of_it"));
    if (!short_form) shown.cells.push_back(lab.count(row.pieces, "pieces"));
    shown.follow = leads_to(lab, row);
    table.rows.push_back(std::move(shown));
  }
  if (!by_name)
    return {lab.word("path_longest", {{"n", fmt::to_string(list.size())}, {"all", fmt::to_string(all)}}), 1,
            std::move(table)};
  return {lab.word("path_by_name"), 1, std::move(table)};
}

std::pair<std::string, std::int64_t> main_difference(const OverviewLab& lab, const analysis::TrainingStep& step,
                                                     const analysis::TrainingStep& median) {
  std::vector<std::pair<std::string, std::int64_t>> parts = {
      {lab.input.narration.text("idle", "computing"), step.computing - median.computing},
      {lab.input.narration.text("idle", "communicating"), step.communicating - median.communicating},
      {lab.input.narration.text("idle", "copying"), step.copying - median.copying},
      {lab.word("outside"), step.outside - median.outside}};
  for (std::size_t i = 0; i < analysis::idle_causes; ++i)
    parts.emplace_back(words::cause_text(lab.input.narration, static_cast<analysis::IdleCause>(i)),
                       step.idle[i] - median.idle[i]);
  return *std::ranges::max_element(parts, {}, [](const auto& part) { return std::abs(part.second); });
}

Panel steps_chart_panel(const OverviewLab& lab) {
  const analysis::TrainingSteps& steps = lab.overview.steps;
  ChartPicture chart;
  const analysis::TrainingStep& slowest = steps.steps[steps.slowest()];
  const auto count = static_cast<double>(steps.steps.size());
  chart.label = lab.word("durations", {{"name", steps.name}});
  chart.tip = lab.word("durations_tip");
  chart.from = 0.5;
  chart.to = count + 0.5;
  chart.top = static_cast<double>(slowest.duration()) * 1.1;
  chart.levels = {{0, "0"}};
  const std::size_t every = steps.steps.size() / 10 + 1;
  for (std::size_t i = 0; i < steps.steps.size(); ++i) {
    const auto number = static_cast<double>(i + 1);
    chart.steps.push_back({number - 0.5, number + 0.5, static_cast<double>(steps.steps[i].duration())});
    chart.stops.push_back(number);
    if (i % every == 0) chart.ticks.emplace_back(number, fmt::to_string(i + 1));
  }
  const std::size_t here = lab.step == 0 ? steps.slowest() : lab.step - 1;
  chart.here = {static_cast<double>(here + 1), static_cast<double>(steps.steps[here].duration()),
                lab.word("step_here", {{"n", fmt::to_string(here + 1)},
                                       {"time", time_text(static_cast<double>(steps.steps[here].duration()))}})};
  chart.control = fmt::format("{}.step", OverviewLab::name);
  return {"", 1, std::move(chart)};
}

Panel steps_panel(const OverviewLab& lab) {
  constexpr std::size_t most_shown = 6;
  const analysis::TrainingSteps& steps = lab.overview.steps;
  // All of them, or those that say most: the chosen, slowest, median and fastest one, then the first ones.
  std::vector<std::size_t> shown;
  const auto show = [&](std::size_t i) {
    if (shown.size() < most_shown && std::ranges::find(shown, i) == shown.end()) shown.push_back(i);
  };
  if (lab.step > 0) show(lab.step - 1);
  for (const std::size_t i : {steps.slowest(), steps.median(), steps.fastest()}) show(i);
  for (std::size_t i = 0; i < steps.steps.size() && shown.size() < most_shown; ++i) show(i);
  std::ranges::sort(shown);

  TablePicture table;
  table.columns = {{lab.word("head_step"), 1, true, true},
                   {lab.word("head_time"), 1, true, true},
                   {lab.word("head_computing"), 1, true, true},
                   {lab.word("head_idle"), 1, true, true},
                   {lab.word("head_mostly"), 1},
                   {lab.word("head_difference"), 1, true, true},
                   {lab.word("head_mainly"), 1.1}};
  const words::TimeColumn times(steps.steps[steps.slowest()].duration());
  const analysis::TrainingStep& median = steps.steps[steps.median()];
  for (const std::size_t i : shown) {
    const analysis::TrainingStep& step = steps.steps[i];
    const std::int64_t duration = step.duration();
    const std::optional<analysis::IdleCause> cause = main_cause(step);
    const auto [part, by] = main_difference(lab, step, median);
    const bool is_median = i == steps.median();
    TableRow row;
    row.cells = {lab.count(i + 1, "step"),
                 lab.derived(times.text(duration), "step_time"),
                 lab.derived(share_text(step.computing, duration), "step_computing"),
                 lab.derived(share_text(step.idle_time(), duration), "step_idle"),
                 word_cell(cause ? words::cause_text(lab.input.narration, *cause) : "–"),
                 is_median ? word_cell(lab.word("is_median"))
                           : lab.derived(times.signed_text(duration - median.duration()), "step_difference"),
                 word_cell(is_median || by == 0 ? "–" : part)};
    row.cells.front().tip = step.name;
    row.sets = {{fmt::format("{}.step", OverviewLab::name), static_cast<double>(i + 1)}};
    row.followed = lab.step == i + 1;
    table.rows.push_back(std::move(row));
  }
  return {lab.word("steps", {{"n", with_thousands(std::ssize(steps.steps))}}), 1, std::move(table)};
}

Panel next_panel(const OverviewLab& lab) {
  const auto card = [&](std::string_view key, CardLink link) {
    const std::string section = fmt::format("{}.next_{}", OverviewLab::name, key);
    return Card{
        lab.input.narration.text(section, "heading"), lab.input.narration.text(section, "text"), {}, std::move(link)};
  };
  CardPicture cards;
  cards.columns.push_back(
      {lab.word("look"), Tone::memory, {card("idle", to_key("idle")), card("timeline", to_key("timeline"))}});
  const analysis::IdleVerdict verdict = lab.overview.gpu ? lab.overview.gpu->verdict() : analysis::IdleVerdict::nothing;
  const std::string section = fmt::format("{}.help.{}", OverviewLab::name, words::key_of(verdict));
  cards.columns.push_back({lab.word("help"),
                           Tone::work,
                           {{lab.input.narration.text(section, "heading"),
                             lab.input.narration.text(section, "text"),
                             {},
                             help_for(verdict)},
                            card("compare", to_key("compare"))}});
  return {"", 1, std::move(cards)};
}

}  // namespace warpwalk::story
