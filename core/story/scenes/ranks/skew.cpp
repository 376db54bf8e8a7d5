// How far the arrivals of the ranks lie apart, over the run.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/ranks/rank_report.h"
#include "core/story/scenes/ranks/ranks.h"
#include "core/words/rank_text.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t most_skew_columns = 240, most_matrix_columns = 160;
constexpr std::size_t most_matrix_rows = 64;  // more could not be told apart
constexpr std::size_t rows_in_a_group = 8;

// The collectives of a column.
struct SkewColumn {
  std::vector<std::int64_t> skews;
  std::int64_t largest = -1;
  std::size_t collective = 0;  // that with the largest one
};

std::vector<SkewColumn> skew_columns(const analysis::RankReport& report, const SkewAxis& axis) {
  std::vector<SkewColumn> columns(axis.columns());
  for (std::size_t i = 0; i < report.collectives.size(); ++i) {
    const analysis::MatchedCollective& one = report.collectives[i];
    const std::size_t at = axis.column_of(report, i);
    if (at >= columns.size() || !analysis::has_skew(one)) continue;
    const std::int64_t skew = analysis::skew_of(one);
    columns[at].skews.push_back(skew);
    if (skew <= columns[at].largest) continue;
    columns[at].largest = skew;
    columns[at].collective = i;
  }
  return columns;
}

std::string axis_word(const RanksScene& scene, const SkewAxis& axis, std::size_t column) {
  const std::int64_t from = axis.from + static_cast<std::int64_t>(column) * axis.width;
  const std::int64_t last = std::min(axis.to, from + axis.width) - 1;
  const std::string range =
      last == from ? with_thousands(from) : fmt::format("{}–{}", with_thousands(from), with_thousands(last));
  return scene.word(axis.steps ? "step" : "number", {{"n", range}});
}

std::vector<std::pair<double, std::string>> ticks_of(const SkewAxis& axis) {
  std::vector<std::pair<double, std::string>> ticks;
  const double wanted = std::max(1.0, static_cast<double>(axis.to - axis.from) / 8);
  const double power = std::pow(10, std::floor(std::log10(wanted)));
  const double step = power * (wanted <= power ? 1 : wanted <= 2 * power ? 2 : wanted <= 5 * power ? 5 : 10);
  for (double at = std::ceil(static_cast<double>(axis.from) / step) * step; at < static_cast<double>(axis.to);
       at += step)
    ticks.emplace_back(at, with_thousands(std::llround(at)));
  return ticks;
}

std::string time_of(double ns) { return words::short_time_text(std::llround(ns)); }

// Lateness of each rank (of many, of ranks in a row) in each column, ns after the median arrival; -1 where it has no
// collective.
struct Lateness {
  std::vector<std::vector<std::int64_t>> by_rank;
  std::vector<std::vector<RankTarget>> targets;
  std::int64_t largest = 0;
  std::size_t per_row = 1;  // ranks in a row, of which it has the latest
};

Lateness lateness_of(const analysis::RankReport& report, const SkewAxis& axis) {
  Lateness lateness;
  lateness.per_row = (report.ranks.size() + most_matrix_rows - 1) / most_matrix_rows;
  const std::size_t rows = (report.ranks.size() + lateness.per_row - 1) / lateness.per_row;
  lateness.by_rank.assign(rows, std::vector<std::int64_t>(axis.columns(), -1));
  for (std::size_t row = 0; row < rows; ++row)
    lateness.targets.emplace_back(axis.columns(), RankTarget{row * lateness.per_row, no_slice});
  std::vector<std::int64_t> arrivals;
  for (std::size_t i = 0; i < report.collectives.size(); ++i) {
    const analysis::MatchedCollective& one = report.collectives[i];
    const std::size_t at = axis.column_of(report, i);
    if (at >= axis.columns() || !analysis::has_skew(one)) continue;
    arrivals.clear();
    for (const analysis::Member& member : one.members) arrivals.push_back(member.arrival);
    const auto middle = arrivals.begin() + static_cast<std::ptrdiff_t>((arrivals.size() - 1) / 2);
    std::ranges::nth_element(arrivals, middle);
    for (const analysis::Member& member : one.members) {
      const std::int64_t late = std::max<std::int64_t>(0, member.arrival - *middle);
      const std::size_t row = member.rank / lateness.per_row;
      std::int64_t& cell = lateness.by_rank[row][at];
      if (late <= cell) continue;
      cell = late;
      lateness.targets[row][at] = target_of(report, member);
      lateness.largest = std::max(lateness.largest, late);
    }
  }
  return lateness;
}

float share_of(std::int64_t late, std::int64_t largest) {
  if (late < 0) return HeatRow::nothing;
  return largest == 0 ? 0 : static_cast<float>(static_cast<double>(late) / static_cast<double>(largest));
}

}  // namespace

std::size_t SkewAxis::column_of(const analysis::RankReport& report, std::size_t collective) const {
  const std::int64_t at = steps ? report.collectives[collective].step : static_cast<std::int64_t>(collective) + 1;
  return at < from || at >= to ? columns() : static_cast<std::size_t>((at - from) / width);
}

SkewAxis skew_axis(const analysis::RankReport& report, std::size_t most_columns) {
  SkewAxis axis;
  std::int64_t first = 0, last = -1;
  std::size_t in_steps = 0;
  for (const analysis::MatchedCollective& one : report.collectives) {
    if (one.step < 0) continue;
    first = in_steps == 0 ? one.step : std::min(first, one.step);
    last = std::max(last, one.step);
    ++in_steps;
  }
  axis.steps = in_steps * 2 > report.collectives.size();
  axis.from = axis.steps ? first : 1;
  axis.to = axis.steps ? last + 1 : static_cast<std::int64_t>(report.collectives.size()) + 1;
  const auto most = static_cast<std::int64_t>(most_columns);
  axis.width = std::max<std::int64_t>(1, (axis.to - axis.from + most - 1) / most);
  return axis;
}

