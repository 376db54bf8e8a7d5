// A grid of equal cells with a legend and a note below.
#include <algorithm>
#include <cmath>

#include "app/pictures/pictures.h"
#include "app/pictures/tone.h"

namespace warpwalk::pictures {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float line_height = 22;
constexpr float smallest_cell = 1, largest_cell = 44;

}  // namespace

float least_cells_height(const Canvas& canvas, const story::CellGrid& picture) {
  constexpr float most_rows = 8;  // with more rows, only colours can be distinguished
  if (!picture.fitted || picture.cells.empty()) return 0;
  const float rows = std::ceil(static_cast<float>(picture.cells.size()) / static_cast<float>(picture.columns));
  return std::min(rows, most_rows) * (canvas.line_height(Style::mono_small) + 3) + 6 +
         (picture.note.empty() ? 0 : line_height);
}

float whole_cells_height(const Canvas& canvas, float width, const story::CellGrid& picture) {
  constexpr float plain_cell = 14, most_high = 170;  // with many rows, only colours can be distinguished
  if (picture.cells.empty()) return 0;
  const float least = least_cells_height(canvas, picture);
  const auto columns = static_cast<float>(picture.columns);
  const float rows = std::ceil(static_cast<float>(picture.cells.size()) / columns);
  const float below = legend_height(canvas, width, picture.legend) + (picture.note.empty() ? 0 : line_height);
  const float text = canvas.line_height(Style::mono_small) + 3;
  float plain = plain_cell;
  for (const story::Cell& cell : picture.cells)
    if (!cell.label.empty()) plain = std::max({plain, text, canvas.text_width(Style::mono_small, cell.label) + 7});
  const float side = picture.fitted ? text : std::min(plain, width / columns);
  return std::max(least, std::min(rows * side, most_high) + below + 10);
}

Touch paint_cells(Canvas& canvas, draw::Ui* ui, const Box& box, const story::CellGrid& picture) {
  Touch touch;
  if (picture.cells.empty()) return touch;
  const draw::Theme& theme = canvas.theme();
  const auto columns = static_cast<float>(picture.columns);
  const float rows = std::ceil(static_cast<float>(picture.cells.size()) / columns);
  const float legend = legend_height(canvas, box.width, picture.legend);
  const float below = legend + (picture.note.empty() ? 0 : line_height);
  const float room = (box.height - below - 4) / rows;
  float widest = 0;
  for (const story::Cell& cell : picture.cells)
    widest = std::max(widest, canvas.text_width(Style::mono_small, cell.label));
  const float side = picture.fitted ? std::clamp(room, 2.0f, 1.9f * canvas.line_height(Style::mono_small))
                                    : std::clamp(std::min(box.width / columns, room), smallest_cell, largest_cell);
  const float wide =
      picture.fitted ? std::clamp(std::max(widest + 14, side), 2.0f, std::max(2.0f, box.width / columns)) : side;
  const float gap = side >= 10 ? 2.0f : side >= 5 ? 1.0f : 0.0f;
  const auto cell_box = [&](std::size_t i) {
    const auto column = static_cast<float>(i % picture.columns), row = static_cast<float>(i / picture.columns);
    return Box{box.x + column * wide, box.y + row * side, wide - gap, side - gap};
  };
  // Draw all labels or none: a grid with some numbers missing would suggest that the gaps have a meaning.
  bool labels = true;
  for (const story::Cell& cell : picture.cells)
    labels = labels && canvas.text_width(Style::mono_small, cell.label) + 6 <= wide &&
             (!picture.fitted || canvas.line_height(Style::mono_small) <= side);
  for (std::size_t i = 0; i < picture.cells.size(); ++i) {
    const story::Cell& cell = picture.cells[i];
    const Box place = cell_box(i);
    paint_tone(canvas, place, cell.tone, side >= 14 ? 3.0f : 0.0f);
    if (labels) canvas.text_in(place, Style::mono_small, text_on(cell.tone, theme), cell.label, draw::Align::centre);
    if (ui == nullptr || !ui->hovered(place)) continue;
    ui->point(place, cell.tip);
    ui->tooltip(cell.tip);
    if (!ui->input().mouse_pressed) continue;
    if (!picture.control.empty()) touch.set.emplace_back(picture.control, static_cast<double>(i));
    touch.set.insert(touch.set.end(), cell.sets.begin(), cell.sets.end());
  }
  if (picture.followed) {
    const Box place = cell_box(*picture.followed);
    canvas.outline({place.x - 2, place.y - 2, place.width + 4, place.height + 4}, theme.now, 4, 2);
  }
  float y = box.y + rows * side + 6;
  paint_legend(canvas, {box.x, y, box.width, legend}, picture.legend);
  y += legend;
  if (!picture.note.empty()) canvas.text({box.x, y + 2}, Style::label, theme.second, picture.note, box.width);
  return touch;
}

}  // namespace warpwalk::pictures
