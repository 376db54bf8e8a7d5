// The line that a walk begins with, and the numbers that it works on.
#include <algorithm>
#include <optional>

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
// Of the ellipses where a matrix goes on.
constexpr float above_room = 20, below_room = 20, before_room = 18, behind_room = 22;
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

// The part of a matrix that is shown, in rows and columns of its corner, and on which sides the matrix goes on.
struct CornerView {
  std::size_t first_row = 0, rows = 0, first_column = 0, columns = 0;
  bool above = false, below = false, before = false, behind = false;
  float width() const {
    return 2 * bracket + cell_width * static_cast<float>(columns) + (before ? before_room : 0) +
           (behind ? behind_room : 0);
  }
  float height() const {
    return cell_height * static_cast<float>(rows) + (above ? above_room : 0) + (below ? below_room : 0);
  }
};

// The first of `shown` rows or columns: the marked one is among them.
std::size_t first_shown(std::size_t shown, const std::optional<std::size_t>& marked) {
  return marked && *marked >= shown ? *marked + 1 - shown : 0;
}

CornerView view_of(const story::OpeningMatrix& matrix, const Corner& corner) {
  CornerView view;
  if (matrix.corner.empty()) {  // a question mark has the room of two rows and columns
    view.columns = 2;
    view.rows = std::min<std::size_t>(corner.rows, 2);
    view.below = matrix.more_rows || view.rows < 2;
    view.behind = matrix.more_columns;
    return view;
  }
  const std::size_t all_rows = matrix.corner.size(), all_columns = matrix.corner.front().size();
  view.rows = std::min(corner.rows, all_rows);
  view.columns = std::min(corner.columns, all_columns);
  view.first_row = first_shown(view.rows, matrix.row);
  view.first_column = first_shown(view.columns, matrix.column);
  view.above = view.first_row > 0;
  view.before = view.first_column > 0;
  view.below = matrix.more_rows || view.first_row + view.rows < all_rows;
  view.behind = matrix.more_columns || view.first_column + view.columns < all_columns;
  return view;
}

// The width of all matrices with the signs between them.
float matrices_width(const std::vector<story::OpeningMatrix>& matrices, const Corner& corner) {
  float width = sign_room * static_cast<float>(matrices.size() - 1);
  for (const story::OpeningMatrix& matrix : matrices) width += view_of(matrix, corner).width();
  return width;
}

// The height of all matrices with their names and the space below them.
float matrices_height(const std::vector<story::OpeningMatrix>& matrices, const Corner& corner) {
  std::size_t rows = 2;
  bool above = false;
  for (const story::OpeningMatrix& matrix : matrices) {
    const CornerView view = view_of(matrix, corner);
    rows = std::max(rows, view.rows);
    above = above || view.above;
  }
  return name_room + (above ? above_room : 0) + cell_height * static_cast<float>(rows) + below_room + 2;
}

Corner corner_for(const Box& box, const std::vector<story::OpeningMatrix>& matrices) {
  constexpr std::size_t most = 8;
  Corner corner = {most, most};
  while (corner.columns > 1 && matrices_width(matrices, corner) > box.width) --corner.columns;
  while (corner.rows > 1 && matrices_height(matrices, corner) > box.height) --corner.rows;
  return corner;
}

// The marked row, column or element, behind the numbers. `numbers`: the box of the numbers that are shown.
void paint_mark(Canvas& canvas, const Box& numbers, const story::OpeningMatrix& matrix, const CornerView& view) {
  if (!matrix.row && !matrix.column) return;
  const draw::Theme& theme = canvas.theme();
  Box mark = numbers;
  if (matrix.row) {
    mark.y += cell_height * static_cast<float>(*matrix.row - view.first_row);
    mark.height = cell_height;
  }
  if (matrix.column) {
    mark.x += cell_width * static_cast<float>(*matrix.column - view.first_column);
    mark.width = cell_width;
  }
  const Box inside = {mark.x + 2, mark.y + 2, mark.width - 2, mark.height - 4};
  canvas.fill(inside, draw::mixed(theme.now, theme.ground, 0.22f * static_cast<float>(matrix.shown)), 4);
  canvas.outline(inside, draw::mixed(theme.now, theme.ground, static_cast<float>(matrix.shown)), 4, 1.5f);
}

// The box of the numbers in the box of the matrix.
Box numbers_box(const Box& box, const CornerView& view) {
  return {box.x + bracket + (view.before ? before_room : 0), box.y + name_room + (view.above ? above_room : 0),
          cell_width * static_cast<float>(view.columns), cell_height * static_cast<float>(view.rows)};
}

