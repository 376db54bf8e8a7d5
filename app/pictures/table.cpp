// A table of words and numbers.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/pictures/pictures.h"
#include "app/pictures/text.h"
#include "app/pictures/tone.h"

namespace warpwalk::pictures {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float table_head_height = 24;
constexpr float table_column_gap = 14;
constexpr float widest_fit = 0.25f;  ///< of the table's width
constexpr int most_lines = 6;
constexpr float least_row_gap = 1, widest_row_gap = 10;
constexpr float least_table_row = 15.5f, widest_row = 30;

Style style_of(const story::TableCell& cell) { return cell.code || cell.figure ? Style::mono_small : Style::label; }

/// The width of the widest text in a column, or of its heading.
float text_width_of(const Canvas& canvas, const story::TablePicture& picture, std::size_t c) {
  float width = 0;
  for (const story::TableRow& row : picture.rows)
    if (c < row.cells.size())
      width = std::max(width, canvas.text_width(style_of(row.cells[c]), row.cells[c].shown()) + 1);
  return std::max(width, canvas.text_width(Style::small_caps, picture.columns[c].head) + 1);
}

/// Columns that are wider than their texts give to those that would cut a heading or a text. A column that wraps gets
/// room for its heading only, as its texts can take more lines.
void share_out(const Canvas& canvas, const story::TablePicture& picture, std::vector<float>& widths) {
  std::vector<float> over;
  float lacking = 0, spared = 0;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    const story::TableColumn& column = picture.columns[c];
    const float all = text_width_of(canvas, picture, c);
    const float head = canvas.text_width(Style::small_caps, column.head) + 1;
    over.push_back(column.wraps && widths[c] < all ? std::min(0.0f, widths[c] - head) : widths[c] - all);
    (over[c] < 0 ? lacking : spared) += std::abs(over[c]);
  }
  const float moved = std::min(lacking, spared);
  if (moved <= 0) return;
  for (std::size_t c = 0; c < widths.size(); ++c) widths[c] -= over[c] * moved / (over[c] < 0 ? lacking : spared);
}

/// The boxes of the columns; their height is that of the headings.
std::vector<Box> columns_of(const Canvas& canvas, const Box& box, const story::TablePicture& picture) {
  // A column that fits must leave room for the others.
  const float room = box.width - table_column_gap * static_cast<float>(picture.columns.size() - 1);
  std::vector<float> widths;
  float left = room;
  double shares = 0;
  for (std::size_t c = 0; c < picture.columns.size(); ++c) {
    const story::TableColumn& column = picture.columns[c];
    widths.push_back(0);
    if (!column.fits) {
      shares += column.share;
      continue;
    }
    widths[c] = std::min(text_width_of(canvas, picture, c), room * widest_fit);
    left -= widths[c];
  }
  for (std::size_t c = 0; c < picture.columns.size(); ++c)
    if (!picture.columns[c].fits)
      widths[c] = std::max(0.0f, left) * static_cast<float>(picture.columns[c].share / shares);
  share_out(canvas, picture, widths);
  std::vector<Box> columns;
  float x = box.x;
  for (const float width : widths) {
    columns.push_back({x, box.y, width, table_head_height});
    x += width + table_column_gap;
  }
  return columns;
}

/// The lines of a cell in a column that wraps: at most `limit` lines of its text, and at most `limit` of the text below
/// it.
struct Lines {
  std::vector<std::string> text, below;
  float height(const Canvas& canvas) const {
    return static_cast<float>(text.size() + below.size()) * canvas.line_height(Style::label);
  }
};
Lines cell_lines(const Canvas& canvas, const story::TableCell& cell, float width, int limit) {
  return {canvas.wrapped(style_of(cell), cell.shown(), width, limit),
          canvas.wrapped(Style::label, cell.below, width, limit)};
}

/// The height of a row whose cells have at most so many lines.
float table_row_height(const Canvas& canvas, const std::vector<Box>& columns, const story::TablePicture& picture,
                       const story::TableRow& row, int limit) {
  float height = canvas.line_height(Style::label);
  for (std::size_t c = 0; c < std::min(columns.size(), row.cells.size()); ++c)
    if (picture.columns[c].wraps)
      height = std::max(height, cell_lines(canvas, row.cells[c], columns[c].width, limit).height(canvas));
  return height;
}

