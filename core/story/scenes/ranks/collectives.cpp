// The table of collectives by step, group and kind.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include <fmt/format.h>

#include "core/analysis/ranks/rank_report.h"
#include "core/story/scenes/ranks/ranks.h"
#include "core/words/rank_text.h"
#include "core/words/time_column.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t most_sums_shown = 60;

std::uint64_t packed(const analysis::MatchedCollective& one) {
  return static_cast<std::uint64_t>(one.step + 1) << 24u | static_cast<std::uint64_t>(one.group & 0xfffffu) << 4u |
         static_cast<std::uint64_t>(one.kind);
}

// The index that occurs most often; of equals, the first one. `nobody` counts for none.
std::size_t most_frequent(const std::vector<std::size_t>& ranks) {
  std::size_t best = analysis::MatchedCollective::nobody, most = 0;
  for (std::size_t i = 0; i < ranks.size();) {
    const std::size_t from = i;
    while (i < ranks.size() && ranks[i] == ranks[from]) ++i;
    if (i - from <= most) continue;
    most = i - from;
    best = ranks[from];
  }
  return best;
}

std::vector<const CollectiveSums*> sorted(const std::vector<CollectiveSums>& sums, std::size_t by) {
  std::vector<const CollectiveSums*> order;
  for (const CollectiveSums& one : sums) order.push_back(&one);
  const auto sort = [&](auto value) { std::ranges::stable_sort(order, std::greater{}, value); };
  if (by == 0) std::ranges::stable_sort(order, {}, [](const CollectiveSums* one) { return one->step; });
  if (by == 1) sort([](const CollectiveSums* one) { return one->wait; });
  if (by == 2) sort([](const CollectiveSums* one) { return one->transfer; });
  if (by == 3) sort([](const CollectiveSums* one) { return one->bus_bandwidth(); });
  if (by == 4) sort([](const CollectiveSums* one) { return one->bytes; });
  return order;
}

}  // namespace

std::vector<CollectiveSums> collective_sums(const analysis::RankReport& report) {
  std::vector<CollectiveSums> all;
  std::vector<std::vector<std::size_t>> late;  // the late ranks of each
  std::unordered_map<std::uint64_t, std::size_t> places;
  for (std::size_t i = 0; i < report.collectives.size(); ++i) {
    const analysis::MatchedCollective& one = report.collectives[i];
    if (!analysis::is_shared(one)) continue;
    const auto [at, is_new] = places.try_emplace(packed(one), all.size());
    if (is_new) {
      all.push_back({.step = one.step, .group = one.group, .kind = one.kind, .longest = i});
      late.emplace_back();
    }
    CollectiveSums& sums = all[at->second];
    ++sums.count;
    sums.bytes += one.bytes;
    sums.transfer += one.transfer;
    sums.wait += one.wait;
    if (const double bandwidth = one.bus_bandwidth(); bandwidth > 0) {
      sums.carried += bandwidth * static_cast<double>(one.transfer);
      sums.carrying += one.transfer;
    }
    if (one.late != analysis::MatchedCollective::nobody) late[at->second].push_back(one.members[one.late].rank);
    if (one.wait > report.collectives[sums.longest].wait) sums.longest = i;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::ranges::sort(late[i]);
    all[i].last = most_frequent(late[i]);
  }
  return all;
}

Panel collectives_table(const RanksScene& scene, const std::vector<CollectiveSums>& sums) {
  TablePicture table;
  table.columns = {{scene.word("head_step"), 1, true, true},      {scene.word("head_group"), 2},
                   {scene.word("head_kind"), 1, false, true},     {scene.word("head_count"), 1, true, true},
                   {scene.word("head_bytes"), 1, true, true},     {scene.word("head_transfer"), 1, true, true},
                   {scene.word("head_bandwidth"), 1, true, true}, {scene.word("head_waited"), 1, true, true},
                   {scene.word("head_last_rank"), 1, false, true}};
  table.least_rows = 6;
  const std::vector<const CollectiveSums*> order = sorted(sums, scene.sort);
  const std::size_t shown = std::min(order.size(), most_sums_shown);
  std::int64_t longest = 1, waited = 1;
  for (std::size_t i = 0; i < shown; ++i) {
    longest = std::max(longest, order[i]->transfer);
    waited = std::max(waited, order[i]->wait);
  }
  const words::TimeColumn transfers(longest), waits(waited);
  for (std::size_t i = 0; i < shown; ++i) {
    const CollectiveSums& one = *order[i];
    const analysis::MatchedCollective& longest_one = scene.report.collectives[one.longest];
    TableRow row;
    row.cells = {one.step < 0 ? word_cell("–") : number_cell(one.step),
                 word_cell(scene.group_word(one.group)),
                 word_cell(scene.kind_word(one.kind)),
                 scene.count(one.count, "sum_count"),
                 one.bytes > 0 ? figure_cell(Figure::derived(static_cast<double>(one.bytes), Unit::bytes,
                                                             scene.formula("sum_bytes")))
                               : word_cell("–"),
                 scene.derived(transfers.text(one.transfer), "sum_transfer"),
                 one.carrying > 0 ? figure_cell(Figure::derived(one.bus_bandwidth(), Unit::gigabytes_per_second,
                                                                scene.formula("sum_bandwidth")))
                                  : word_cell("–"),
                 scene.derived(waits.text(one.wait), "sum_wait"),
                 word_cell(one.last == analysis::MatchedCollective::nobody ? "–" : scene.rank_word(one.last))};
    row.followed = one.longest == scene.chosen;
    row.rank = target_of(scene.report, last_member(longest_one));
    table.rows.push_back(std::move(row));
  }
  std::string heading =
      shown < order.size()
          ? scene.word("rows_shown", {{"n", fmt::to_string(shown)}, {"all", with_thousands(std::ssize(order))}})
          : std::string();
  return {std::move(heading), 1, std::move(table)};
}

}  // namespace warpwalk::story
