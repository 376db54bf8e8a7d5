// Where late ranks are: on which machine, and where in the parallelism. Cells are ranks or several of them, never more
// than can be seen.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/analysis/ranks/rank_axes.h"
#include "core/analysis/ranks/rank_hosts.h"
#include "core/story/scenes/ranks/ranks.h"
#include "core/words/rank_text.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t most_place_columns = 128, most_place_rows = 32;

// A matrix of ranks: each rank has a row and a column.
struct PlacedRanks {
  std::vector<std::string> rows;                                 // their labels
  std::vector<std::pair<std::string, std::size_t>> groups = {};  // of rows: the label beside them, and how many
  std::size_t columns = 0;
  std::vector<std::size_t> row, column;  // by rank
};

// The rows in at most four groups, each tall enough for its label: "GPU 0 to 3".
void group_rows(const RanksScene& scene, std::string_view name, std::size_t per_row, PlacedRanks& placed) {
  constexpr std::size_t most_groups = 4;
  const std::size_t count = placed.rows.size(), each = (count + most_groups - 1) / most_groups;
  for (std::size_t first = 0; first < count; first += each) {
    const std::size_t rows = std::min(each, count - first), last = (first + rows) * per_row - 1;
    const std::string from = fmt::format("{} {}", name, first * per_row);
    placed.groups.emplace_back(
        last == first * per_row ? from : scene.word("ranks_range", {{"from", from}, {"to", fmt::to_string(last)}}),
        rows);
  }
}

HeatPicture heat_of_places(const RanksScene& scene, const RankPlaces& places, const PlacedRanks& placed,
                           std::string word_column) {
  HeatPicture heat;
  const std::size_t width = (placed.columns + most_place_columns - 1) / most_place_columns;
  heat.to = static_cast<std::int64_t>(placed.columns);
  heat.column = static_cast<std::int64_t>(width);
  heat.tone = Tone::refused;
  heat.word_cycle = std::move(word_column);
  heat.word_share = scene.word("of_largest", {{"time", words::short_time_text(places.largest)}});
  heat.word_zero = scene.word("not_late");
  heat.word_nothing = scene.word("no_rank_there");
  heat.whole.label = scene.word("all_ranks");
  const std::size_t columns = (placed.columns + width - 1) / width;
  heat.whole.shares.assign(columns, HeatRow::nothing);
  HeatRow empty;
  empty.shares.assign(columns, HeatRow::nothing);
  empty.ranks.resize(columns);
  std::size_t labelled = 0;
  for (const auto& [label, count] : placed.groups) {
    heat.groups.push_back({label, std::vector<HeatRow>(count, empty)});
    for (std::size_t i = 0; i < count; ++i) heat.groups.back().rows[i].label = placed.rows[labelled++];
  }
  std::vector<HeatRow*> rows;
  for (HeatGroup& group : heat.groups)
    for (HeatRow& row : group.rows) rows.push_back(&row);
  for (std::size_t rank = 0; rank < places.lateness.size(); ++rank) {
    if (places.lateness[rank] < 0 || placed.row[rank] >= placed.rows.size() || placed.column[rank] >= placed.columns)
      continue;
    const std::size_t at = placed.column[rank] / width;
    const auto share = static_cast<float>(static_cast<double>(places.lateness[rank]) /
                                          static_cast<double>(std::max<std::int64_t>(1, places.largest)));
    HeatRow& row = *rows[placed.row[rank]];
    if (share > row.shares[at]) {
      row.shares[at] = share;
      const analysis::LateCause* const cause = scene.cause_of(rank);
      row.ranks[at] = {rank, cause == nullptr ? no_slice : cause->slice};
    }
    heat.whole.shares[at] = std::max(heat.whole.shares[at], share);
  }
  return heat;
}

}  // namespace

RankPlaces rank_places(const analysis::RankReport& report) {
  RankPlaces places;
  places.hosts = analysis::hosts_of(report.ranks);
  places.axes = analysis::axes_of(report);
  places.lateness = analysis::mean_lateness(report);
  for (std::size_t rank = 0; rank < places.lateness.size(); ++rank)
    if (places.lateness[rank] > places.largest) {
      places.largest = places.lateness[rank];
      places.latest = rank;
    }
  return places;
}

Panel hosts_panel(const RanksScene& scene, const RankPlaces& places) {
  PlacedRanks placed;
  placed.columns = places.hosts.names.size();
  placed.column = places.hosts.of;
  placed.row.assign(places.hosts.of.size(), 0);
  std::vector<std::size_t> seen(placed.columns, 0);
  std::size_t most = 0;
  for (std::size_t rank = 0; rank < placed.row.size(); ++rank)
    if (const std::size_t host = places.hosts.of[rank]; host < seen.size())
      most = std::max(most, placed.row[rank] = seen[host]++);
  const std::size_t per_row = most / most_place_rows + 1;
  for (std::size_t& row : placed.row) row /= per_row;
  for (std::size_t row = 0; row <= most / per_row; ++row)
    placed.rows.push_back(scene.word("gpu_row", {{"n", fmt::to_string(row * per_row)}}));
  group_rows(scene, scene.word("gpu_name"), per_row, placed);
  HeatPicture heat = heat_of_places(scene, places, placed, scene.word("word_host"));
  return {scene.word("by_host"), 1, std::move(heat)};
}

Panel axes_panel(const RanksScene& scene, const RankPlaces& places) {
  const analysis::RankAxis& across = places.axes.front();
  PlacedRanks placed;
  placed.columns = across.size;
  placed.column = across.of;
  placed.row.assign(across.of.size(), 0);
  // The other axes, as long as their rows can be seen: the first one counts slowest.
  std::vector<const analysis::RankAxis*> down;
  std::size_t count = 1;
  for (std::size_t i = 1; i < places.axes.size(); ++i)
    if (count * places.axes[i].size <= most_place_rows) {
      down.push_back(&places.axes[i]);
      count *= places.axes[i].size;
      for (std::size_t rank = 0; rank < placed.row.size(); ++rank)
        placed.row[rank] = placed.row[rank] * places.axes[i].size + places.axes[i].of[rank];
    }
  for (std::size_t row = 0; row < count; ++row) {
    std::string label;
    std::size_t rest = row, rows = count;
    for (const analysis::RankAxis* const axis : down) {
      rows /= axis->size;
      label += fmt::format("{}{} {}", label.empty() ? "" : ", ", axis->name, rest / rows);
      rest %= rows;
    }
    placed.rows.push_back(label.empty() ? scene.word("all_of_them") : label);
  }
  if (down.size() == 1)
    group_rows(scene, down.front()->name, 1, placed);
  else if (down.empty())
    placed.groups = {{scene.word("all_of_them"), 1}};
  else  // by the axis that counts slowest
    for (std::size_t place = 0; place < down.front()->size; ++place)
      placed.groups.emplace_back(fmt::format("{} {}", down.front()->name, place), count / down.front()->size);
  HeatPicture heat = heat_of_places(scene, places, placed, across.name);
  return {scene.word("by_place"), 1, std::move(heat)};
}

}  // namespace warpwalk::story