/// The height of a row, and how many lines its cells may have; 0 if only the text fits.
struct RowRoom {
  float height = 0;
  int limit = 0;
};

std::vector<RowRoom> rooms_of(const Canvas& canvas, const std::vector<Box>& columns, float room,
                              const story::TablePicture& picture) {
  const auto count = static_cast<float>(std::max<std::size_t>(1, picture.rows.size()));
  const std::vector<RowRoom> even(picture.rows.size(), {std::clamp(room / count, least_table_row, widest_row), 0});
  if (std::ranges::none_of(picture.columns, &story::TableColumn::wraps)) return even;
  const auto height_of = [&](const story::TableRow& row, int limit) {
    return table_row_height(canvas, columns, picture, row, limit);
  };
  std::vector<RowRoom> rooms;
  float sum = 0;
  for (const story::TableRow& row : picture.rows) {
    rooms.push_back({height_of(row, most_lines), most_lines});
    sum += rooms.back().height;
  }
  // The rows with the most lines give way.
  while ((room - sum) / count < least_row_gap) {
    RowRoom* longest = nullptr;
    for (RowRoom& one : rooms)
      if (one.limit > 1 && (longest == nullptr || one.height > longest->height)) longest = &one;
    if (longest == nullptr) return even;
    sum -= longest->height;
    longest->height = height_of(picture.rows[static_cast<std::size_t>(longest - rooms.data())], --longest->limit);
    sum += longest->height;
  }
  const float gap = std::min((room - sum) / count, widest_row_gap);
  for (RowRoom& one : rooms) one.height += gap;
  return rooms;
}

void paint_cell(Canvas& canvas, draw::Ui* ui, const Box& box, const story::TableCell& cell, Align align) {
  const draw::Theme& theme = canvas.theme();
  // Of numbers, the middle counts as much as the end.
  const bool name = !cell.figure && align == Align::left;
  const std::string text = cell.shown(), fitted = name ? canvas.fitted_name(style_of(cell), text, box.width)
                                                       : canvas.fitted(style_of(cell), text, box.width);
  canvas.text_in(box, style_of(cell), colour_of(cell.tone, theme), fitted, align);
  if (ui != nullptr && ui->hovered(box) && fitted != text) ui->tooltip(text);
  if (ui == nullptr || !ui->hovered(box)) return;
  const std::string tip = cell.figure ? figure_tip(*ui, cell.tip, *cell.figure) : cell.tip;
  ui->point(box, cell.shown());
  if (!tip.empty()) ui->tooltip(tip);
}

void paint_cell_lines(Canvas& canvas, draw::Ui* ui, const Box& box, const story::TableCell& cell, int limit) {
  const draw::Theme& theme = canvas.theme();
  const Lines lines = cell_lines(canvas, cell, box.width, limit);
  float y = box.y;
  for (const std::string& line : lines.text) {
    canvas.text({box.x, y}, style_of(cell), colour_of(cell.tone, theme), line);
    y += canvas.line_height(Style::label);
  }
  for (const std::string& line : lines.below) {
    canvas.text({box.x, y}, Style::label, theme.second, line);
    y += canvas.line_height(Style::label);
  }
  if (ui == nullptr || !ui->hovered(box)) return;
  ui->point(box, cell.shown());
  const Lines all = cell_lines(canvas, cell, box.width, 1000);
  if (all.text.size() > lines.text.size() || all.below.size() > lines.below.size())
    ui->tooltip(cell.shown() + "\n" + cell.below);
}

}  // namespace

namespace {

// The height of a row with one line, at least.
float row_step(const Canvas& canvas) {
  return std::max(least_table_row, canvas.line_height(Style::label) + least_row_gap);
}

}  // namespace

float least_table_height(const Canvas& canvas, const story::TablePicture& picture, std::size_t rows) {
  const float row = row_step(canvas);
  return table_head_height + 4 + row * static_cast<float>(std::min({rows, picture.least_rows, picture.rows.size()}));
}

