#include "app/pages/modules/module_list.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/analysis/time/idle.h"
#include "core/story/elements/figure.h"
#include "core/words/time_column.h"

namespace warpwalk::pages {
namespace {

using analysis::ModuleColumn;
using analysis::ModuleRow;
using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float module_row_height = 24, module_head_height = 28, module_cell_gap = 12;

struct ListColumn {
  ModuleColumn column;
  const char* key;
  float width;  // 0: what the others leave
};
constexpr std::array<ListColumn, analysis::module_columns> list_columns = {
    {{ModuleColumn::module, "module", 0},
     {ModuleColumn::calls, "calls", 72},
     {ModuleColumn::cpu, "cpu", 104},
     {ModuleColumn::gpu_forward, "forward", 120},
     {ModuleColumn::gpu_backward, "backward", 124},
     {ModuleColumn::idle, "idle", 104},
     {ModuleColumn::share, "share", 84}}};

Box cell_of(const Box& box, std::size_t column, float y, float height) {
  float fixed = 0, x = box.x;
  for (const ListColumn& one : list_columns) fixed += one.width;
  const auto width = [&](std::size_t c) {
    return list_columns[c].width > 0 ? list_columns[c].width : box.width - fixed;
  };
  for (std::size_t c = 0; c < column; ++c) x += width(c);
  return {x, y, width(column) - (column == 0 ? module_cell_gap : 0), height};
}

const char* first_heading(analysis::ModuleGrouping grouping) {
  switch (grouping) {
    case analysis::ModuleGrouping::functions: return "function";
    case analysis::ModuleGrouping::ranges: return "range";
    case analysis::ModuleGrouping::modules:
    case analysis::ModuleGrouping::none: break;
  }
  return "module";
}

// The headings. A click sorts by a column, a second one reverses the order.
void paint_list_head(draw::Ui& ui, const Box& box, ModulesState& state) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  for (std::size_t c = 0; c < list_columns.size(); ++c) {
    const ListColumn& one = list_columns[c];
    const Box cell = cell_of(box, c, box.y, module_head_height);
    const bool sorted = one.column == state.sorted_by;
    const std::string word = ui.word("modules_column", c == 0 ? first_heading(state.times->grouping) : one.key);
    const float wide = canvas.text_width(Style::small_caps, word);
    canvas.text_in(cell, Style::small_caps, sorted || ui.hovered(cell) ? theme.text : theme.second, word,
                   c == 0 ? Align::left : Align::right);
    if (sorted) {
      const float x = c == 0 ? cell.x + wide + 10 : cell.right() - wide - 10, y = cell.y + module_head_height / 2;
      const float by = state.descending ? 3.0f : -3.0f;
      canvas.triangle({x - 4, y - by}, {x + 4, y - by}, {x, y + by}, theme.text);
    }
    if (ui.hovered(cell)) ui.tooltip(ui.word("modules_column_tip", one.key));
    if (!ui.hovered(cell) || !ui.input().mouse_pressed) continue;
    state.descending = sorted ? !state.descending : one.column != ModuleColumn::module;
    state.sorted_by = one.column;
    renew_rows(state, state.rows.empty() ? no_module : state.rows[state.cursor].module);
  }
  canvas.line({box.x, box.y + module_head_height - 2}, {box.right(), box.y + module_head_height - 2}, theme.line,
              theme.hairline);
}

// The units of the columns.
struct ListUnits {
  words::TimeColumn cpu, forward, backward, idle;

  static words::TimeColumn largest(const std::vector<ModuleRow>& rows, auto time) {
    std::int64_t most = 0;
    for (const ModuleRow& row : rows) most = std::max<std::int64_t>(most, time(row.cost));
    return words::TimeColumn(most);
  }
  explicit ListUnits(const std::vector<ModuleRow>& rows)
      : cpu(largest(rows, [](const auto& cost) { return cost.cpu(); })),
        forward(largest(rows, [](const auto& cost) { return cost.gpu_forward; })),
        backward(largest(rows, [](const auto& cost) { return cost.gpu_backward; })),
        idle(largest(rows, [](const auto& cost) { return cost.idle; })) {}
};

void paint_list_row(draw::Ui& ui, const Box& box, const ModulesState& state, const ModuleRow& row,
                    const ListUnits& units) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const analysis::ModuleTimes& times = *state.times;
  const std::int64_t all = measured(times.whole().total, state.measure);
  const std::array<std::string, analysis::module_columns> cells = {
      row_name(ui, state, row),
      row.calls == 0 ? std::string() : story::with_thousands(static_cast<std::int64_t>(row.calls)),
      units.cpu.text(row.cost.cpu()),
      units.forward.text(row.cost.gpu_forward),
      units.backward.text(row.cost.gpu_backward),
      units.idle.text(row.cost.idle),
      story::share_text(measured(row.cost, state.measure), all)};
  const bool opens = !row.own && !times.modules[row.module].children.empty();
  for (std::size_t c = 0; c < cells.size(); ++c) {
    Box cell = cell_of(box, c, box.y, box.height);
    if (c == 0) {
      if (opens) {
        const float x = cell.x + 3, y = cell.y + cell.height / 2;
        canvas.triangle({x, y - 4}, {x + 5, y}, {x, y + 4}, theme.second);
      }
      cell.x += 16;
      cell.width -= 16;
      canvas.text_in(cell, Style::label, row.own && !state.all ? theme.second : theme.text, cells[c]);
      if (ui.hovered(cell) && canvas.text_width(Style::label, cells[c]) > cell.width) ui.tooltip(cells[c]);
      continue;
    }
    canvas.text_in(cell, Style::mono_small, theme.text, cells[c], Align::right);
  }
}

}  // namespace

std::optional<std::size_t> module_list(draw::Ui& ui, const Box& box, ModulesState& state) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  paint_list_head(ui, {box.x, box.y, box.width, module_head_height}, state);
  const Box list = {box.x - 8, box.y + module_head_height, box.width + 16, box.height - module_head_height};
  const auto page = static_cast<std::size_t>(std::max(1.0f, list.height / module_row_height));
  const std::size_t before = state.cursor;
  state.cursor =
      ui.list("modules.rows", list, std::min(state.cursor, state.rows.size() - 1), state.rows.size(), page, true);
  if (std::exchange(state.to_cursor, false) || state.cursor != before) {
    state.first = std::min(state.first, state.cursor);
    if (state.cursor >= state.first + page) state.first = state.cursor + 1 - page;
  }
  constexpr std::size_t by = 3;  // rows for a notch of the wheel
  if (const float notches = ui.wheel(list); notches > 0)
    state.first -= std::min(state.first, by);
  else if (notches < 0)
    state.first += by;
  state.first = std::min(state.first, state.rows.size() - std::min(page, state.rows.size()));
  const ListUnits units(state.rows);
  std::optional<std::size_t> clicked;
  float y = list.y;
  for (std::size_t i = state.first; i < std::min(state.rows.size(), state.first + page); ++i, y += module_row_height) {
    const Box line = {list.x, y, list.width, module_row_height - 2};
    if (i == state.cursor)
      canvas.fill(line, draw::mixed(theme.now, theme.ground, 0.16f), 4);
    else if (ui.hovered(line))
      canvas.fill(line, draw::mixed(theme.text, theme.ground, 0.08f), 4);
    paint_list_row(ui, {box.x, y, box.width, module_row_height - 2}, state, state.rows[i], units);
    if (ui.hovered(line) && ui.input().mouse_pressed) clicked = i;
  }
  return clicked;
}

}  // namespace warpwalk::pages
