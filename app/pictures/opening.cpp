// The line that a walk begins with, and the numbers that it works on.
#include <algorithm>

#include "app/pictures/pictures.h"
#include "app/pictures/tone.h"

namespace warpwalk::pictures {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float line_box = 76;  // the line with its frame
constexpr float source_room = 30;
constexpr float cell_width = 58, cell_height = 28;
constexpr float bracket = 7;     // the strokes left and right of a matrix
constexpr float name_room = 30;  // over a matrix
constexpr float sign_room = 42;
constexpr float part_height = 84, part_gap = 20;

float line_width(const Canvas& canvas, Style style, const story::OpeningPicture& picture) {
  float width = 0;
  for (const story::OpeningToken& token : picture.tokens) width += canvas.text_width(style, token.text);
  return width;
}

void paint_line(Canvas& canvas, const Box& box, const story::OpeningPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  Style style = Style::title;
  for (const Style smaller : {Style::figure, Style::mono, Style::mono_small})
    if (line_width(canvas, style, picture) > box.width - 40) style = smaller;
  const float width = std::min(line_width(canvas, style, picture), box.width - 40);
  const Box frame = {box.x + (box.width - width) / 2 - 28, box.y, width + 56, line_box};
  canvas.fill(frame, theme.panel, 10);
  canvas.outline(frame, theme.line, 10, theme.hairline);
  float x = frame.x + 28;
  const float y = box.y + (line_box - canvas.line_height(style)) / 2;
  for (const story::OpeningToken& token : picture.tokens) {
    const float room = frame.right() - 28 - x;
    const float own = canvas.text_width(style, token.text);
    const auto lit = static_cast<float>(token.lit);
    const ImU32 colour = draw::mixed(token.followed ? theme.now : theme.text, theme.second, lit);
    canvas.text({x, y}, style, draw::mixed(colour, theme.panel, 0.35f + 0.65f * lit), token.text, room + 1);
    if (token.followed && lit > 0) {  // the space before a sign is not underlined
      const float space = token.text.starts_with(' ') ? canvas.text_width(style, " ") : 0;
      canvas.line({x + space, frame.bottom() - 14}, {x + space + (own - space) * lit, frame.bottom() - 14}, theme.now,
                  3);
    }
    x += own;
  }
}

// The numbers of columns and rows that fit for all matrices side by side.
struct Corner {
  std::size_t columns = 0, rows = 0;
};

Corner corner_for(const Box& box, const std::vector<story::OpeningMatrix>& matrices) {
  const auto count = static_cast<float>(matrices.size());
  const float room = (box.width - sign_room * (count - 1)) / count - 2 * bracket - 22;
  Corner corner;
  corner.columns = static_cast<std::size_t>(std::clamp(room / cell_width, 1.0f, 8.0f));
  corner.rows = static_cast<std::size_t>(std::clamp((box.height - name_room - 22) / cell_height, 1.0f, 8.0f));
  return corner;
}

// Returns the matrix's width.
float matrix_width(const story::OpeningMatrix& matrix, const Corner& corner) {
  const std::size_t columns = matrix.corner.empty() ? 2 : std::min(corner.columns, matrix.corner.front().size());
  const bool more = matrix.more_columns || (!matrix.corner.empty() && columns < matrix.corner.front().size());
  return 2 * bracket + cell_width * static_cast<float>(columns) + (more ? 22 : 0);
}

// The marked row, column or element, behind the numbers.
void paint_mark(Canvas& canvas, const Box& cells, const story::OpeningMatrix& matrix, std::size_t rows,
                std::size_t columns) {
  const bool row = matrix.row && *matrix.row < rows, column = matrix.column && *matrix.column < columns;
  if ((matrix.row && !row) || (matrix.column && !column) || (!row && !column)) return;
  const draw::Theme& theme = canvas.theme();
  const float x = cells.x + bracket, wide = cell_width * static_cast<float>(columns);
  Box mark = {x, cells.y, wide, cell_height * static_cast<float>(rows)};
  if (row) mark = {mark.x, cells.y + cell_height * static_cast<float>(*matrix.row), mark.width, cell_height};
  if (column) mark = {x + cell_width * static_cast<float>(*matrix.column), mark.y, cell_width, mark.height};
  const Box inside = {mark.x + 2, mark.y + 2, mark.width - 2, mark.height - 4};
  canvas.fill(inside, draw::mixed(theme.now, theme.ground, 0.22f * static_cast<float>(matrix.shown)), 4);
  canvas.outline(inside, draw::mixed(theme.now, theme.ground, static_cast<float>(matrix.shown)), 4, 1.5f);
}

void paint_matrix(Canvas& canvas, const Box& box, const story::OpeningMatrix& matrix, const Corner& corner) {
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(matrix.shown);
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const ImU32 tone = colour_of(matrix.tone, theme);
  const float name = canvas.text({box.x, box.y}, Style::heading, faded(theme.text), matrix.name, box.width);
  canvas.text({box.x + name + 10, box.y + 4}, Style::label, faded(theme.second), matrix.size,
              std::max(0.0f, box.width + sign_room - name - 10));
  const std::size_t all_rows = matrix.corner.empty() ? 2 : matrix.corner.size();
  const std::size_t rows = std::min(corner.rows, all_rows);
  const bool more_rows = matrix.more_rows || rows < all_rows;
  const Box cells = {box.x, box.y + name_room, box.width,
                     cell_height * static_cast<float>(rows) + (more_rows ? 20.0f : 0.0f)};
  canvas.fill(cells, faded(draw::mixed(tone, theme.ground, 0.12f)), 4);
  for (const float side : {cells.x, cells.right()}) {
    const float inward = side == cells.x ? bracket : -bracket;
    canvas.line({side, cells.y}, {side, cells.bottom()}, faded(tone), 2);
    canvas.line({side, cells.y}, {side + inward, cells.y}, faded(tone), 2);
    canvas.line({side, cells.bottom()}, {side + inward, cells.bottom()}, faded(tone), 2);
  }
  if (matrix.corner.empty()) {
    canvas.text_in({cells.x, cells.y, cells.width, cell_height * static_cast<float>(rows)}, Style::title,
                   faded(theme.second), "?", Align::centre);
    return;
  }
  const std::size_t columns = std::min(corner.columns, matrix.corner.front().size());
  const bool more_columns = matrix.more_columns || columns < matrix.corner.front().size();
  paint_mark(canvas, cells, matrix, rows, columns);
  for (std::size_t r = 0; r < rows; ++r) {
    const float y = cells.y + cell_height * static_cast<float>(r);
    for (std::size_t c = 0; c < columns; ++c)
      canvas.text_in({cells.x + bracket + cell_width * static_cast<float>(c), y, cell_width - 6, cell_height},
                     Style::mono_small, faded(theme.text), matrix.corner[r][c], Align::right);
    if (more_columns)
      canvas.text_in({cells.right() - bracket - 20, y, 20, cell_height}, Style::label, faded(theme.second), "…",
                     Align::centre);
  }
  if (more_rows)
    canvas.text_in({cells.x + bracket, cells.bottom() - 24, cell_width - 6, 20}, Style::label, faded(theme.second), "…",
                   Align::right);
}

// A click on an element of the corner.
void choose_element(draw::Ui* ui, const Box& box, const story::OpeningMatrix& matrix, const Corner& corner,
                    Touch& touch) {
  if (ui == nullptr || matrix.row_control.empty() || matrix.corner.empty()) return;
  const std::size_t rows = std::min(corner.rows, matrix.corner.size());
  const std::size_t columns = std::min(corner.columns, matrix.corner.front().size());
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      const Box cell = {box.x + bracket + cell_width * static_cast<float>(c),
                        box.y + name_room + cell_height * static_cast<float>(r), cell_width, cell_height};
      if (!ui->hovered(cell) || !ui->input().mouse_pressed) continue;
      touch.set.emplace_back(matrix.row_control, static_cast<double>(matrix.first_row) + static_cast<double>(r));
      touch.set.emplace_back(matrix.column_control, static_cast<double>(matrix.first_column) + static_cast<double>(c));
    }
}