float whole_table_height(const Canvas& canvas, float width, const story::TablePicture& picture) {
  constexpr std::size_t many = 40;  // a table with more rows is not expected to fit
  story::TablePicture all;
  all.rows.resize(picture.rows.size());
  const float least = least_table_height(canvas, all);
  if (picture.rows.size() > many || std::ranges::none_of(picture.columns, &story::TableColumn::wraps)) return least;
  const std::vector<Box> columns = columns_of(canvas, {0, 0, width, 0}, picture);
  float sum = table_head_height + 4;
  for (const story::TableRow& row : picture.rows)
    sum += table_row_height(canvas, columns, picture, row, most_lines) + least_row_gap;
  return std::max(least, sum);
}

Touch paint_table(Canvas& canvas, draw::Ui* ui, const Box& box, const story::TablePicture& picture) {
  if (picture.least_rows < picture.rows.size()) {
    story::TablePicture shown = picture;
    const float room = box.height - least_table_height(canvas, shown, 0);
    const auto fit = static_cast<std::size_t>(std::max(0.0f, room / row_step(canvas)));
    shown.rows.resize(std::clamp(fit, picture.least_rows, picture.rows.size()));
    shown.least_rows = shown.rows.size();
    return paint_table(canvas, ui, box, shown);
  }
  const draw::Theme& theme = canvas.theme();
  Touch touch;
  const std::vector<Box> columns = columns_of(canvas, box, picture);
  const auto align = [&](std::size_t c) { return picture.columns[c].right ? Align::right : Align::left; };
  for (std::size_t c = 0; c < columns.size(); ++c)
    canvas.text_in(columns[c], Style::small_caps, theme.second, picture.columns[c].head, align(c));
  canvas.line({box.x, box.y + table_head_height}, {box.right(), box.y + table_head_height}, theme.line, theme.hairline);
  const std::vector<RowRoom> rooms = rooms_of(canvas, columns, box.height - table_head_height - 4, picture);
  float y = box.y + table_head_height + 4;
  for (std::size_t r = 0; r < picture.rows.size(); ++r) {
    const story::TableRow& row = picture.rows[r];
    const auto [height, limit] = rooms[r];
    if (y + height > box.bottom() + 2) {  // half a row would look like an error
      canvas.text({box.x, y - 4}, Style::label, theme.second, "…");
      break;
    }
    if (row.followed)
      canvas.fill({box.x - 6, y, box.width + 12, height}, draw::mixed(theme.now, theme.ground, 0.14f), 4);
    if ((row.cycle || !row.sets.empty() || row.follow != story::no_slice || row.rank) && ui != nullptr) {
      const Box whole = {box.x - 6, y, box.width + 12, height};
      if (ui->hovered(whole)) canvas.fill(whole, draw::mixed(theme.text, theme.ground, 0.08f), 4);
      // The place is part of the name: a stage may have several tables.
      if (ui->activated(fmt::format("row {} {:.0f} {:.0f}", r, box.x, box.y), whole)) {
        touch.cycle = row.cycle;
        if (row.rank) touch.rank = row.rank;
        if (row.follow != story::no_slice) {
          touch.follow = row.follow;
          touch.go = story::CardLink{"boardroom", {}, {}, {}};
        }
        touch.set.insert(touch.set.end(), row.sets.begin(), row.sets.end());
      }
    }
    const bool wraps = limit > 0;
    for (std::size_t c = 0; c < std::min(columns.size(), row.cells.size()); ++c) {
      const Box cell = {columns[c].x, y, columns[c].width, height};
      if (wraps && picture.columns[c].wraps) {
        paint_cell_lines(canvas, ui, cell, row.cells[c], limit);
      } else {
        paint_cell(canvas, ui, wraps ? Box{cell.x, y, cell.width, canvas.line_height(Style::label)} : cell,
                   row.cells[c], align(c));
      }
    }
    y += height;
  }
  return touch;
}

}  // namespace warpwalk::pictures
