#include "app/pages/kernels/grid_view.h"

#include <algorithm>

#include "core/analysis/names/short_names.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float grid_row_height = 22, grid_head_height = 26, grid_gap = 16;
constexpr float sort_mark_room = 12;

// Left edges of the columns.
std::vector<float> lefts_of(std::span<const GridColumn> columns, float x) {
  std::vector<float> lefts;
  for (const GridColumn& column : columns) {
    lefts.push_back(x);
    x += column.width;
  }
  return lefts;
}

// A triangle that points up or down.
void paint_sort_mark(Canvas& canvas, float x, float y, bool descending, ImU32 colour) {
  if (descending)
    canvas.triangle({x, y - 2}, {x + 7, y - 2}, {x + 3.5f, y + 3}, colour);
  else
    canvas.triangle({x, y + 2}, {x + 3.5f, y - 3}, {x + 7, y + 2}, colour);
}

std::optional<std::size_t> paint_heads(draw::Ui& ui, const Box& box, std::span<const GridColumn> columns,
                                       const std::vector<float>& lefts, const GridSort& sort) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  std::optional<std::size_t> clicked;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const GridColumn& column = columns[c];
    const Box place = {lefts[c], box.y, column.width, grid_head_height};
    const Box text = {place.x, place.y, place.width - grid_gap, place.height - 4};
    const bool chosen = column.id == sort.chosen, over = ui.hovered(place);
    canvas.text_in(text, Style::small_caps, chosen || over ? theme.text : theme.second, column.head,
                   column.right ? Align::right : Align::left);
    if (chosen) canvas.fill({text.x, place.bottom() - 3, text.width, 2}, theme.text, 1);
    if (column.id == sort.sorted) {
      const float width = std::min(text.width, canvas.text_width(Style::small_caps, column.head));
      const float x = column.right ? text.right() - width - sort_mark_room : text.x + width + 4;
      paint_sort_mark(canvas, x, place.y + text.height / 2, sort.descending, theme.text);
    }
    if (!over) continue;
    ui.point(place, column.head);
    ui.tooltip(column.tip);
    if (ui.input().mouse_pressed) clicked = column.id;
  }
  return clicked;
}

// Words that are too long are cut in the middle: names of kernels differ at their ends too.
std::string cell_text_within(const Canvas& canvas, const std::string& text, float width) {
  if (canvas.text_width(Style::mono_small, text) <= width) return text;
  const float letter = canvas.text_width(Style::mono_small, "0");
  return analysis::shortened(text, static_cast<std::size_t>(std::max(1.0f, width / letter)));
}

void paint_cell(draw::Ui& ui, const Box& place, const GridColumn& column, const GridCell& cell) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const Box text = {place.x, place.y, column.width - grid_gap, place.height};
  if (cell.bar > 0) {
    const float width = text.width * static_cast<float>(std::min(cell.bar, 1.0));
    canvas.fill({text.right() - width, text.bottom() - 2, width, 2}, theme.done, 1);
  }
  canvas.text_in(text, Style::mono_small, cell.quiet ? theme.second : theme.text,
                 column.right ? cell.text : cell_text_within(canvas, cell.text, text.width),
                 column.right ? Align::right : Align::left);
  if (!ui.hovered(place)) return;
  if (!cell.tip.empty())
    ui.tooltip(cell.tip);
  else if (canvas.text_width(Style::mono_small, cell.text) > text.width)
    ui.tooltip(cell.text);
}

// The visible rows keep the cursor if it moved, and follow the wheel if it turned.
void scroll(draw::Ui& ui, const Box& list, std::size_t rows, std::size_t page, bool moved, GridState& state) {
  const std::size_t last_first = rows > page ? rows - page : 0;
  if (moved) {
    if (state.cursor < state.first) state.first = state.cursor;
    if (state.cursor >= state.first + page) state.first = state.cursor + 1 - page;
  }
  const float notches = ui.wheel(list);
  if (notches > 0) state.first -= std::min(state.first, static_cast<std::size_t>(3 * notches + 0.5f));
  if (notches < 0) state.first += static_cast<std::size_t>(-3 * notches + 0.5f);
  state.first = std::min(state.first, last_first);
}

