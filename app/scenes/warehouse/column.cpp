#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "app/pictures/text.h"
#include "app/scenes/warehouse/panes.h"
#include "core/story/elements/figure.h"

namespace warpwalk::scenes {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Point;
using draw::Style;
using story::WarehouseColumn;
using story::WarehouseGrid;
using story::WarehouseLine;
using story::WarehousePicture;

constexpr float line_height = 24;

// Draws the buttons that select a tensor, as many as fit the box. Returns the height used.
float paint_tensors(Canvas& canvas, draw::Ui* ui, const Box& box, const WarehouseColumn& column,
                    pictures::Touch& touch) {
  const draw::Theme& theme = canvas.theme();
  constexpr float height = 26, gap = 6;
  float x = box.x, y = box.y;
  if (!column.tensors.empty()) {
    canvas.text_in({x, y, box.width, height}, Style::label, theme.second, column.head_tensors);
    x += canvas.text_width(Style::label, column.head_tensors) + 10;
  }
  for (std::size_t i = 0; i < column.tensors.size(); ++i) {
    const float width = std::min(canvas.text_width(Style::mono_small, column.tensors[i]) + 16, box.width);
    if (x > box.x && x + width > box.right()) {
      x = box.x;
      y += height + gap;
    }
    if (y + height > box.bottom()) break;
    const Box place = {x, y, width, height};
    const bool on = column.chosen == i;
    if (on) canvas.fill(place, draw::mixed(theme.memory, theme.ground, 0.25f), 6);
    canvas.outline(place, on ? theme.memory : theme.line, 6, theme.hairline);
    canvas.text_in({x + 8, y, width - 15, height}, Style::mono_small, on ? theme.text : theme.second,
                   column.tensors[i]);
    if (ui != nullptr) {
      if (ui->hovered(place)) ui->tooltip(column.tensors[i]);
      if (ui->activated(fmt::format("warehouse.tensor.{}", i), place)) {
        touch.set.emplace_back("warehouse.tensor", static_cast<double>(i));
        touch.set.emplace_back("warehouse.index", std::nullopt);
        touch.set.emplace_back("warehouse.block", std::nullopt);
      }
    }
    x += width + gap;
  }
  return column.tensors.empty() ? 0 : y + height - box.y;
}

// Draws a label on the left and a value on the right, or below the label if both do not fit. Returns the height used.
float paint_line(Canvas& canvas, draw::Ui* ui, const Box& box, const WarehouseLine& line) {
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(line.shown);
  const ImU32 mark = draw::mixed(theme.second, theme.ground, shown);
  const std::string value = line.figure.text();
  constexpr float indent = 14;
  const float room = box.width - indent;
  const float label = canvas.text_width(Style::label, line.label);
  const bool two = label + canvas.text_width(Style::mono_small, value) + 12 > room;
  if (shown > 0) {
    pictures::paint_origin_mark(canvas, {box.x + 4, box.y + 10}, line.figure.origin(), mark);
    canvas.text({box.x + indent, box.y + 1}, Style::label, draw::mixed(theme.second, theme.ground, shown), line.label,
                room);
    canvas.text({box.right(), box.y + (two ? 20.0f : 2.0f)}, Style::mono_small,
                draw::mixed(theme.text, theme.ground, shown), value, two ? room : room - label - 12,
                draw::Align::right);
  }
  const float height = two ? line_height + 18 : line_height;
  if (ui != nullptr && shown > 0 && ui->hovered({box.x, box.y, box.width, height})) {
    ui->tooltip(pictures::figure_tip(*ui, line.label, line.figure));
    ui->point({box.x, box.y, box.width, height}, line.label);
  }
  return height;
}

// Explains the column's marks: the origins of its figures, on one line from the right. Omitted if there is no room.
void paint_column_origins(Canvas& canvas, draw::Ui* ui, const Box& box, const WarehousePicture& picture) {
  pictures::OriginWords words;
  const auto add = [&](const WarehouseLine& line) {
    const story::Origin origin = line.figure.origin();
    if (line.shown <= 0 || std::ranges::find(words, origin, &pictures::OriginWords::value_type::first) != words.end())
      return;
    const std::string_view name = trace::name_of(origin);
    words.emplace_back(origin, ui != nullptr ? ui->word("origin", name) : std::string(name));
  };
  if (picture.column.kind == WarehouseColumn::Kind::account)
    for (const story::WarehousePart& part : picture.parts) add({part.label, part.figure, 1});
  for (const WarehouseLine& line : picture.column.lines) add(line);
  if (pictures::origins_width(canvas, words) <= box.width)
    pictures::paint_origins(canvas, box.right(), box.y + 10, words);
}

// Draws the elements by index, and the same elements in memory order. The chosen element moves from one to the other.
void paint_grid(Canvas& canvas, draw::Ui* ui, const Box& box, const WarehouseGrid& grid, pictures::Touch& touch) {
  const draw::Theme& theme = canvas.theme();
  constexpr float head = 20, gap = 3;
  const float more = grid.more_columns ? 18.0f : 0.0f;
  const auto columns = static_cast<float>(grid.columns), rows = static_cast<float>(grid.rows);
  const float storage = 22;
  const float below = head + 8 + storage + 20 + (grid.more_rows ? 16.0f : 6.0f);
  const float cell_width = std::min(64.0f, (box.width - more) / columns);
  const float cell_height = std::clamp((box.height - head - below) / rows, 15.0f, 28.0f);
  const std::size_t chosen = grid.row * grid.columns + grid.column;
  const auto fill_of = [&](std::size_t i) {
    return draw::mixed(theme.memory, theme.ground, i / grid.columns == grid.row ? 0.45f : 0.16f);
  };
  pictures::paint_cut(canvas, ui, {box.x, box.y}, Style::small_caps, theme.second, grid.head_index, box.width);
  const auto cell = [&](std::size_t i) -> Box {
    return {box.x + static_cast<float>(i % grid.columns) * cell_width,
            box.y + head + static_cast<float>(i / grid.columns) * cell_height, cell_width - gap, cell_height - gap};
  };
  for (std::size_t i = 0; i < grid.offsets.size(); ++i) {
    const Box place = cell(i);
    canvas.fill(place, fill_of(i), 3);
    const std::string number = story::with_thousands(grid.offsets[i]);
    if (canvas.text_width(Style::mono_small, number) <= place.width)
      canvas.text_in(place, Style::mono_small, i / grid.columns == grid.row ? theme.text : theme.second, number,
                     draw::Align::centre);
    if (ui == nullptr || !ui->hovered(place)) continue;
    ui->tooltip(number);
    if (ui->input().mouse_pressed) touch.set.emplace_back("warehouse.index", static_cast<double>(i));
  }
  const float bottom = box.y + head + rows * cell_height;
  if (grid.more_columns) canvas.text({box.x + columns * cell_width + 2, box.y + head}, Style::label, theme.second, "…");
  if (grid.more_rows) canvas.text({box.x + 4, bottom - 4}, Style::label, theme.second, "…");

  // Draw the elements in memory order. A gap marks other elements between them.
  float y = bottom + (grid.more_rows ? 16.0f : 6.0f);
  pictures::paint_cut(canvas, ui, {box.x, y}, Style::small_caps, theme.second, grid.head_storage, box.width);
  y += head;
  std::vector<std::size_t> order(grid.offsets.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return grid.offsets[a] < grid.offsets[b]; });
  float parts = 0;
  constexpr float gap_part = 0.8f;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool same = k > 0 && grid.offsets[order[k]] == grid.offsets[order[k - 1]];
    const bool skip = k > 0 && grid.offsets[order[k]] > grid.offsets[order[k - 1]] + 1;
    parts += same ? 0 : skip ? 1 + gap_part : 1;
  }
  const float width = std::min(30.0f, box.width / std::max(parts, 1.0f));
  float x = box.x;
  Box target = {};
  float last_word = box.x - 100;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::int64_t offset = grid.offsets[order[k]];
    const bool same = k > 0 && offset == grid.offsets[order[k - 1]];
    if (k > 0 && !same) x += width;
    if (k > 0 && offset > grid.offsets[order[k - 1]] + 1) {
      const float middle = y + storage / 2;
      canvas.dot({x + width * gap_part / 2 - 3, middle}, 1, theme.second);
      canvas.dot({x + width * gap_part / 2 + 1, middle}, 1, theme.second);
      x += width * gap_part;
    }
    const Box place = {x, y, std::max(width - 1.5f, 2.0f), storage};
    const bool own_row = order[k] / grid.columns == grid.row;
    if (!same || own_row) canvas.fill(place, fill_of(order[k]), 2);
    if (order[k] == chosen) target = place;
    const std::string number = story::with_thousands(offset);
    const bool first = k == 0 || offset > grid.offsets[order[k - 1]] + 1;
    const float text = canvas.text_width(Style::mono_small, number);
    if (first && x > last_word + 8 && x + text <= box.right()) {
      canvas.text({x, y + storage + 2}, Style::mono_small, theme.second, number);
      last_word = x + text;
    }
  }
  const Box from = cell(chosen);
  const auto way = static_cast<float>(grid.to_storage);
  const auto between = [&](float a, float b) { return a + (b - a) * way; };
  canvas.outline({from.x - 1, from.y - 1, from.width + 2, from.height + 2}, theme.now, 3, 2);
  if (way > 0)
    canvas.outline({between(from.x, target.x) - 1, between(from.y, target.y) - 1, between(from.width, target.width) + 2,
                    between(from.height, target.height) + 2},
                   theme.now, 3, 2);
}

}  // namespace

