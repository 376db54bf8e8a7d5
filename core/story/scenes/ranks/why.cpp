// Why a rank comes late: its time before a collective beside that of the others, by line and kernel.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/story/scenes/ranks/ranks.h"
#include "core/words/rank_text.h"
#include "core/words/time_column.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t most_why_rows = 7;  // with more, the bars above have no room for their legend

// The middle one; of two, the smaller one.
std::int64_t median_of(std::vector<std::int64_t> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

std::int64_t stretch_length(const analysis::RankReport& report, const analysis::Member& member) {
  const analysis::RankDigest& digest = report.ranks[member.rank];
  const std::int64_t from = member.collective == 0 ? digest.begin : digest.collectives[member.collective - 1].call;
  return digest.collectives[member.collective].call - from;
}

// Copies are compared by their call alone: where a profiler loses the stacks of some calls, ranks differ in the line.
std::string compared_name(const analysis::RankDigest& digest, const analysis::StretchCost& cost) {
  return cost.kind == analysis::CostKind::transfer ? digest.names[cost.name] : cost_name(digest, cost);
}

using CostKey = std::pair<bool, std::string>;  // of the GPU, name

// The costs of one stretch, added up by name.
std::map<CostKey, StretchRow> costs_of(const analysis::RankReport& report, const analysis::Member& member) {
  const analysis::RankDigest& digest = report.ranks[member.rank];
  const analysis::RankCollective& own = own_part(report, member);
  std::map<CostKey, StretchRow> rows;
  std::map<CostKey, std::int64_t> longest;
  for (std::size_t i = own.first_cost; i < own.first_cost + own.costs; ++i) {
    const analysis::StretchCost& cost = digest.costs[i];
    const CostKey key{analysis::is_of_gpu(cost.kind), compared_name(digest, cost)};
    StretchRow& row = rows[key];
    row.name = key.second;
    row.late += cost.time;
    row.count += cost.count;
    if (cost.time < longest[key]) continue;
    longest[key] = cost.time;
    row.kind = cost.kind;
    row.slice = cost.slice;
  }
  return rows;
}

Role role_of(analysis::CostKind kind) {
  switch (kind) {
    case analysis::CostKind::line: return Role::op;
    case analysis::CostKind::blocked: return Role::overhead;
    case analysis::CostKind::wait: return Role::wait;
    case analysis::CostKind::transfer: return Role::call;
    case analysis::CostKind::loading: return Role::launch;
    case analysis::CostKind::kernel: return Role::kernel;
    case analysis::CostKind::copy: return Role::copy;
  }
  return Role::op;
}

std::string cost_word(const RanksScene& scene, analysis::CostKind kind) {
  constexpr std::string_view keys[] = {"line", "blocked", "wait", "transfer", "loading", "kernel", "copy"};
  return scene.narration().text("ranks.cost", keys[static_cast<std::size_t>(kind)]);
}

}  // namespace

std::string cost_name(const analysis::RankDigest& digest, const analysis::StretchCost& cost) {
  const std::string& name = digest.names[cost.name];
  if (cost.kind == analysis::CostKind::kernel) return analysis::short_kernel_name(name);
  if (cost.line == 0 || cost.line == cost.name || analysis::is_of_gpu(cost.kind))
    return analysis::short_frame_name(name);
  return fmt::format("{}, {}", name, analysis::short_frame_name(digest.names[cost.line]));
}