void paint_scroll_bar(Canvas& canvas, const Box& list, std::size_t rows, std::size_t page, const GridState& state) {
  if (rows <= page) return;
  const float share = static_cast<float>(page) / static_cast<float>(rows);
  const float bar = std::max(24.0f, list.height * share);
  const float at = static_cast<float>(state.first) / static_cast<float>(rows - page);
  canvas.fill({list.right() - 4, list.y + (list.height - bar) * at, 4, bar},
              draw::mixed(canvas.theme().second, canvas.theme().ground, 0.5f), 2);
}

}  // namespace

float grid_width(const Canvas& canvas, std::string_view text) {
  return canvas.text_width(Style::mono_small, text) + grid_gap + 1;
}

float grid_width(const Canvas& canvas, std::string_view head, std::string_view widest) {
  return std::max(grid_width(canvas, widest),
                  canvas.text_width(Style::small_caps, head) + sort_mark_room + grid_gap + 1);
}

std::vector<GridColumn> fitted_columns(std::vector<GridColumn> columns, float width) {
  const auto wanted = [](const std::vector<GridColumn>& all) {
    float sum = 0;
    for (const GridColumn& column : all) sum += column.width > 0 ? column.width : column.least;
    return sum;
  };
  while (columns.size() > 1 && wanted(columns) > width)
    columns.erase(std::ranges::max_element(columns, {}, &GridColumn::rank));
  float shares = 0;
  for (const GridColumn& column : columns) shares += column.width > 0 ? 0 : column.least;
  const float left = std::max(0.0f, width - wanted(columns));
  for (GridColumn& column : columns)
    if (column.width <= 0) column.width = column.least + (shares > 0 ? left * column.least / shares : 0);
  return columns;
}

GridAnswer paint_grid(draw::Ui& ui, const Box& box, std::string_view id, std::span<const GridColumn> columns,
                      const GridSort& sort, std::size_t rows, GridState& state, bool typing,
                      const std::function<GridCell(std::size_t row, std::size_t column)>& cell) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const std::vector<float> lefts = lefts_of(columns, box.x);
  GridAnswer answer;
  answer.head = paint_heads(ui, box, columns, lefts, sort);
  canvas.line({box.x, box.y + grid_head_height}, {box.right(), box.y + grid_head_height}, theme.line, theme.hairline);
  const Box list = {box.x - 8, box.y + grid_head_height + 4, box.width + 16, box.height - grid_head_height - 4};
  const auto page = static_cast<std::size_t>(std::max(1.0f, list.height / grid_row_height));
  const std::size_t before = state.cursor;
  if (rows == 0) {
    state = {};
    return answer;
  }
  state.cursor = std::min(state.cursor, rows - 1);
  const bool to_end = std::ranges::any_of(ui.input().keys, [](const draw::KeyPress& press) {
    return press.key == draw::Key::home || press.key == draw::Key::end;
  });
  // While a filter is typed, Home and End move its caret.
  const std::size_t moved_to = ui.list(id, list, state.cursor, rows, page, true);
  if (!(typing && to_end)) state.cursor = moved_to;
  scroll(ui, list, rows, page, state.cursor != before, state);
  for (std::size_t row = state.first; row < std::min(rows, state.first + page); ++row) {
    const float y = list.y + grid_row_height * static_cast<float>(row - state.first);
    const Box line = {list.x, y, list.width - 8, grid_row_height - 1};
    const bool over = ui.hovered(line);
    if (row == state.cursor)
      canvas.fill(line, draw::mixed(theme.now, theme.ground, 0.16f), 4);
    else if (over)
      canvas.fill(line, draw::mixed(theme.text, theme.ground, 0.08f), 4);
    for (std::size_t c = 0; c < columns.size(); ++c)
      paint_cell(ui, {lefts[c], y, columns[c].width, grid_row_height - 1}, columns[c], cell(row, columns[c].id));
    if (over && ui.input().mouse_pressed) {
      answer.open = row == state.cursor;
      state.cursor = row;
    }
  }
  paint_scroll_bar(canvas, list, rows, page, state);
  return answer;
}

}  // namespace warpwalk::pages
