// Two traces side by side: what changed.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <span>

#include <fmt/format.h>

#include "core/analysis/kernels/communication.h"
#include "core/analysis/kernels/kernel_category.h"
#include "core/analysis/names/short_names.h"
#include "core/analysis/time/idle.h"
#include "core/story/labs/overview/overview.h"
#include "core/words/idle_text.h"
#include "core/words/time_column.h"

namespace warpwalk::story {
namespace {

std::string_view key_of(analysis::TraceChange::How how) {
  switch (how) {
    case analysis::TraceChange::How::fresh: return "new";
    case analysis::TraceChange::How::gone: return "gone";
    case analysis::TraceChange::How::more: return "more";
    case analysis::TraceChange::How::fewer: return "fewer";
    case analysis::TraceChange::How::slower: return "slower";
    case analysis::TraceChange::How::faster: return "faster";
    case analysis::TraceChange::How::same: return "same";
  }
  return "same";
}

std::string how_text(const OverviewLab& lab, const analysis::TraceChange& change) {
  std::string_view key = key_of(change.how());
  if (change.kind != analysis::TraceChange::Kind::kernel) key = change.after > change.before ? "longer" : "shorter";
  if (change.after == change.before && change.kind != analysis::TraceChange::Kind::kernel) key = "same";
  return lab.input.narration.text(fmt::format("{}.how", OverviewLab::name), key);
}

// Changes that have no row of their own, by what they are for.
struct RestOfChanges {
  std::string label;
  std::size_t count = 0;
  std::int64_t before = 0, after = 0, delta = 0;

  void add(const analysis::TraceChange& one) {
    // Overlap makes the span shorter, so it counts with the other sign.
    const std::int64_t sign = one.kind == analysis::TraceChange::Kind::overlap ? -1 : 1;
    ++count;
    before += sign * one.before;
    after += sign * one.after;
    delta += one.delta();
  }
};

// The key of the row that adds up changes of this kind; empty for those that only the last row adds up.
std::string rest_key(const analysis::TraceChange& one) {
  if (one.kind == analysis::TraceChange::Kind::idle) return "idle";
  if (one.kind != analysis::TraceChange::Kind::kernel) return "";
  if (analysis::is_communication_name(one.name)) return std::string(name_of(analysis::WorkCategory::communication));
  return std::string(name_of(analysis::category_of_name(one.name)));
}

// The groups with the largest contributions, at most `rows`, then one of all others.
std::vector<RestOfChanges> rest_of_changes(const OverviewLab& lab, std::span<const analysis::TraceChange> changes,
                                           std::size_t rows) {
  std::map<std::string, RestOfChanges> groups;
  for (const analysis::TraceChange& one : changes) groups[rest_key(one)].add(one);
  std::vector<RestOfChanges> all;
  RestOfChanges others;
  for (auto& [key, group] : groups) {
    const std::string n = with_thousands(static_cast<std::int64_t>(group.count));
    group.label = key.empty() ? ""
                  : key == "idle"
                      ? lab.word("rest_idle", {{"n", n}})
                      : lab.word("rest_of", {{"n", n}, {"category", lab.input.narration.text("work_category", key)}});
    all.push_back(std::move(group));
  }
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](const RestOfChanges& group) { return group.label.empty() ? -1 : std::abs(group.delta); });
  for (std::size_t i = all.size(); i-- > 0;)
    if (i >= rows || all[i].label.empty()) {
      others.count += all[i].count;
      others.before += all[i].before;
      others.after += all[i].after;
      others.delta += all[i].delta;
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    }
  if (others.count > 0) {
    others.label = lab.word("rest", {{"n", with_thousands(static_cast<std::int64_t>(others.count))}});
    all.push_back(std::move(others));
  }
  return all;
}

// A kernel of this name in the open trace; no_slice if it has none.
SliceId kernel_named(const OverviewLab& lab, std::string_view name) {
  for (const analysis::WorkCost& cost : lab.overview.work)
    if (lab.trace().name(cost.longest_one) == name) return cost.longest_one;
  return no_slice;
}

}  // namespace