pictures::Touch paint_memory_column(Canvas& canvas, draw::Ui* ui, const Box& box, const WarehousePicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const WarehouseColumn& column = picture.column;
  pictures::Touch touch;
  float y = box.y;
  const float head = canvas.text({box.x, y + 2}, Style::small_caps, theme.second, column.head, box.width);
  paint_column_origins(canvas, ui, {box.x + head + 16, y, box.width - head - 16, 20}, picture);
  y += 26;
  // The list of tensors is at the bottom, or at the top if the column shows a tensor.
  const bool tensor = column.kind == WarehouseColumn::Kind::tensor;
  if (tensor) y += paint_tensors(canvas, ui, {box.x, y, box.width, box.height / 3}, column, touch) + 12;
  if (column.kind == WarehouseColumn::Kind::account) {
    for (const story::WarehousePart& part : picture.parts) {
      paint_memory_part(canvas, {box.x, y + 3, 10, 12}, part.kind);
      WarehouseLine line = {part.label, part.figure, 1};
      y += paint_line(canvas, ui, {box.x + 14, y, box.width - 14, line_height}, line);
    }
    if (!picture.parts.empty()) {
      canvas.line({box.x, y}, {box.right(), y}, theme.line, theme.hairline);
      y += 8;
    }
  }
  // To make room for the grid, omit lines that repeat the facts. The last two lines belong to the grid.
  constexpr float grid_room = 150;
  std::size_t first = 0;
  if (column.grid)
    while (column.lines.size() - first > 2 &&
           y + static_cast<float>(column.lines.size() - first) * line_height + grid_room > box.bottom())
      ++first;
  for (std::size_t i = first; i < column.lines.size(); ++i) {
    if (y + line_height > box.bottom()) break;
    y += paint_line(canvas, ui, {box.x, y, box.width, line_height}, column.lines[i]);
  }
  if (column.grid) {
    y += 6;
    if (box.bottom() - y > 120) paint_grid(canvas, ui, {box.x, y, box.width, box.bottom() - y}, *column.grid, touch);
    return touch;
  }
  if (!column.note.empty()) {
    const float leading = canvas.line_height(Style::label) * 1.2f;
    const float room = box.bottom() - y - (tensor ? 0 : 76);
    const int lines = static_cast<int>(room / leading), most = std::min(lines, 10);
    const std::string_view note = canvas.whole_sentences(Style::label, column.note, box.width, most);
    if (canvas.wrapped(Style::label, note, box.width, most + 1).size() <= static_cast<std::size_t>(std::max(most, 0))) {
      const float used = canvas.paragraph({box.x, y + 8}, Style::label, theme.second, note, box.width, most);
      if (ui != nullptr && ui->hovered({box.x, y + 8, box.width, used})) {
        ui->point({box.x, y + 8, box.width, used}, column.note);
        if (canvas.wrapped(Style::label, column.note, box.width, 20).size() > static_cast<std::size_t>(lines))
          ui->tooltip(column.note);
      }
      y += 8 + used;
    }
  }
  if (!tensor && !column.tensors.empty() && y + 44 < box.bottom()) {
    y += 12;
    canvas.line({box.x, y}, {box.right(), y}, theme.line, theme.hairline);
    paint_tensors(canvas, ui, {box.x, y + 12, box.width, box.bottom() - y - 12}, column, touch);
  }
  return touch;
}

}  // namespace warpwalk::scenes