ScatterAxis decades_axis(std::string label, double least, double most, std::string (*text)(double)) {
  ScatterAxis axis;
  axis.label = std::move(label);
  axis.logarithmic = true;
  axis.from = std::pow(10, std::floor(std::log10(std::max(least, 1e-3))));
  axis.to = std::pow(10, std::ceil(std::log10(std::max(most, axis.from * 1.001))));
  for (double at = axis.from; at <= axis.to * 1.001; at *= 10) axis.ticks.emplace_back(at, text(at));
  return axis;
}

Panel skew_panel(const RanksScene& scene) {
  const analysis::RankReport& report = scene.report;
  const SkewAxis axis = skew_axis(report, most_skew_columns);
  ScatterPicture picture;
  picture.across.label = scene.word(axis.steps ? "across_steps" : "across_numbers");
  picture.across.from = static_cast<double>(axis.from) - 0.5;
  picture.across.to = static_cast<double>(axis.to) - 0.5;
  picture.across.ticks = ticks_of(axis);
  picture.groups = {{scene.word("largest"), Tone::refused}, {scene.word("middle"), Tone::memory}};
  const auto uncertainty = static_cast<double>(std::max<std::int64_t>(1, report.alignment.uncertainty));
  double least = uncertainty, most = uncertainty;
  std::vector<SkewColumn> columns = skew_columns(report, axis);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    SkewColumn& column = columns[i];
    if (column.skews.empty()) continue;
    const auto middle = column.skews.begin() + static_cast<std::ptrdiff_t>((column.skews.size() - 1) / 2);
    std::ranges::nth_element(column.skews, middle);
    const analysis::MatchedCollective& one = report.collectives[column.collective];
    ScatterPoint point;
    point.x = static_cast<double>(axis.from) + (static_cast<double>(i) + 0.5) * static_cast<double>(axis.width) - 0.5;
    point.name = axis_word(scene, axis, i);
    point.rank = target_of(report, last_member(one));
    const auto add = [&](std::int64_t skew, std::size_t group, std::string_view tip) {
      point.text =
          scene.word(tip, {{"time", words::short_time_text(skew)}, {"rank", scene.rank_word(last_member(one).rank)}});
      point.y = static_cast<double>(std::max<std::int64_t>(1, skew));
      point.group = group;
      least = std::min(least, point.y);
      most = std::max(most, point.y);
      picture.points.push_back(point);
    };
    if (column.skews.size() > 1) add(*middle, 1, "middle_tip");
    add(column.largest, 0, "largest_tip");
  }
  picture.up = decades_axis(scene.word("up_skew"), least, most, time_of);
  picture.lines.push_back({{picture.across.from, uncertainty},
                           {picture.across.to, uncertainty},
                           scene.word("uncertainty_line", {{"time", time_of(uncertainty)}}),
                           true});
  return {"", 1, std::move(picture)};
}

Panel matrix_panel(const RanksScene& scene) {
  const analysis::RankReport& report = scene.report;
  const SkewAxis axis = skew_axis(report, most_matrix_columns);
  Lateness lateness = lateness_of(report, axis);
  HeatPicture heat;
  heat.from = axis.from;
  heat.to = axis.to;
  heat.column = axis.width;
  heat.tone = Tone::refused;
  heat.word_cycle = scene.word(axis.steps ? "word_step" : "word_number");
  heat.word_share = scene.word("of_largest", {{"time", words::short_time_text(lateness.largest)}});
  heat.word_zero = scene.word("not_late");
  heat.word_nothing = scene.word("no_collective");
  heat.whole.label = scene.word("all_ranks");
  heat.whole.shares.assign(axis.columns(), HeatRow::nothing);
  const std::size_t late = scene.healthy() ? analysis::MatchedCollective::nobody : report.causes.front().rank;
  const std::size_t per_row = lateness.per_row, rows = lateness.by_rank.size();
  const auto number_of = [&](std::size_t rank) {
    return fmt::to_string(report.ranks[std::min(rank, report.ranks.size() - 1)].identity.rank);
  };
  const auto range = [&](std::size_t row, std::size_t count) {
    return scene.word("ranks_range",
                      {{"from", number_of(row * per_row)}, {"to", number_of((row + count) * per_row - 1)}});
  };
  for (std::size_t row = 0; row < rows; ++row) {
    if (row % rows_in_a_group == 0) heat.groups.push_back({range(row, std::min(rows_in_a_group, rows - row)), {}});
    HeatRow heat_row;
    heat_row.label = per_row == 1 ? scene.rank_word(row) : range(row, 1);
    heat_row.followed = late / per_row == row;
    for (const std::int64_t one : lateness.by_rank[row]) heat_row.shares.push_back(share_of(one, lateness.largest));
    for (std::size_t c = 0; c < heat_row.shares.size(); ++c)
      heat.whole.shares[c] = std::max(heat.whole.shares[c], heat_row.shares[c]);
    heat_row.ranks = std::move(lateness.targets[row]);
    heat.groups.back().rows.push_back(std::move(heat_row));
  }
  return {per_row == 1 ? scene.word("matrix") : scene.word("matrix_several", {{"n", fmt::to_string(per_row)}}), 1,
          std::move(heat)};
}

}  // namespace warpwalk::story
