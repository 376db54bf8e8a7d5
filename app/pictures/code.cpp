// Source, PTX and machine code side by side, with the followed line highlighted.
#include <algorithm>
#include <string>
#include <vector>

#include "app/pictures/pictures.h"
#include "app/pictures/text.h"

namespace warpwalk::pictures {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float code_row_height = 20;
constexpr float code_head_height = 34;

constexpr float column_between = 20;  // of the columns
constexpr float number_margin = 20;   // from the left edge to the text, besides the number
constexpr float text_margin = 28;     // of a row, besides the number and the text
constexpr std::size_t max_wrapped = 6;

float number_room(const Canvas& canvas, const story::CodePicture::Column& column) {
  float room = 0;
  for (const story::CodeLine& line : column.window.lines)
    room = std::max(room, canvas.text_width(Style::mono_small, story::number_text(column.kind, line.number)));
  return room;
}

// Columns with short lines get what they need; the others share the rest. Without enough lines to need all of the
// width, each column grows in proportion.
std::vector<float> column_widths(const Canvas& canvas, const story::CodePicture& pane, float width) {
  std::vector<float> needs, widths(pane.columns.size(), 0);
  double shares = 0;
  for (const story::CodePicture::Column& column : pane.columns) {
    // Nearly all lines have to fit; a few that are much longer are wrapped. Code of one instruction per line has fewer
    // long lines than a source.
    std::vector<float> lengths = {0};
    for (const story::CodeLine& line : column.window.lines)
      lengths.push_back(canvas.text_width(Style::mono_small, line.text));
    const std::size_t percent = column.kind == story::CodeKind::source ? 85 : 98;
    const auto most = lengths.begin() + static_cast<std::ptrdiff_t>((lengths.size() - 1) * percent / 100);
    std::ranges::nth_element(lengths, most);
    const float head = canvas.text_width(Style::label, column.name) + canvas.text_width(Style::label, column.note) + 46;
    needs.push_back(std::max(*most + number_room(canvas, column) + text_margin + 2, head));
    shares += column.share;
  }
  const float room = width - column_between * static_cast<float>(pane.columns.size() - 1);
  const auto share_of = [&](std::size_t c) { return room * static_cast<float>(pane.columns[c].share / shares); };
  float spare = 0, wanted = 0;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    const bool missing = pane.columns[c].window.lines.empty();
    widths[c] = missing ? share_of(c) : std::min(share_of(c), std::max(needs[c], 120.0f));
    spare += share_of(c) - widths[c];
    if (!missing) wanted += std::max(0.0f, needs[c] - widths[c]);
  }
  for (std::size_t c = 0; c < widths.size() && wanted > 0; ++c)
    if (!pane.columns[c].window.lines.empty())
      widths[c] += std::min(spare / wanted, 1.0f) * std::max(0.0f, needs[c] - widths[c]);
  float used = 0;
  for (const float one : widths) used += one;
  for (float& one : widths) one *= room / std::max(used, 1.0f);
  return widths;
}

// A line of code in rows of at most `width`. The rows after the first are indented like the line, and a little more.
std::vector<std::string> wrapped_code(const Canvas& canvas, const std::string& text, float width) {
  if (canvas.text_width(Style::mono_small, text) <= width) return {text};
  const auto columns = static_cast<std::size_t>(std::max(width, 0.0f) / canvas.text_width(Style::mono_small, "0"));
  const std::string indent(std::min(text.find_first_not_of(' '), columns / 3) + 4, ' ');
  std::vector<std::string> rows;
  std::string rest = text;
  while (rows.size() + 1 < max_wrapped && rest.size() > columns && columns > indent.size() + 8) {
    const std::size_t blank = rest.find_last_of(' ', columns);
    const bool at_blank = blank != std::string::npos && blank > indent.size() + 4;  // else inside a long word
    rows.push_back(rest.substr(0, at_blank ? blank : columns));
    rest = indent + rest.substr(at_blank ? blank + 1 : columns);
  }
  rows.push_back(std::move(rest));
  return rows;
}

// The values beside the names of a line, below it: as many beside one another as there is room for.
std::vector<std::string> value_rows(const Canvas& canvas, const story::CodeLine& line, float width) {
  std::vector<std::string> rows;
  for (const std::string& value : line.values) {
    const std::string longer = rows.empty() ? "" : rows.back() + "   " + value;
    if (!rows.empty() && canvas.text_width(Style::mono_small, longer) <= width)
      rows.back() = longer;
    else
      rows.push_back("  " + value);
  }
  return rows;
}

// A line that is on screen.
struct ShownLine {
  std::size_t line = 0;
  Box box;
  std::vector<std::string> rows;  ///< of its text, then of its values
  std::size_t values = 0;         ///< rows of them
};