Panel figures_panel(const OverviewLab& lab) {
  const analysis::TraceSummary& here = lab.overview.summary;
  TablePicture table;
  table.columns = {{lab.word("head_part"), 3},
                   {lab.word("head_before"), 1.5, true},
                   {lab.word("head_after"), 1, true},
                   {lab.word("head_change"), 1, true}};
  const auto add = [&](std::string_view key, std::string text) {
    table.rows.push_back({{word_cell(lab.input.narration.text(fmt::format("{}.fact", OverviewLab::name), key)),
                           lab.derived(std::move(text), key), word_cell("–"), word_cell("–")}});
  };
  const auto time = [](std::int64_t ns) { return time_text(static_cast<double>(ns)); };
  if (here.length > 0) add("both_length", time(here.length));
  add("both_launches", with_thousands(static_cast<std::int64_t>(here.launches)));
  if (lab.overview.gpu) {
    add("span", time(here.span));
    add("both_kernels", time(here.kernel_time()));
    add("idle", time(lab.overview.gpu->idle()));
  }
  if (here.steps > 0) add("both_steps", time(here.median_step));
  return {lab.word("figures"), 1, std::move(table)};
}

ComparedSummaries compared_summaries(const OverviewLab& lab) {
  const analysis::TraceSummary &before = lab.overview.summary, &after = *lab.input.compared;
  if (!analysis::compares_steps(before, after)) return {before, after};
  return {analysis::per_step(before), analysis::per_step(after)};
}

Panel compare_bars_panel(const OverviewLab& lab) {
  const auto [before, after] = compared_summaries(lab);
  TimelinePicture picture;
  const std::int64_t longest = std::max({before.span, after.span, std::int64_t{1}});
  picture.to = static_cast<double>(longest);
  RowGroup group{lab.word("by_kind"), {}};
  const auto add = [&](const analysis::TraceSummary& one, std::string name) {
    group.rows.push_back(stacked(
        std::move(name),
        time_parts(lab.input.narration, {one.computing, one.communicating, one.copying, one.idle, one.gaps}), longest));
  };
  add(before, lab.word("head_before"));
  add(after, lab.word("head_after"));
  picture.groups.push_back(std::move(group));
  return {"", 1, std::move(picture)};
}

Panel changes_panel(const OverviewLab& lab, std::size_t rows) {
  const auto [before, after] = compared_summaries(lab);
  const std::vector<analysis::TraceChange> changes = analysis::changes_between(before, after);
  // Of many parts, most contribute little each, but much together.
  const std::size_t shown = changes.size() <= rows ? changes.size() : rows / 2;
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < shown; ++i)
    if (changes[i].kind == analysis::TraceChange::Kind::kernel) names.push_back(changes[i].name);
  const std::vector<std::string> labels = analysis::kernel_labels(names);

  TablePicture table;
  table.columns = {{lab.word("head_part")},
                   {lab.word("head_how"), 1, false, true},
                   {lab.word("head_times"), 1, true, true},
                   {lab.word("head_before"), 1, true, true},
                   {lab.word("head_after"), 1, true, true},
                   {lab.word("head_change"), 1, true, true}};
  std::int64_t largest = std::max(before.span, after.span);
  for (const analysis::TraceChange& one : changes) largest = std::max({largest, one.before, one.after});
  const words::TimeColumn times(largest);
  const auto add = [&](std::string label, std::string how, std::string counts, std::int64_t was, std::int64_t is,
                       std::int64_t delta, std::string_view formula) {
    table.rows.push_back({{word_cell(std::move(label)), word_cell(std::move(how)),
                           counts.empty() ? word_cell("") : lab.derived(std::move(counts), "counts"),
                           lab.derived(times.text(was), formula), lab.derived(times.text(is), formula),
                           lab.derived(times.signed_text(delta), "change")}});
  };
  std::size_t named = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const analysis::TraceChange& one = changes[i];
    const bool kernel = one.kind == analysis::TraceChange::Kind::kernel;
    std::string label = kernel                                             ? labels[named++]
                        : one.kind == analysis::TraceChange::Kind::overlap ? lab.word("overlap")
                        : one.kind == analysis::TraceChange::Kind::copying
                            ? lab.input.narration.text("idle", "copying")
                            : lab.word("idle_part", {{"cause", words::cause_text(lab.input.narration, one.cause)}});
    const bool counted = kernel || one.kind == analysis::TraceChange::Kind::idle;
    std::string counts;
    if (counted)
      counts = one.count_before == one.count_after
                   ? with_thousands(static_cast<std::int64_t>(one.count_before))
                   : fmt::format("{} → {}", with_thousands(static_cast<std::int64_t>(one.count_before)),
                                 with_thousands(static_cast<std::int64_t>(one.count_after)));
    add(std::move(label), how_text(lab, one), std::move(counts), one.before, one.after, one.delta(), "change_part");
    TableRow& row = table.rows.back();
    row.cells.front().tip = one.name;
    if (kernel)
      row.follow = kernel_named(lab, one.name);
    else if (one.kind == analysis::TraceChange::Kind::idle)
      if (const analysis::IdleGap* const gap = lab.overview.longest_gap(one.cause))
        row.follow = followable(lab.trace(), gap->work);
  }
  if (shown < changes.size())
    for (RestOfChanges& rest : rest_of_changes(lab, std::span(changes).subspan(shown), rows - shown - 1))
      add(std::move(rest.label), "", "", rest.before, rest.after, rest.delta, "change_rest");
  add(lab.word("whole_span"), "", "", before.span, after.span, after.span - before.span, "change_span");
  return {lab.word("changes"), 1, std::move(table)};
}

