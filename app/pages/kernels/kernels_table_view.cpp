// The table of kernels, with the facts of the row at the cursor below it.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/pages/kernels/kernels_state.h"
#include "core/analysis/names/short_names.h"
#include "core/story/elements/figure.h"

namespace warpwalk::pages {
namespace {

using analysis::KernelColumn;
using analysis::KernelRow;
using draw::Box;
using draw::Canvas;
using draw::Key;
using draw::Style;

constexpr float facts_line_height = 19, facts_gap = 12, facts_name_gap = 4;
constexpr int name_lines = 2;
constexpr float least_name_width = 300;
constexpr int no_value_rank = 100;           // a column without a value is left out before those with one
constexpr std::size_t max_tip = 400;         // characters of a name at the pointer
constexpr std::size_t measured_rows = 1000;  // widths of columns follow from so many rows

// Columns that are left out first have the highest rank.
constexpr std::array<std::pair<KernelColumn, int>, analysis::kernel_columns> column_ranks = {
    {{KernelColumn::name, 0},
     {KernelColumn::total, 1},
     {KernelColumn::share, 2},
     {KernelColumn::count, 3},
     {KernelColumn::mean, 4},
     {KernelColumn::min, 11},
     {KernelColumn::max, 12},
     {KernelColumn::grid, 8},
     {KernelColumn::block, 10},
     {KernelColumn::registers, 13},
     {KernelColumn::shared, 16},
     {KernelColumn::occupancy, 9},
     {KernelColumn::tensor_cores, 15},
     {KernelColumn::flops, 6},
     {KernelColumn::bytes, 7},
     {KernelColumn::peak, 5},
     {KernelColumn::category, 14}}};

std::int64_t rounded_mean(const KernelRow& row) { return std::llround(row.mean().value_or(0)); }

TableUnits units_of(const analysis::KernelTable& table) {
  std::int64_t total = 0, mean = 0, min = 0, max = 0;
  double flops = 0, bytes = 0, share = 0;
  for (const KernelRow& row : table.rows) {
    total = std::max(total, row.total);
    mean = std::max(mean, rounded_mean(row));
    min = std::max(min, row.min);
    max = std::max(max, row.max);
    flops = std::max(flops, row.flops.rate().value_or(0));
    bytes = std::max(bytes, row.bytes.rate().value_or(0));
    share = std::max(share, row.share.value_or(0));
  }
  using words::RateColumn;
  using words::TimeColumn;
  return {TimeColumn(total), TimeColumn(mean),  TimeColumn(min),      TimeColumn(max),
          RateColumn(flops), RateColumn(bytes), share > 0 ? share : 1};
}

class TableCells {
 public:
  TableCells(const draw::Ui& ui, const KernelsState& state)
      : ui_(ui), trace_(state.document->trace()), table_(state.table), units_(state.units) {}

  GridCell cell(const KernelRow& row, KernelColumn column) const;
  std::string head(KernelColumn column) const;
  std::string tip(KernelColumn column) const;
  // The text of a cell without a value.
  std::string none() const { return ui_.word("kernels_page", "not_recorded"); }

 private:
  // No limits are known: the profiler's estimate of the occupancy is shown instead.
  bool profiler_occupancy() const { return !table_.device.device.has_value(); }
  std::string time(const KernelRow& row, const words::TimeColumn& unit, std::int64_t ns) const {
    return row.timed > 0 ? unit.text(ns) : ui_.word("kernels_page", "no_time");
  }
  std::string spread(const analysis::Spread& spread) const;
  std::string shape(const analysis::ShapeSpread& shape) const;
  std::string occupancy(const KernelRow& row) const;
  std::string peak(const KernelRow& row) const;