void paint_matrix(Canvas& canvas, const Box& box, const story::OpeningMatrix& matrix, const CornerView& view) {
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(matrix.shown);
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const ImU32 tone = colour_of(matrix.tone, theme);
  const float name = canvas.text({box.x, box.y}, Style::heading, faded(theme.text), matrix.name, box.width);
  canvas.text({box.x + name + 10, box.y + 4}, Style::label, faded(theme.second), matrix.size,
              std::max(0.0f, box.width + sign_room - name - 10));
  const Box cells = {box.x, box.y + name_room, box.width, view.height()};
  canvas.fill(cells, faded(draw::mixed(tone, theme.ground, 0.12f)), 4);
  for (const float side : {cells.x, cells.right()}) {
    const float inward = side == cells.x ? bracket : -bracket;
    canvas.line({side, cells.y}, {side, cells.bottom()}, faded(tone), 2);
    canvas.line({side, cells.y}, {side + inward, cells.y}, faded(tone), 2);
    canvas.line({side, cells.bottom()}, {side + inward, cells.bottom()}, faded(tone), 2);
  }
  const Box numbers = numbers_box(box, view);
  if (matrix.corner.empty()) {
    canvas.text_in({cells.x, cells.y, cells.width, numbers.height}, Style::title, faded(theme.second), "?",
                   Align::centre);
    return;
  }
  paint_mark(canvas, numbers, matrix, view);
  const auto more = [&](const Box& place, Align align) {
    canvas.text_in(place, Style::label, faded(theme.second), "…", align);
  };
  for (std::size_t r = 0; r < view.rows; ++r) {
    const float y = numbers.y + cell_height * static_cast<float>(r);
    for (std::size_t c = 0; c < view.columns; ++c)
      canvas.text_in({numbers.x + cell_width * static_cast<float>(c), y, cell_width - 6, cell_height},
                     Style::mono_small, faded(theme.text), matrix.corner[view.first_row + r][view.first_column + c],
                     Align::right);
    if (view.before) more({cells.x + bracket, y, before_room, cell_height}, Align::centre);
    if (view.behind) more({cells.right() - bracket - 20, y, 20, cell_height}, Align::centre);
  }
  if (view.above) more({numbers.x, cells.y, cell_width - 6, above_room}, Align::right);
  if (view.below) more({numbers.x, cells.bottom() - 24, cell_width - 6, 20}, Align::right);
}

// A click on an element of the corner.
void choose_element(draw::Ui* ui, const Box& box, const story::OpeningMatrix& matrix, const CornerView& view,
                    Touch& touch) {
  if (ui == nullptr || matrix.row_control.empty() || matrix.corner.empty()) return;
  const Box numbers = numbers_box(box, view);
  for (std::size_t r = 0; r < view.rows; ++r)
    for (std::size_t c = 0; c < view.columns; ++c) {
      const Box cell = {numbers.x + cell_width * static_cast<float>(c), numbers.y + cell_height * static_cast<float>(r),
                        cell_width, cell_height};
      if (!ui->hovered(cell) || !ui->input().mouse_pressed) continue;
      touch.set.emplace_back(matrix.row_control,
                             static_cast<double>(matrix.first_row) + static_cast<double>(view.first_row + r));
      touch.set.emplace_back(matrix.column_control,
                             static_cast<double>(matrix.first_column) + static_cast<double>(view.first_column + c));
    }
}

// Returns the height that they take.
float paint_matrices(Canvas& canvas, draw::Ui* ui, const Box& box, const std::vector<story::OpeningMatrix>& matrices,
                     const std::string& tip, Touch& touch) {
  const draw::Theme& theme = canvas.theme();
  const Corner corner = corner_for(box, matrices);
  float x = box.x + std::max(0.0f, (box.width - matrices_width(matrices, corner)) / 2);
  for (const story::OpeningMatrix& matrix : matrices) {
    if (&matrix != &matrices.front()) {
      canvas.text_in({x, box.y + name_room, sign_room, 2 * cell_height}, Style::heading,
                     draw::mixed(theme.text, theme.ground, static_cast<float>(matrix.shown)), matrix.sign,
                     Align::centre);
      x += sign_room;
    }
    const CornerView view = view_of(matrix, corner);
    const Box place = {x, box.y, view.width(), box.height};
    paint_matrix(canvas, place, matrix, view);
    choose_element(ui, place, matrix, view, touch);
    if (ui != nullptr && ui->hovered(place) && !tip.empty()) ui->tooltip(tip);
    if (ui != nullptr) ui->point(place, matrix.name + " " + matrix.size);
    x += place.width;
  }
  return matrices_height(matrices, corner);
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
                   draw::mixed(theme.second, theme.ground, shown),
                   canvas.whole_sentences(Style::label, picture.numbers, box.width, 1), Align::centre);
  return touch;
}

}  // namespace warpwalk::pictures