// Returns the height of the highest one.
float paint_matrices(Canvas& canvas, draw::Ui* ui, const Box& box, const std::vector<story::OpeningMatrix>& matrices,
                     const std::string& tip, Touch& touch) {
  const draw::Theme& theme = canvas.theme();
  const Corner corner = corner_for(box, matrices);
  float whole = sign_room * static_cast<float>(matrices.size() - 1);
  for (const story::OpeningMatrix& matrix : matrices) whole += matrix_width(matrix, corner);
  float x = box.x + std::max(0.0f, (box.width - whole) / 2);
  for (const story::OpeningMatrix& matrix : matrices) {
    if (&matrix != &matrices.front()) {
      canvas.text_in({x, box.y + name_room, sign_room, 2 * cell_height}, Style::heading,
                     draw::mixed(theme.text, theme.ground, static_cast<float>(matrix.shown)), matrix.sign,
                     Align::centre);
      x += sign_room;
    }
    const Box place = {x, box.y, matrix_width(matrix, corner), box.height};
    paint_matrix(canvas, place, matrix, corner);
    choose_element(ui, place, matrix, corner, touch);
    if (ui != nullptr && ui->hovered(place) && !tip.empty()) ui->tooltip(tip);
    if (ui != nullptr) ui->point(place, matrix.name + " " + matrix.size);
    x += place.width;
  }
  std::size_t rows = 2;
  for (const story::OpeningMatrix& matrix : matrices)
    rows = std::max(rows, std::min(corner.rows, matrix.corner.size()));
  return name_room + cell_height * static_cast<float>(rows) + 22;
}

