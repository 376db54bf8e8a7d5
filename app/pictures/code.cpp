// Source, PTX and machine code side by side, with the followed line highlighted.
#include <algorithm>
#include <string>
#include <vector>

#include "app/pictures/banner.h"
#include "app/pictures/cut_text.h"
#include "app/pictures/pictures.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float row_height = 20;
constexpr float head_height = 34;

// The range of a column's lines that fits, with the first highlighted line near the middle.
struct Window {
  std::size_t from = 0;
  std::size_t to = 0;
};
Window window_in(const Box& box, const story::CodeWindow& code) {
  const auto fits = static_cast<std::size_t>(std::max(1.0f, (box.height - head_height - 4) / row_height));
  const std::size_t before = std::min(code.focus, fits / 3);
  const std::size_t from = std::min(code.focus - before, code.lines.size() > fits ? code.lines.size() - fits : 0);
  return {from, std::min(from + fits, code.lines.size())};
}

// Returns the source line `by` steps further, counting only lines that produced code.
std::int64_t stepped(const story::CodePicture& pane, int by) {
  const auto at = std::lower_bound(pane.lines.begin(), pane.lines.end(), pane.line);
  const auto index = static_cast<int>(at - pane.lines.begin()) + by;
  return pane.lines[static_cast<std::size_t>(std::clamp(index, 0, static_cast<int>(pane.lines.size()) - 1))];
}

}  // namespace