Stretch stretch_before(const analysis::RankReport& report, const analysis::MatchedCollective& collective) {
  Stretch stretch;
  const analysis::Member& last = last_member(collective);
  stretch.rank = last.rank;
  stretch.late = stretch_length(report, last);
  std::map<CostKey, StretchRow> rows = costs_of(report, last);
  std::vector<std::int64_t> lengths;
  std::map<CostKey, std::vector<std::int64_t>> times;  // of the others, without those that have none
  for (const analysis::Member& member : collective.members) {
    if (&member == &last) continue;
    lengths.push_back(stretch_length(report, member));
    for (const auto& [key, row] : costs_of(report, member)) {
      times[key].push_back(row.late);
      const auto [at, is_new] = rows.try_emplace(key);
      if (!is_new) continue;
      at->second.name = row.name;
      at->second.kind = row.kind;
    }
  }
  stretch.others = median_of(lengths);
  for (auto& [key, row] : rows) {
    std::vector<std::int64_t>& of_others = times[key];
    of_others.resize(lengths.size(), 0);
    row.others = median_of(of_others);
    stretch.rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(stretch.rows, std::greater{},
                           [](const StretchRow& row) { return std::abs(row.difference()); });
  return stretch;
}

Panel why_bars(const RanksScene& scene, const Stretch& stretch) {
  TimelinePicture picture;
  std::int64_t longest = 1;
  for (const bool gpu : {false, true}) {
    RowGroup group{scene.word(gpu ? "gpu" : "cpu"), {}};
    Row late{scene.rank_word(stretch.rank), {}}, others{scene.word("others"), {}};
    std::int64_t at = 0, others_at = 0;
    for (const StretchRow& one : stretch.rows) {
      if (analysis::is_of_gpu(one.kind) != gpu) continue;
      const auto add = [&](Row& row, std::int64_t& from, std::int64_t time, std::optional<RankTarget> target) {
        if (time <= 0) return;
        Bar bar;
        bar.label = one.name;
        bar.start = from;
        bar.end = from += time;
        bar.role = role_of(one.kind);
        bar.followed = target && std::abs(one.difference()) * 4 > stretch.late;
        bar.rank = target;
        row.bars.push_back(std::move(bar));
      };
      add(late, at, one.late, RankTarget{stretch.rank, one.slice});
      add(others, others_at, one.others, {});
    }
    longest = std::max({longest, at, others_at});
    if (at == 0 && others_at == 0) continue;
    group.rows = {std::move(late), std::move(others)};
    picture.groups.push_back(std::move(group));
  }
  picture.to = static_cast<double>(longest);
  picture.scale_note = scene.word("added_up");
  for (const analysis::CostKind kind :
       {analysis::CostKind::line, analysis::CostKind::blocked, analysis::CostKind::wait, analysis::CostKind::transfer,
        analysis::CostKind::loading, analysis::CostKind::kernel, analysis::CostKind::copy})
    picture.legend.emplace_back(role_of(kind), cost_word(scene, kind));
  return {"", 1, std::move(picture)};
}

Panel why_table(const RanksScene& scene, const Stretch& stretch) {
  TablePicture table;
  table.columns = {{scene.word("head_what"), 3},
                   {scene.word("head_kind"), 1, false, true},
                   {scene.word("head_count"), 1, true, true},
                   {scene.word("head_late", {{"rank", scene.rank_word(stretch.rank)}}), 1, true, true},
                   {scene.word("others"), 1, true, true},
                   {scene.word("head_difference"), 1, true, true}};
  table.least_rows = 3;
  std::int64_t longest = std::max({stretch.late, stretch.others, std::int64_t{1}});
  for (const StretchRow& row : stretch.rows) longest = std::max({longest, row.late, row.others});
  const words::TimeColumn times(longest);
  table.rows.push_back(
      {{word_cell(scene.word("whole_stretch")), word_cell(""), word_cell(""),
        scene.derived(times.text(stretch.late), "stretch"), scene.derived(times.text(stretch.others), "stretch_others"),
        scene.derived(times.signed_text(stretch.late - stretch.others), "difference")}});
  const analysis::LateCause* const cause = scene.cause();
  for (std::size_t i = 0; i < std::min(stretch.rows.size(), most_why_rows); ++i) {
    const StretchRow& one = stretch.rows[i];
    TableRow row;
    row.cells = {word_cell(one.name),
                 word_cell(cost_word(scene, one.kind)),
                 scene.count(one.count, "cost_count"),
                 scene.derived(times.text(one.late), analysis::is_of_gpu(one.kind) ? "cost_gpu" : "cost_cpu"),
                 scene.derived(times.text(one.others), "cost_others"),
                 scene.derived(times.signed_text(one.difference()), "difference")};
    row.cells.front().code = true;
    row.followed = cause != nullptr && one.slice != no_slice && one.slice == cause->slice;
    if (one.slice != no_slice) row.rank = RankTarget{stretch.rank, one.slice};
    table.rows.push_back(std::move(row));
  }
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
