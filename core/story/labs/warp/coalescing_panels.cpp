// The pictures of the lab "coalescing".
#include <algorithm>

#include <fmt/format.h>

#include "core/story/labs/warp/access_code.h"
#include "core/story/labs/warp/coalescing.h"

namespace warpwalk::story {
namespace {

constexpr std::uint64_t sectors_per_line = 4;

std::uint64_t as_unsigned(std::int64_t value) { return static_cast<std::uint64_t>(value); }

// The lines that are touched, by address, and the one behind a single one, so that an offset can be compared.
std::vector<std::uint64_t> shown_lines_of(const Folded& folded) {
  std::vector<std::uint64_t> lines;
  for (int i = 0; i < folded.access.count; ++i) lines.push_back(folded.access.lines[static_cast<std::size_t>(i)].line);
  std::ranges::sort(lines);
  if (lines.size() == 1) lines.push_back(lines.front() + 1);
  return lines;
}

LinkCell sector_cell(const Coalescing& c, std::uint64_t line, std::uint64_t sector) {
  const std::uint64_t from = line * as_unsigned(line_bytes) + sector * as_unsigned(sector_bytes);
  std::vector<std::uint64_t> starts;
  std::int64_t lanes = 0;
  for (const std::uint64_t at : c.folded.pattern.at) {
    if (at / as_unsigned(sector_bytes) != from / as_unsigned(sector_bytes)) continue;
    ++lanes;
    if (std::ranges::find(starts, at) == starts.end()) starts.push_back(at);
  }
  LinkCell cell;
  cell.tone = lanes == 0 ? Tone::quiet : Tone::shared;
  const auto share = [&](std::uint64_t at) {
    return static_cast<double>(at - from) / static_cast<double>(sector_bytes);
  };
  std::ranges::sort(starts);
  for (const std::uint64_t at : starts) cell.parts.emplace_back(share(at), share(at + as_unsigned(c.access.bytes)));
  cell.tip = c.word("sector_tip", {{"line", fmt::to_string(line)},
                                   {"sector", fmt::to_string(sector)},
                                   {"used", fmt::to_string(std::ssize(starts) * c.access.bytes)},
                                   {"lanes", c.count("lane", lanes)}});
  return cell;
}

struct TableLine {
  std::string words;
  std::vector<GlobalAccess> loads;  ///< of one kind: their sums are shown
  bool followed = false;
};

std::vector<TableLine> lines_of(const Coalescing& c, AccessTable kind) {
  std::vector<TableLine> lines;
  GlobalAccess made = c.access;
  if (kind == AccessTable::widths) {
    for (const int bytes : access_widths) {
      made.bytes = bytes;
      lines.push_back({c.word("width", {{"n", fmt::to_string(bytes)}}), {made}, bytes == c.access.bytes});
    }
  } else if (kind == AccessTable::orders) {
    for (std::size_t i = 0; i < lane_orders; ++i) {
      made.order = static_cast<LaneOrder>(i);
      lines.push_back({c.word(order_keys[i]), {made}, made.order == c.access.order});
    }
  } else {
    for (const DataLayout layout : {DataLayout::structures, DataLayout::fields}) {
      made.layout = layout;
      const std::string_view key = data_layout_keys[static_cast<std::size_t>(layout)];
      lines.push_back({c.word(fmt::format("{}_one", key)), {made}, layout == c.access.layout});
      // Each field is a load of its own, of as many sectors.
      lines.push_back({c.word(fmt::format("{}_all", key), {{"n", fmt::to_string(made.fields)}}),
                       std::vector<GlobalAccess>(as_unsigned(made.fields), made), false});
    }
  }
  return lines;
}

}  // namespace

Panel access_code_panel(const Coalescing& c) {
  const std::int64_t i = c.access.element(static_cast<std::int64_t>(c.lane));
  const std::uint64_t at = c.folded.pattern.at[c.lane];
  return lab_code_panel(
      c.word("code"), access_code(c.access),
      {c.word("lane_value", {{"lane", fmt::to_string(c.lane)}, {"address", address_text(c.access, i)}}),
       c.word("sector_value",
              {{"sector", fmt::format("{} / {} = {}", at, sector_bytes, at / as_unsigned(sector_bytes))}})},
      1);
}

Panel sectors_panel(const Coalescing& c) {
  const std::vector<std::uint64_t> lines = shown_lines_of(c.folded);
  LinkPicture picture;
  picture.from_name = c.word("lane_row");
  picture.to_name = c.word("sector_row");
  picture.group_name = c.word("byte_row");
  picture.group = sectors_per_line;
  picture.control = fmt::format("{}.lane", coalescing_name);
  picture.followed = c.lane;
  for (const std::uint64_t line : lines) {
    for (std::uint64_t sector = 0; sector < sectors_per_line; ++sector)
      picture.to.push_back(sector_cell(c, line, sector));
    picture.groups.push_back(with_thousands(static_cast<std::int64_t>(line) * line_bytes));
  }
  for (std::size_t lane = 0; lane < c.folded.pattern.at.size(); ++lane) {
    const std::uint64_t at = c.folded.pattern.at[lane];
    picture.from.push_back({Tone::memory, fmt::to_string(lane), "",
                            c.word("lane_tip", {{"lane", fmt::to_string(lane)},
                                                {"address", with_thousands(static_cast<std::int64_t>(at))},
                                                {"line", fmt::to_string(at / as_unsigned(line_bytes))},
                                                {"sector", fmt::to_string(at / as_unsigned(sector_bytes) % 4)}})});
    const auto line = std::ranges::find(lines, at / as_unsigned(line_bytes)) - lines.begin();
    const double middle = static_cast<double>(at % as_unsigned(sector_bytes)) + static_cast<double>(c.access.bytes) / 2;
    picture.links.push_back({lane,
                             static_cast<std::size_t>(static_cast<std::uint64_t>(line) * sectors_per_line +
                                                      at / as_unsigned(sector_bytes) % sectors_per_line),
                             middle / static_cast<double>(sector_bytes)});
  }
  const std::int64_t shown = std::ssize(lines) * static_cast<std::int64_t>(sectors_per_line);
  if (c.folded.used() > 0) picture.legend.emplace_back(Tone::work, c.word("used"));
  if (c.folded.used() < c.folded.moved()) picture.legend.emplace_back(Tone::shared, c.word("vain"));
  if (c.folded.sectors() < shown) picture.legend.emplace_back(Tone::quiet, c.word("untouched"));
  return {"", 1, std::move(picture)};
}

Panel addresses_panel(const Coalescing& c) {
  CellGrid cells;
  cells.columns = 16;
  cells.fitted = true;
  const std::uint64_t first =
      *std::ranges::min_element(c.folded.pattern.at) / as_unsigned(line_bytes) * as_unsigned(line_bytes);
  for (const std::uint64_t at : c.folded.pattern.at)
    cells.cells.push_back({Tone::memory, fmt::to_string(at - first), ""});
  return {c.word("addresses"), 1, std::move(cells)};
}

Panel sectors_chart(const Coalescing& c, bool of_stride) {
  const std::int64_t last = of_stride ? max_stride : max_offset, here = of_stride ? c.access.stride : c.access.offset;
  ChartPicture chart;
  chart.label = c.word(of_stride ? "stride_axis" : "offset_axis");
  chart.tip = c.word("chart_tip");
  chart.from = -0.5;
  chart.to = static_cast<double>(last) + 0.5;
  chart.control = fmt::format("{}.{}", coalescing_name, of_stride ? "stride" : "offset");
  std::int64_t most = 1;
  for (std::int64_t at = 0; at <= last; ++at) {
    GlobalAccess made = c.access;
    (of_stride ? made.stride : made.offset) = at;
    const Folded there(made);
    most = std::max(most, there.sectors());
    chart.stops.push_back(static_cast<double>(at));
    chart.steps.push_back(
        {static_cast<double>(at) - 0.5, static_cast<double>(at) + 0.5, static_cast<double>(there.sectors())});
    if (at % 8 == 0) chart.ticks.emplace_back(static_cast<double>(at), fmt::to_string(at));
  }
  // Whole numbers that are round: 0, 4, 8 or 0, 16, 32.
  const std::int64_t top = most <= 8 ? 8 : 32;
  chart.top = static_cast<double>(top) * 1.15;
  for (const std::int64_t level : {std::int64_t{0}, top / 2, top})
    chart.levels.emplace_back(static_cast<double>(level), fmt::to_string(level));
  chart.here = {static_cast<double>(here), static_cast<double>(c.folded.sectors()),
                c.count("sector", c.folded.sectors())};
  return {"", 1, std::move(chart)};
}

Panel access_table(const Coalescing& c, AccessTable kind) {
  constexpr std::string_view heads[] = {"width_head", "order_head", "layout_head"};
  const bool layouts = kind == AccessTable::layouts;  // their names are long
  TablePicture table;
  table.columns = {{c.word(heads[static_cast<std::size_t>(kind)]), layouts ? 4.0 : 3.0},
                   {c.word("sectors_head"), 2, true}};
  if (!layouts) table.columns.push_back({c.word("used_head"), 2, true});
  table.columns.push_back({c.word("moved_head"), 2, true});
  table.columns.push_back({c.word("efficiency_head"), 2.5, true});
  for (const TableLine& line : lines_of(c, kind)) {
    std::int64_t sectors = 0, used = 0, moved = 0;
    for (const GlobalAccess& load : line.loads) {
      const Folded there(load);
      sectors += there.sectors();
      used += there.used();
      moved += there.moved();
    }
    const auto figure = [&](double value, Unit unit, std::string_view formula) {
      return figure_cell(Figure::derived(value, unit, c.word(formula)));
    };
    TableRow& row = table.rows.emplace_back();
    row.cells = {word_cell(line.words), figure(static_cast<double>(sectors), Unit::count, "sectors_formula")};
    if (!layouts) row.cells.push_back(figure(static_cast<double>(used), Unit::count, "used_formula"));
    row.cells.push_back(figure(static_cast<double>(moved), Unit::count, "moved_formula"));
    row.cells.push_back(
        figure(100.0 * static_cast<double>(used) / static_cast<double>(moved), Unit::percent, "efficiency_formula"));
    row.followed = line.followed;
  }
  return {"", 1.3, std::move(table)};
}

}  // namespace warpwalk::story