  const draw::Ui& ui_;
  const trace::Trace& trace_;
  const analysis::KernelTable& table_;
  const TableUnits& units_;
};

std::string TableCells::spread(const analysis::Spread& spread) const {
  if (!spread.known()) return none();
  const std::string least = story::with_thousands(spread.least);
  return spread.varies() ? fmt::format("{}–{}", least, story::with_thousands(spread.most)) : least;
}

std::string TableCells::shape(const analysis::ShapeSpread& shape) const {
  if (!shape.count.known()) return none();
  if (shape.same) return analysis::shape_text(shape.first);
  return ui_.word(
      "kernels_page", "varies",
      {{"from", story::with_thousands(shape.count.least)}, {"to", story::with_thousands(shape.count.most)}});
}

std::string TableCells::occupancy(const KernelRow& row) const {
  const auto percent = [&](double value) {
    return ui_.word("kernels_page", "percent", {{"n", fmt::format("{:.0f}", value)}});
  };
  if (profiler_occupancy()) return row.occupancy_profiler ? percent(*row.occupancy_profiler) : none();
  if (!row.occupancy) return none();
  const auto [least, most] = *row.occupancy;
  if (std::round(least) == std::round(most)) return percent(least);
  return ui_.word("kernels_page", "varies_occupancy",
                  {{"from", fmt::format("{:.0f}", least)}, {"to", fmt::format("{:.0f}", most)}});
}

std::string TableCells::peak(const KernelRow& row) const {
  const auto share = table_.share_of_peak(row);
  if (!share) return none();
  if (share->above()) return ui_.word("kernels_page.share", share->memory ? "memory_above" : "arithmetic_above");
  return ui_.word("kernels_page.share", share->memory ? "memory" : "arithmetic",
                  {{"n", base::with_marks(fmt::format("{:.1f}", 100 * share->share))}});
}

GridCell TableCells::cell(const KernelRow& row, KernelColumn column) const {
  const auto rate = [&](const analysis::WorkSum& sum, const words::RateColumn& unit) {
    return sum.rate() ? unit.text(*sum.rate()) : none();
  };
  GridCell cell;
  cell.quiet = true;
  switch (column) {
    case KernelColumn::name: {
      const std::string_view name = trace_.text(row.name);
      return {row.label, name == row.label ? std::string() : analysis::shortened(name, max_tip), 0, !row.is_kernel()};
    }
    case KernelColumn::total: return {time(row, units_.total, row.total)};
    case KernelColumn::share:
      if (!row.share) return {none()};
      return {ui_.word("kernels_page", "percent", {{"n", base::with_marks(fmt::format("{:.1f}", 100 * *row.share))}}),
              {},
              *row.share / units_.largest_share};
    case KernelColumn::count: return {story::with_thousands(static_cast<std::int64_t>(row.count))};
    case KernelColumn::mean: cell.text = time(row, units_.mean, rounded_mean(row)); break;
    case KernelColumn::min: cell.text = time(row, units_.min, row.min); break;
    case KernelColumn::max: cell.text = time(row, units_.max, row.max); break;
    case KernelColumn::grid: cell.text = shape(row.grid); break;
    case KernelColumn::block: cell.text = shape(row.block); break;
    case KernelColumn::registers: cell.text = spread(row.registers); break;
    case KernelColumn::shared: cell.text = spread(row.shared); break;
    case KernelColumn::occupancy: cell.text = occupancy(row); break;
    case KernelColumn::tensor_cores:
      cell.text = row.is_kernel() ? ui_.word("kernels_page.tensor", name_of(row.tensor_cores.use)) : none();
      break;
    case KernelColumn::flops: return {rate(row.flops, units_.flops)};
    case KernelColumn::bytes: return {rate(row.bytes, units_.bytes)};
    case KernelColumn::peak: return {peak(row)};
    case KernelColumn::category: cell.text = ui_.word("work_category", name_of(row.category)); break;
  }
  return cell;
}

std::string TableCells::head(KernelColumn column) const {
  if (column == KernelColumn::flops) return ui_.word("kernels_page.flop_unit", units_.flops.unit());
  if (column == KernelColumn::bytes) return ui_.word("kernels_page.byte_unit", units_.bytes.unit());
  if (column == KernelColumn::occupancy && profiler_occupancy())
    return ui_.word("kernels_page.column", "occupancy_profiler");
  return ui_.word("kernels_page.column", name_of(column));
}

std::string TableCells::tip(KernelColumn column) const {
  if (column == KernelColumn::occupancy && profiler_occupancy())
    return ui_.word("kernels_page.column", "occupancy_profiler.tip");
  return ui_.word("kernels_page.column", fmt::format("{}.tip", name_of(column)));
}

std::vector<GridColumn> columns_of(const Canvas& canvas, const TableCells& cells, const analysis::KernelTable& table) {
  const std::string none = cells.none();
  std::vector<GridColumn> columns;
  for (const auto& [column, rank] : column_ranks) {
    if (column == KernelColumn::peak && !table.peaks.known()) continue;
    GridColumn made;
    made.id = static_cast<std::size_t>(column);
    made.head = cells.head(column);
    made.tip = cells.tip(column);
    made.rank = rank;
    if (column == KernelColumn::name) {
      made.least = least_name_width;
      made.right = false;
    } else {
      std::string widest;
      bool has_value = false;
      for (std::size_t i = 0; i < std::min(table.rows.size(), measured_rows); ++i) {
        std::string text = cells.cell(table.rows[i], column).text;
        has_value = has_value || text != none;
        if (text.size() > widest.size()) widest = std::move(text);
      }
      if (!has_value) made.rank += no_value_rank;
      made.width = grid_width(canvas, made.head, widest);
    }
    columns.push_back(std::move(made));
  }
  return columns;
}

// By another column, or the other way round. Names begin with A, figures with the largest.
void sort_by(KernelsState& state, KernelColumn column) {
  const bool same = state.order.column == column;
  state.order.descending = same ? !state.order.descending : column != KernelColumn::name;
  state.order.column = state.column = column;
  state.place = {};
  order_rows(state);
}

// Left and Right go through the columns that are shown; S orders by the chosen one, or turns the order round.
void take_column_keys(draw::Ui& ui, std::span<const GridColumn> columns, KernelsState& state) {
  const auto at = [&] {
    const auto found = std::ranges::find(columns, static_cast<std::size_t>(state.column), &GridColumn::id);
    return found == columns.end() ? std::size_t{0} : static_cast<std::size_t>(found - columns.begin());
  };
  for (const draw::KeyPress& press : ui.input().keys) {
    if (press.control) continue;
    std::size_t column = at();
    if (press.key == Key::left && column > 0) --column;
    if (press.key == Key::right && column + 1 < columns.size()) ++column;
    state.column = static_cast<KernelColumn>(columns[column].id);
    if (press.key == Key::character && (press.character == U's' || press.character == U'S'))
      sort_by(state, state.column);
  }
}

void paint_facts(draw::Ui& ui, const Box& box, const KernelsState& state, const KernelRow& row) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  float y = box.y;
  for (const std::string& line :
       canvas.wrapped(Style::mono_small, state.document->trace().text(row.name), box.width, name_lines)) {
    canvas.text({box.x, y}, Style::mono_small, theme.text, line);
    y += facts_line_height;
  }
  y += facts_name_gap;
  std::vector<std::string> facts = kernel_facts(ui.words(), state.table, row);
  if (std::string made = compiled_fact(ui.words(), state.document->compiled, state.document->trace().text(row.name));
      !made.empty())
    facts.insert(facts.begin(), std::move(made));
  for (const std::string& line : facts) {
    if (y + facts_line_height > box.bottom() + 4) break;
    canvas.text({box.x, y}, Style::label, theme.second, line, box.width);
    if (const Box place = {box.x, y, box.width, facts_line_height}; ui.hovered(place)) {
      ui.point(place, line);
      if (canvas.text_width(Style::label, line) > box.width) ui.tooltip(line);
    }
    y += facts_line_height;
  }
}

}  // namespace