namespace {

std::string reason_text(const OverviewLab& lab, const analysis::ComparedWork& row) {
  const auto text = [&](std::string_view key, const Narration::Values& values = {}) {
    return lab.input.narration.text(fmt::format("{}.why", OverviewLab::name), key, values);
  };
  if (row.why == analysis::ChangeReason::replaced)
    return text(row.launches[0] > 0 ? "replaced" : "replaces",
                {{"name", analysis::shortened(analysis::short_kernel_name(row.counterpart), 24)}});
  if (row.significant == false && row.why != analysis::ChangeReason::same) return text("spread");
  if (row.why == analysis::ChangeReason::time) return text(row.change() > 0 ? "slower" : "faster");
  return text(name_of(row.why));
}

}  // namespace

Panel work_changes_panel(const OverviewLab& lab, std::size_t rows) {
  const analysis::TraceComparison& all = *lab.input.comparison;
  const analysis::WorkGrouping grouping = *lab.changes_by;
  const std::vector<analysis::ComparedWork>& work = all.by(grouping);
  const bool kernels = grouping == analysis::WorkGrouping::kernel;
  std::vector<std::string_view> names;
  for (const analysis::ComparedWork& row : work) names.push_back(row.name);
  const std::vector<std::string> labels = kernels ? analysis::kernel_labels(names) : std::vector<std::string>();

  TablePicture table;
  table.columns = {{lab.word("head_part")},
                   {lab.word("head_why"), 1, false, true},
                   {lab.word("head_times"), 1, true, true},
                   {lab.word("head_before"), 1, true, true},
                   {lab.word("head_after"), 1, true, true},
                   {lab.word("head_change"), 1, true, true}};
  const auto whole = [](double ns) { return std::llround(ns); };
  const words::TimeColumn times(std::max({whole(all.time[0]), whole(all.time[1]), 1LL}));
  const std::string_view formula = all.by_step ? "work_per_step" : "work_of_trace";
  const auto add = [&](std::string label, std::string why, const std::array<double, 2>& launches,
                       const std::array<double, 2>& time) {
    const std::array<std::string, 2> counts = {analysis::launches_text(launches[0]),
                                               analysis::launches_text(launches[1])};
    table.rows.push_back(
        {{word_cell(std::move(label)), word_cell(std::move(why)),
          lab.derived(counts[0] == counts[1] ? counts[0] : fmt::format("{} → {}", counts[0], counts[1]), "counts"),
          lab.derived(times.text(whole(time[0])), formula), lab.derived(times.text(whole(time[1])), formula),
          lab.derived(times.signed_text(whole(time[1] - time[0])), "change")}});
  };
  const std::size_t shown = work.size() <= rows ? work.size() : rows - 1;
  for (std::size_t i = 0; i < shown; ++i) {
    const analysis::ComparedWork& row = work[i];
    std::string label =
        kernels                                        ? labels[i]
        : grouping == analysis::WorkGrouping::category ? lab.input.narration.text("work_category", row.name)
        : row.name.empty() ? lab.word(grouping == analysis::WorkGrouping::op ? "outside_ops" : "outside_modules")
                           : row.name;
    std::string why;
    if (kernels)
      why = reason_text(lab, row);
    else if (row.significant == false && row.change() != 0)
      why = lab.input.narration.text(fmt::format("{}.why", OverviewLab::name), "spread");
    add(std::move(label), std::move(why), row.launches, row.time);
    table.rows.back().cells.front().tip = row.name;
    if (kernels) table.rows.back().follow = kernel_named(lab, row.name);
  }
  if (shown < work.size()) {
    std::array<double, 2> launches = {}, time = {};
    for (const analysis::ComparedWork& row : std::span(work).subspan(shown))
      for (std::size_t i = 0; i < 2; ++i) {
        launches[i] += row.launches[i];
        time[i] += row.time[i];
      }
    add(lab.word("rest", {{"n", with_thousands(static_cast<std::int64_t>(work.size() - shown))}}), "", launches, time);
  }
  add(lab.word("whole_work"), "", all.launches, all.time);
  return {lab.word(all.by_step ? "work_changes_per_step" : "work_changes"), 1, std::move(table)};
}

}  // namespace warpwalk::story