Touch paint_code(Canvas& canvas, draw::Ui* ui, const Box& whole, const story::CodePicture& pane, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  Touch touch;
  Box box = whole;
  if (!pane.banner.empty()) {
    paint_banner(canvas, ui, {box.x, box.y, box.width, banner_height}, pane.banner, shown);
    box.y += banner_height + 10;
    box.height -= banner_height + 10;
  }
  const float between = 20;
  const auto count = static_cast<float>(pane.columns.size());
  std::vector<Box> boxes;
  double shares = 0;
  for (const story::CodePicture::Column& column : pane.columns) shares += column.share;
  float x = box.x;
  for (const story::CodePicture::Column& column : pane.columns) {
    const float width = (box.width - between * (count - 1)) * static_cast<float>(column.share / shares);
    boxes.push_back({x, box.y, width, box.height});
    x += width + between;
  }
  const auto column_box = [&](std::size_t c) { return boxes[c]; };
  const auto row_box = [&](std::size_t c, const Window& window, std::size_t i) {
    const Box place = column_box(c);
    return Box{place.x, place.y + head_height + row_height * static_cast<float>(i - window.from), place.width,
               row_height};
  };

  // The line under the pointer highlights the related lines in the other columns, without scrolling.
  std::int64_t pointed = 0;
  for (std::size_t c = 0; c < pane.columns.size() && ui != nullptr; ++c) {
    const Window window = window_in(column_box(c), pane.columns[c].window);
    for (std::size_t i = window.from; i < window.to; ++i)
      if (ui->hovered(row_box(c, window, i))) pointed = pane.columns[c].window.lines[i].source_line;
  }

  struct End {
    float y = -1;
    bool lit = false;
  };
  std::vector<End> ends(pane.columns.size());
  for (std::size_t c = 0; c < pane.columns.size(); ++c) {
    const story::CodePicture::Column& column = pane.columns[c];
    const Box place = column_box(c);
    const float width = place.width;
    const auto light = static_cast<float>(std::clamp(pane.progress * count - static_cast<double>(c), 0.0, 1.0));
    canvas.fill(place, faded(theme.panel), 6);
    canvas.outline(place, faded(theme.line), 6, theme.hairline);
    const float name =
        canvas.text({place.x + 10, place.y + 8}, Style::label, faded(theme.text), column.name, width - 20);
    canvas.text({place.right() - 10, place.y + 8}, Style::label, faded(light > 0.5f ? theme.second : theme.panel),
                column.note, std::max(0.0f, width - name - 36), Align::right);
    canvas.line({place.x, place.y + head_height - 4}, {place.right(), place.y + head_height - 4}, faded(theme.line),
                theme.hairline);
    if (!column.missing.empty()) {
      canvas.hatch({place.x + 1, place.y + head_height, width - 2, place.height - head_height - 2},
                   faded(draw::mixed(theme.line, theme.panel, 0.5f)));
      const float line = canvas.line_height(Style::label) * 1.2f;
      const auto lines = canvas.wrapped(Style::label, column.missing, width - 44, 5);
      const Box note = {place.x + 12, place.y + head_height + 14, width - 24,
                        line * static_cast<float>(lines.size()) + 16};
      canvas.fill(note, faded(theme.panel), 6);
      canvas.paragraph({note.x + 10, note.y + 8}, Style::label, faded(theme.second), column.missing, note.width - 20,
                       5);
      continue;
    }
    const Window window = window_in(place, column.window);
    float number_room = 0;
    for (std::size_t i = window.from; i < window.to; ++i)
      number_room = std::max(
          number_room,
          canvas.text_width(Style::mono_small, story::number_text(column.kind, column.window.lines[i].number)));
    for (std::size_t i = window.from; i < window.to; ++i) {
      const story::CodeLine& line = column.window.lines[i];
      const Box row = row_box(c, window, i);
      const bool on = line.lit && light > 0;
      const bool fellow = pointed > 0 && line.source_line == pointed && !line.lit;
      if (on)
        canvas.fill({row.x + 1, row.y, row.width - 2, row.height},
                    faded(draw::mixed(theme.now, theme.panel, 0.22f * light)));
      if (fellow)
        canvas.fill({row.x + 1, row.y, row.width - 2, row.height},
                    faded(draw::mixed(theme.second, theme.panel, 0.25f)));
      if (on && ends[c].y < 0) ends[c] = {row.y + row_height / 2, true};
      canvas.text_in({row.x + 8, row.y, number_room, row.height}, Style::mono_small,
                     faded(on ? theme.now : theme.faint), story::number_text(column.kind, line.number), Align::right);
      paint_cut(canvas, ui, {row.x + number_room + 20, row.y, row.width - number_room - 28, row.height},
                Style::mono_small, faded(line.source_line > 0 || pane.line == 0 ? theme.text : theme.second),
                line.text);
      if (ui == nullptr) continue;
      ui->point(row, line.text);
      if (!pane.control.empty() && line.source_line > 0 && ui->hovered(row) && ui->input().mouse_pressed)
        touch.set.emplace_back(pane.control, static_cast<double>(line.source_line));
    }
    if (ui != nullptr && !pane.control.empty() && !pane.lines.empty())
      if (const float wheel = ui->wheel(place); wheel != 0)
        touch.set.emplace_back(pane.control, static_cast<double>(stepped(pane, wheel < 0 ? 1 : -1)));
  }
  // Connect the source line to the code it produced.
  for (std::size_t c = 0; c + 1 < ends.size(); ++c) {
    if (!ends[c].lit || !ends[c + 1].lit) continue;
    const float from = column_box(c).right(), to = column_box(c + 1).x;
    canvas.line({from, ends[c].y}, {from + between / 2, ends[c].y}, faded(theme.now), 2);
    canvas.line({from + between / 2, ends[c].y}, {from + between / 2, ends[c + 1].y}, faded(theme.now), 2);
    canvas.line({from + between / 2, ends[c + 1].y}, {to, ends[c + 1].y}, faded(theme.now), 2);
  }
  if (ui != nullptr && !pane.control.empty() && pane.lines.size() > 1) {
    // For keyboard use, two buttons in the head of the first column step to the previous and next line.
    const Box first = column_box(0);
    const Box back = {first.x + first.width / 2 - 30, first.y + 4, 26, 22},
              on = {back.right() + 6, first.y + 4, 26, 22};
    if (ui->button(pane.control + ".back", back, "↑"))
      touch.set.emplace_back(pane.control, static_cast<double>(stepped(pane, -1)));
    if (ui->button(pane.control + ".on", on, "↓"))
      touch.set.emplace_back(pane.control, static_cast<double>(stepped(pane, 1)));
  }
  return touch;
}

}  // namespace warpwalk::scenes