// The lines of a column that fit, with the first highlighted line near the middle.
std::vector<ShownLine> shown_lines(const Canvas& canvas, const Box& box, const story::CodePicture::Column& column) {
  const story::CodeWindow& code = column.window;
  std::vector<ShownLine> shown;
  if (code.lines.empty()) return shown;
  const float width = box.width - number_room(canvas, column) - text_margin;
  const auto fits = static_cast<std::size_t>(std::max(1.0f, (box.height - code_head_height - 4) / code_row_height));
  // A line that is longer than the picture is high is cut, and a line with its values rather than left out.
  const auto rows_of = [&](std::size_t i) {
    std::vector<std::string> rows = wrapped_code(canvas, code.lines[i].text, width);
    std::vector<std::string> values = value_rows(canvas, code.lines[i], width);
    const std::size_t room = std::max<std::size_t>(1, fits - std::min(fits, values.size()));
    if (rows.size() > room) {
      rows.resize(room);
      rows.back() += " ...";
    }
    for (std::string& row : values) rows.push_back(std::move(row));
    rows.resize(std::min(rows.size(), fits));
    return rows;
  };
  const std::size_t focus = std::min(code.focus, code.lines.size() - 1);
  const std::size_t most_above =
      code.lines[focus].values.empty() ? fits / 3 : std::min(fits / 3, fits - rows_of(focus).size());
  std::size_t from = focus, above = 0;
  while (from > 0 && above + rows_of(from - 1).size() <= most_above) above += rows_of(--from).size();
  std::size_t used = 0, to = from;
  while (to < code.lines.size() && used + rows_of(to).size() <= fits) used += rows_of(to++).size();
  while (from > 0 && to == code.lines.size() && used + rows_of(from - 1).size() <= fits) used += rows_of(--from).size();
  float y = box.y + code_head_height;
  for (std::size_t i = from; i < std::max(to, from + 1); ++i) {
    std::vector<std::string> rows = rows_of(i);
    const float height = code_row_height * static_cast<float>(rows.size());
    const std::size_t values = std::min(value_rows(canvas, code.lines[i], width).size(), rows.size() - 1);
    shown.push_back({i, {box.x, y, box.width, height}, std::move(rows), values});
    y += height;
  }
  return shown;
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
  const auto count = static_cast<float>(pane.columns.size());
  std::vector<Box> boxes;
  std::vector<std::vector<ShownLine>> lines;
  float x = box.x;
  const std::vector<float> widths = column_widths(canvas, pane, box.width);
  for (std::size_t c = 0; c < pane.columns.size(); ++c) {
    boxes.push_back({x, box.y, widths[c], box.height});
    lines.push_back(shown_lines(canvas, boxes.back(), pane.columns[c]));
    x += widths[c] + column_between;
  }
  const auto column_box = [&](std::size_t c) { return boxes[c]; };

  // The line under the pointer highlights the related lines in the other columns, without scrolling.
  std::int64_t pointed = 0;
  for (std::size_t c = 0; c < pane.columns.size() && ui != nullptr; ++c) {
    for (const ShownLine& shown_line : lines[c])
      if (ui->hovered(shown_line.box)) pointed = pane.columns[c].window.lines[shown_line.line].source_line;
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
    canvas.line({place.x, place.y + code_head_height - 4}, {place.right(), place.y + code_head_height - 4},
                faded(theme.line), theme.hairline);
    if (!column.missing.empty()) {
      canvas.hatch({place.x + 1, place.y + code_head_height, width - 2, place.height - code_head_height - 2},
                   faded(draw::mixed(theme.line, theme.panel, 0.5f)));
      const float line = canvas.line_height(Style::label) * 1.2f;
      const auto reason = canvas.wrapped(Style::label, column.missing, width - 44, 5);
      const Box note = {place.x + 12, place.y + code_head_height + 14, width - 24,
                        line * static_cast<float>(reason.size()) + 16};
      canvas.fill(note, faded(theme.panel), 6);
      canvas.paragraph({note.x + 10, note.y + 8}, Style::label, faded(theme.second), column.missing, note.width - 20,
                       5);
      continue;
    }
    const float numbers = number_room(canvas, column);
    for (const ShownLine& shown_line : lines[c]) {
      const story::CodeLine& line = column.window.lines[shown_line.line];
      const Box& row = shown_line.box;
      const bool on = line.lit && light > 0;
      const bool fellow = pointed > 0 && line.source_line == pointed && !line.lit;
      if (on)
        canvas.fill({row.x + 1, row.y, row.width - 2, row.height},
                    faded(draw::mixed(theme.now, theme.panel, 0.22f * light)));
      if (fellow)
        canvas.fill({row.x + 1, row.y, row.width - 2, row.height},
                    faded(draw::mixed(theme.second, theme.panel, 0.25f)));
      if (on && ends[c].y < 0) ends[c] = {row.y + code_row_height / 2, true};
      canvas.text_in({row.x + 8, row.y, numbers, code_row_height}, Style::mono_small,
                     faded(on ? theme.now : theme.faint), story::number_text(column.kind, line.number), Align::right);
      for (std::size_t r = 0; r < shown_line.rows.size(); ++r) {
        const bool value = r + shown_line.values >= shown_line.rows.size();
        paint_cut(canvas, ui,
                  {row.x + numbers + number_margin, row.y + code_row_height * static_cast<float>(r),
                   row.width - numbers - text_margin, code_row_height},
                  Style::mono_small,
                  faded(value                                    ? theme.now
                        : line.source_line > 0 || pane.line == 0 ? theme.text
                                                                 : theme.second),
                  shown_line.rows[r]);
      }
      if (ui == nullptr) continue;
      ui->point(row, line.text);
      if (!line.tip.empty() && ui->hovered(row)) ui->tooltip(line.text + "\n" + line.tip);
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
    canvas.line({from, ends[c].y}, {from + column_between / 2, ends[c].y}, faded(theme.now), 2);
    canvas.line({from + column_between / 2, ends[c].y}, {from + column_between / 2, ends[c + 1].y}, faded(theme.now),
                2);
    canvas.line({from + column_between / 2, ends[c + 1].y}, {to, ends[c + 1].y}, faded(theme.now), 2);
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

}  // namespace warpwalk::pictures