void paint_parts(Canvas& canvas, draw::Ui* ui, const Box& box, const story::OpeningPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(picture.parts_shown);
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const auto count = static_cast<float>(picture.parts.size());
  const float width = (box.width - part_gap * (count - 1)) / count;
  float x = box.x;
  for (const story::OpeningPart& part : picture.parts) {
    const Box place = {x, box.y, width, part_height};
    const ImU32 tone = colour_of(part.tone, theme);
    canvas.fill(place, faded(theme.panel), 8);
    canvas.outline(place, faded(tone), 8, 1.5f);
    canvas.fill({place.x, place.y + 10, 5, part_height - 20}, faded(tone), 2);
    canvas.text({place.x + 20, place.y + 10}, Style::heading, faded(theme.text), part.name, width - 32);
    canvas.paragraph({place.x + 20, place.y + 38}, Style::label, faded(theme.second), part.task, width - 32, 2);
    if (ui != nullptr) ui->point(place, part.name + " " + part.task);
    x += width + part_gap;
  }
}

}  // namespace

Touch paint_opening(Canvas& canvas, draw::Ui* ui, const Box& box, const story::OpeningPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  float y = box.y;
  paint_line(canvas, {box.x, y, box.width, line_box}, picture);
  if (ui != nullptr) ui->point({box.x, y, box.width, line_box}, picture.line());
  y += line_box;
  canvas.text_in({box.x, y + 2, box.width, source_room - 4}, Style::label, theme.second, picture.source, Align::centre);
  y += source_room + 8;
  const bool parts = !picture.parts.empty() && picture.parts_shown > 0 && box.bottom() - y >= part_height;
  const float bottom = parts ? box.bottom() - part_height - 16 : box.bottom();
  if (parts) paint_parts(canvas, ui, {box.x, bottom + 16, box.width, part_height}, picture);
  const float numbers = picture.numbers.empty() ? 0 : 26;
  if (picture.matrices.empty() || bottom - y - numbers < name_room + cell_height + 22) return {};
  Touch touch;
  y +=
      paint_matrices(canvas, ui, {box.x, y, box.width, bottom - y - numbers}, picture.matrices, picture.numbers, touch);
  float shown = 0;
  for (const story::OpeningMatrix& matrix : picture.matrices) shown = std::max(shown, static_cast<float>(matrix.shown));
  if (numbers > 0)
    canvas.text_in({box.x, std::min(y + 4, bottom - numbers), box.width, numbers}, Style::label,
                   draw::mixed(theme.second, theme.ground, shown), picture.numbers, Align::centre);
  return touch;
}

}  // namespace warpwalk::pictures
