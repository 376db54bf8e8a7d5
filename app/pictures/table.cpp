// A table of words and numbers.
#include <algorithm>

#include "app/pictures/cut_text.h"
#include "app/pictures/figure_tip.h"
#include "app/pictures/pictures.h"
#include "app/pictures/tone.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float head_height = 24;
constexpr float column_gap = 14;

void paint_cell(Canvas& canvas, draw::Ui* ui, const Box& box, const story::TableCell& cell, Align align) {
  const draw::Theme& theme = canvas.theme();
  const Style style = cell.code || cell.figure ? Style::mono_small : Style::label;
  paint_cut(canvas, ui, box, style, colour_of(cell.tone, theme), cell.shown(), align);
  if (ui == nullptr || !ui->hovered(box)) return;
  const std::string tip = cell.figure ? figure_tip(*ui, cell.tip, *cell.figure) : cell.tip;
  ui->point(box, cell.shown());
  if (!tip.empty()) ui->tooltip(tip);
}

}  // namespace

Touch paint_table(Canvas& canvas, draw::Ui* ui, const Box& box, const story::TablePicture& picture) {
  const draw::Theme& theme = canvas.theme();
  double shares = 0;
  for (const story::TableColumn& column : picture.columns) shares += column.share;
  const float room = box.width - column_gap * static_cast<float>(picture.columns.size() - 1);
  std::vector<Box> columns;
  float x = box.x;
  for (const story::TableColumn& column : picture.columns) {
    const float width = room * static_cast<float>(column.share / shares);
    columns.push_back({x, box.y, width, head_height});
    x += width + column_gap;
  }
  const auto align = [&](std::size_t c) { return picture.columns[c].right ? Align::right : Align::left; };
  for (std::size_t c = 0; c < columns.size(); ++c)
    canvas.text_in(columns[c], Style::small_caps, theme.second, picture.columns[c].head, align(c));
  canvas.line({box.x, box.y + head_height}, {box.right(), box.y + head_height}, theme.line, theme.hairline);
  const auto rows = static_cast<float>(std::max<std::size_t>(1, picture.rows.size()));
  const float height = std::clamp((box.height - head_height - 4) / rows, 17.0f, 30.0f);
  float y = box.y + head_height + 4;
  for (const story::TableRow& row : picture.rows) {
    if (row.followed)
      canvas.fill({box.x - 6, y, box.width + 12, height}, draw::mixed(theme.now, theme.ground, 0.14f), 4);
    for (std::size_t c = 0; c < std::min(columns.size(), row.cells.size()); ++c)
      paint_cell(canvas, ui, {columns[c].x, y, columns[c].width, height}, row.cells[c], align(c));
    y += height;
  }
  return {};
}

}  // namespace warpwalk::scenes
