// Communication behind compute, exposed communication, and bandwidth by size.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/time/idle.h"
#include "core/story/pictures/size_axis.h"
#include "core/story/scenes/ranks/ranks.h"
#include "core/words/rank_text.h"
#include "core/words/time_column.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t most_sizes = 160;

std::int64_t hidden_of(const analysis::RankDigest& digest) { return digest.communicating - digest.exposed; }

struct SizePoint {
  analysis::CollectiveKind kind = analysis::CollectiveKind::other;
  std::int64_t bytes = 0;
  double bandwidth = 0;  // median
  std::size_t count = 0;
  std::size_t collective = 0;  // an example
};

// The collectives by kind and size, those that occur most often first.
std::vector<SizePoint> sizes_of(const analysis::RankReport& report) {
  std::map<std::pair<analysis::CollectiveKind, std::int64_t>, std::pair<std::vector<double>, std::size_t>> groups;
  for (std::size_t i = 0; i < report.collectives.size(); ++i) {
    const analysis::MatchedCollective& one = report.collectives[i];
    const double bandwidth = one.bus_bandwidth();
    if (bandwidth <= 0) continue;
    auto& [values, example] = groups[{one.kind, one.bytes}];
    if (values.empty()) example = i;
    values.push_back(bandwidth);
  }
  std::vector<SizePoint> points;
  for (auto& [key, group] : groups) {
    auto& [values, example] = group;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::ranges::nth_element(values, middle);
    points.push_back({key.first, key.second, *middle, values.size(), example});
  }
  std::ranges::stable_sort(points, std::greater{}, &SizePoint::count);
  if (points.size() > most_sizes) points.resize(most_sizes);
  return points;
}

std::string bandwidth_text(double value) { return with_marks(fmt::format("{:g} GB/s", value)); }

constexpr Tone kind_tones[] = {Tone::work, Tone::memory, Tone::shared, Tone::barrier, Tone::host, Tone::plain};

}  // namespace

Panel overlap_bars(const RanksScene& scene) {
  const auto parts_of = [&](std::size_t rank) {
    const analysis::RankDigest& digest = scene.report.ranks[rank];
    const std::int64_t hidden = hidden_of(digest);
    return RankParts{{{digest.computing - hidden, Role::kernel, "bar_alone", "legend_alone"},
                      {hidden, Role::copy, "bar_hidden", "legend_hidden"},
                      {digest.exposed, Role::wait, "bar_exposed", "legend_exposed_all"}}};
  };
  return parts_of_ranks(scene, parts_of, [](std::size_t rank) { return RankTarget{rank, no_slice}; });
}

Panel overlap_table(const RanksScene& scene) {
  const std::vector<std::size_t> shown = scene.shown_ranks(most_ranks_above_table);
  TablePicture table;
  table.columns = {{scene.word("head_rank"), 1, false, true},
                   {scene.word("head_communicates"), 1, true, true},
                   {scene.word("head_hidden"), 1, true, true},
                   {scene.word("head_exposed"), 1, true, true},
                   {scene.word("head_share_hidden"), 1, true, true}};
  table.least_rows = 2;
  std::int64_t longest = 1;
  for (const std::size_t rank : shown) longest = std::max(longest, scene.report.ranks[rank].communicating);
  const words::TimeColumn times(longest);
  for (const std::size_t rank : shown) {
    const analysis::RankDigest& digest = scene.report.ranks[rank];
    TableRow row;
    row.cells = {word_cell(scene.rank_word(rank)), scene.derived(times.text(digest.communicating), "communicates"),
                 scene.derived(times.text(hidden_of(digest)), "hidden"),
                 scene.derived(times.text(digest.exposed), "exposed"),
                 scene.derived(share_text(hidden_of(digest), digest.communicating), "share_hidden")};
    row.rank = RankTarget{rank, no_slice};
    table.rows.push_back(std::move(row));
  }
  return {scene.shown_note(shown.size()), 1, std::move(table)};
}

Panel bandwidth_panel(const RanksScene& scene) {
  ScatterPicture picture;
  std::vector<analysis::CollectiveKind> kinds;
  double small = 1e300, large = 1, slow = 1e300, fast = 1;
  for (const SizePoint& one : sizes_of(scene.report)) {
    auto at = std::ranges::find(kinds, one.kind);
    if (at == kinds.end()) {
      kinds.push_back(one.kind);
      at = kinds.end() - 1;
      picture.groups.push_back({scene.kind_word(one.kind), kind_tones[picture.groups.size() % std::size(kind_tones)]});
    }
    ScatterPoint point;
    point.x = static_cast<double>(one.bytes);
    point.y = one.bandwidth;
    point.group = static_cast<std::size_t>(at - kinds.begin());
    point.name = fmt::format("{}, {}", scene.kind_word(one.kind), bytes_text(point.x));
    point.text = scene.word("size_tip", {{"bandwidth", with_marks(fmt::format("{:.3g} GB/s", one.bandwidth))},
                                         {"n", with_thousands(static_cast<std::int64_t>(one.count))}});
    const analysis::MatchedCollective& example = scene.report.collectives[one.collective];
    point.rank = target_of(scene.report, last_member(example));
    small = std::min(small, point.x);
    large = std::max(large, point.x);
    slow = std::min(slow, point.y);
    fast = std::max(fast, point.y);
    picture.points.push_back(std::move(point));
  }
  if (picture.points.empty()) small = slow = 1;
  picture.across = size_axis(scene.word("across_size"), small, large);
  picture.up = decades_axis(scene.word("up_bandwidth"), slow, fast, bandwidth_text);
  return {"", 1, std::move(picture)};
}

}  // namespace warpwalk::story