KernelsChoice paint_kernel_table(draw::Ui& ui, const Box& box, KernelsState& state) {
  Canvas& canvas = ui.canvas();
  if (state.columns.empty()) {
    state.units = units_of(state.table);
    state.columns = columns_of(canvas, TableCells(ui, state), state.table);
  }
  const TableCells cells(ui, state);
  const std::vector<GridColumn> columns = fitted_columns(state.columns, box.width);
  if (!state.typing) take_column_keys(ui, columns, state);
  const float facts_height = std::min(8.5f * facts_line_height, 0.4f * box.height);
  const Box list = {box.x, box.y, box.width, box.height - facts_height - 2 * facts_gap};
  const GridSort sort = {static_cast<std::size_t>(state.column), static_cast<std::size_t>(state.order.column),
                         state.order.descending};
  const GridAnswer answer =
      paint_grid(ui, list, "kernels.rows", columns, sort, state.rows.size(), state.place, state.typing,
                 [&](std::size_t row, std::size_t column) {
                   return cells.cell(state.table.rows[state.rows[row]], static_cast<KernelColumn>(column));
                 });
  if (state.rows.empty())
    canvas.text({list.x, list.y + 36}, Style::label, ui.theme().second,
                ui.word("kernels_page", "not_found", {{"text", state.filter.text}}), list.width);
  const float y = list.bottom() + facts_gap;
  canvas.line({box.x, y}, {box.right(), y}, ui.theme().line, ui.theme().hairline);
  if (const KernelRow* const row = state.current())
    paint_facts(ui, {box.x, y + facts_gap, box.width, facts_height}, state, *row);
  KernelsChoice choice;
  choice.open_launches = answer.open;
  for (const draw::KeyPress& press : ui.input().keys)
    choice.open_launches =
        choice.open_launches ||
        (press.key == Key::enter && state.current() != nullptr && !ui.focus_shown("kernels.roofline") &&
         !ui.focus_shown("kernels.save") && !ui.focus_shown("kernels.table"));
  if (answer.head) sort_by(state, static_cast<KernelColumn>(*answer.head));
  return choice;
}

}  // namespace warpwalk::pages
