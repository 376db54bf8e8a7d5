// Which rank arrives last how often, what that costs, and the question about it.
#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/ranks/rank_report.h"
#include "core/story/scenes/ranks/ranks.h"
#include "core/words/rank_text.h"
#include "core/words/time_column.h"

namespace warpwalk::story {
namespace {

RankTarget target_of_rank(const RanksScene& scene, std::size_t rank) {
  const analysis::LateCause* const cause = scene.cause_of(rank);
  return {rank, cause == nullptr ? no_slice : cause->slice};
}

}  // namespace

std::vector<RankSums> rank_sums(const analysis::RankReport& report) {
  std::vector<RankSums> all(report.ranks.size());
  for (const analysis::MatchedCollective& collective : report.collectives) {
    if (!analysis::is_shared(collective)) continue;
    for (const analysis::Member& member : collective.members) {
      RankSums& sums = all[member.rank];
      const std::int64_t uncovered = member.end - member.arrival - own_part(report, member).computing;
      ++sums.collectives;
      sums.waited += member.wait;
      sums.waited_exposed += std::clamp<std::int64_t>(uncovered, 0, member.wait);
    }
    if (collective.late != analysis::MatchedCollective::nobody) ++all[collective.members[collective.late].rank].last_in;
  }
  return all;
}

Panel parts_of_ranks(const RanksScene& scene, const std::function<RankParts(std::size_t rank)>& parts_of,
                     const std::function<RankTarget(std::size_t rank)>& target_of) {
  TimelinePicture picture;
  RowGroup group{scene.word("who_bars"), {}};
  std::int64_t longest = 1;
  for (const std::size_t rank : scene.shown_ranks(most_ranks_above_table)) {
    const RankParts parts = parts_of(rank);
    Row row{scene.rank_word(rank), {}};
    std::int64_t at = 0;
    for (const RankPart& part : parts) {
      if (part.time <= 0) continue;
      Bar bar;
      bar.label = scene.word(part.label, {{"time", words::short_time_text(part.time)}});
      bar.start = at;
      bar.end = at += part.time;
      bar.role = part.role;
      bar.followed = part.role != Role::wait;
      bar.rank = target_of(rank);
      row.bars.push_back(std::move(bar));
    }
    longest = std::max(longest, at);
    group.rows.push_back(std::move(row));
    if (!picture.legend.empty()) continue;
    for (const RankPart& part : parts) picture.legend.emplace_back(part.role, scene.word(part.legend));
  }
  picture.to = static_cast<double>(longest);
  picture.groups.push_back(std::move(group));
  return {"", 1, std::move(picture)};
}

Panel who_bars(const RanksScene& scene, const std::vector<RankSums>& sums) {
  const auto parts_of = [&](std::size_t rank) {
    const analysis::RankDigest& digest = scene.report.ranks[rank];
    // Without communication on the GPU, as with Gloo, all waiting is the CPU's.
    const bool on_gpu = digest.communicating > 0;
    const std::int64_t waiting = on_gpu ? std::min(sums[rank].waited_exposed, digest.exposed) : sums[rank].waited;
    return RankParts{{{digest.computing, Role::kernel, "bar_computes", "legend_computes"},
                      {waiting, Role::wait, "bar_waits", "legend_waits"},
                      {on_gpu ? digest.exposed - waiting : 0, Role::copy, "bar_transfers", "legend_exposed"}}};
  };
  return parts_of_ranks(scene, parts_of, [&](std::size_t rank) { return target_of_rank(scene, rank); });
}

Panel who_table(const RanksScene& scene, const std::vector<RankSums>& sums) {
  const std::vector<std::size_t> shown = scene.shown_ranks(most_ranks_above_table);
  TablePicture table;
  table.columns = {{scene.word("head_rank"), 1, false, true},        {scene.word("head_last"), 1, true, true},
                   {scene.word("head_of"), 1, true, true},           {scene.word("head_waited"), 1, true, true},
                   {scene.word("head_exposed"), 1, true, true},      {scene.word("head_computes"), 1, true, true},
                   {scene.word("head_cause"), 2, false, false, true}};
  table.least_rows = 2;
  std::int64_t longest = 0;
  for (const std::size_t rank : shown)
    longest =
        std::max({longest, sums[rank].waited, scene.report.ranks[rank].exposed, scene.report.ranks[rank].computing});
  const words::TimeColumn times(longest);
  for (const std::size_t rank : shown) {
    const analysis::RankDigest& digest = scene.report.ranks[rank];
    const analysis::LateCause* const cause = scene.cause_of(rank);
    TableRow row;
    row.cells = {word_cell(scene.rank_word(rank)),
                 scene.count(sums[rank].last_in, "last_in"),
                 scene.count(sums[rank].collectives, "of"),
                 scene.derived(times.text(sums[rank].waited), "waited"),
                 scene.derived(times.text(digest.exposed), "exposed"),
                 scene.derived(times.text(digest.computing), "computes"),
                 word_cell(cause == nullptr ? "–" : words::late_cause_text(scene.narration(), *cause))};
    row.cells.front().tip = digest.file.filename().string();
    row.followed = !scene.healthy() && scene.report.causes.front().rank == rank;
    row.rank = target_of_rank(scene, rank);
    table.rows.push_back(std::move(row));
  }
  return {scene.shown_note(shown.size()), 1, std::move(table)};
}

Ask who_question(const RanksScene& scene, const std::vector<RankSums>& sums) {
  Options options;
  for (const std::size_t rank : scene.shown_ranks(max_options - 1)) {
    if (!scene.healthy() && scene.report.causes.front().rank == rank) options.right = options.words.size();
    options.words.push_back(scene.rank_word(rank));
    options.keys.emplace_back(scene.healthy() ? "rank_healthy" : "rank");
    options.values.push_back({{"waited", words::short_time_text(sums[rank].waited)},
                              {"last_in", with_thousands(static_cast<std::int64_t>(sums[rank].last_in))}});
  }
  if (scene.healthy()) options.right = options.words.size();
  options.words.push_back(scene.word("nobody"));
  options.keys.emplace_back("nobody");
  options.values.emplace_back();
  return {"who", "", std::move(options), {"uncertainty", "collectives"}};
}

}  // namespace warpwalk::story
