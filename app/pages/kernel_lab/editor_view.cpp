#include "app/pages/kernel_lab/editor_view.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Style;

constexpr float editor_pad = 8;
constexpr std::size_t wheel_lines = 3;

constexpr float costs_gap = 14;    // before each column of figures
constexpr float costs_heat = 36;   // width of the bar
constexpr float least_code = 260;  // room for the text, or there are no figures

/// The places of the figures beside the lines.
struct CostsLayout {
  float heat = 0;            // left edge of the bar
  std::vector<float> right;  // right edges of the columns

  CostsLayout(const draw::Canvas& canvas, const Box& box, Style style, const EditorCosts& costs) {
    float x = box.right() - editor_pad - 4;
    right.resize(costs.columns.size());
    for (std::size_t c = costs.columns.size(); c-- > 0;) {
      float width = canvas.text_width(Style::label, costs.columns[c]);
      for (const auto& [number, line] : costs.lines) width = std::max(width, canvas.text_width(style, line.cells[c]));
      right[c] = x;
      x -= width + costs_gap;
    }
    heat = x - costs_heat;
  }
};

/// The places of an editor on screen.
struct EditorLayout {
  Box box;
  Style style = Style::mono_small;
  float row_height = 20;
  float character = 8;  // width
  float text_x = 0;     // left edge of the text
  float head = 0;       // height of the heads of the figures
  std::optional<CostsLayout> costs;
  std::size_t rows = 1, columns = 1;

  EditorLayout(const draw::Canvas& canvas, const Box& whole, const draw::TextEditor& editor, const EditorCosts& figures)
      : box(whole) {
    constexpr float wide_canvas = 1700;  // has room for larger letters
    if (canvas.width() >= wide_canvas) {
      style = Style::mono;
      row_height = 23;
    }
    character = canvas.text_width(style, "0");
    const std::size_t digits = std::max<std::size_t>(2, fmt::formatted_size("{}", editor.lines().size()));
    text_x = box.x + editor_pad + character * static_cast<float>(digits + 2) + 10;
    if (!figures.columns.empty()) costs.emplace(canvas, box, style, figures);
    if (costs && costs->heat - text_x < least_code) costs.reset();
    if (costs) head = row_height;
    rows = static_cast<std::size_t>(std::max(1.0f, (box.height - head - 2 * editor_pad) / row_height));
    columns = static_cast<std::size_t>(std::max(1.0f, (text_right() - editor_pad - text_x) / character));
  }
  float text_right() const { return costs ? costs->heat - 4 : box.right(); }
  float row_y(std::size_t row) const { return box.y + head + editor_pad + row_height * static_cast<float>(row); }
  float x_of(std::size_t column, std::size_t left) const {
    return text_x + character * (static_cast<float>(column) - static_cast<float>(left));
  }
};

const EditorMark* mark_at(std::span<const EditorMark> marks, std::size_t line) {
  const EditorMark* found = nullptr;  // an error hides a warning
  for (const EditorMark& mark : marks)
    if (mark.line == line + 1 && (found == nullptr || mark.kind < found->kind)) found = &mark;
  return found;
}

std::size_t place_under(const EditorLayout& layout, const draw::TextEditor& editor, draw::Point mouse) {
  const float row = std::max(0.0f, (mouse.y - layout.row_y(0)) / layout.row_height);
  const std::size_t line = std::min(editor.top + static_cast<std::size_t>(row), editor.lines().size() - 1);
  const float column = std::max(0.0f, (mouse.x - layout.text_x) / layout.character + 0.5f);
  return editor.lines().place_at(line, editor.left + static_cast<std::size_t>(column));
}

void paint_selection(draw::Canvas& canvas, const EditorLayout& layout, const draw::TextEditor& editor,
                     std::size_t line) {
  const auto [from, to] = editor.selected();
  const std::size_t start = editor.lines().start(line), end = start + editor.lines()[line].size();
  if (from == to || to <= start || from > end) return;
  const std::size_t first = std::max(editor.lines().column_of(std::max(from, start)), editor.left);
  const std::size_t last = to > end ? editor.lines().column_of(end) + 1 : editor.lines().column_of(to);
  if (last <= first) return;
  const float x = layout.x_of(first, editor.left);
  const float width = std::min(layout.x_of(last, editor.left), layout.text_right() - 2) - x;
  const draw::Theme& theme = canvas.theme();
  canvas.fill({x, layout.row_y(line - editor.top), width, layout.row_height},
              draw::mixed(theme.second, theme.ground, 0.4f));
}

void paint_line(draw::Canvas& canvas, const EditorLayout& layout, const draw::TextEditor& editor, std::size_t line,
                std::string_view comment) {
  const draw::Theme& theme = canvas.theme();
  const Box row = {layout.text_x, layout.row_y(line - editor.top), layout.text_right() - 2 - layout.text_x,
                   layout.row_height};
  const std::string_view text = editor.lines()[line];
  const std::string shown = draw::visible_part(text, editor.left, layout.columns);
  const std::size_t begins = comment.empty() ? std::string::npos : text.find(comment);
  if (begins == std::string::npos) {
    canvas.text_in(row, layout.style, theme.text, shown);
    return;
  }
  const std::size_t column = editor.lines().column_of(editor.lines().start(line) + begins);
  const std::size_t code = column > editor.left ? column - editor.left : 0;
  canvas.text_in(row, layout.style, theme.text, draw::visible_part(text, editor.left, std::min(code, layout.columns)));
  if (code >= layout.columns) return;
  const Box rest = {row.x + layout.character * static_cast<float>(code), row.y, row.width, row.height};
  canvas.text_in(rest, layout.style, theme.second, draw::visible_part(text, editor.left + code, layout.columns - code));
}

void paint_costs_head(draw::Canvas& canvas, const EditorLayout& layout, const EditorCosts& costs) {
  const draw::Theme& theme = canvas.theme();
  float left = layout.costs->heat;
  for (std::size_t c = 0; c < costs.columns.size(); ++c) {
    canvas.text_in({left, layout.box.y + 4, layout.costs->right[c] - left, layout.head}, Style::label, theme.second,
                   costs.columns[c], draw::Align::right);
    left = layout.costs->right[c] + costs_gap;
  }
  const float y = layout.box.y + layout.head + 4;
  canvas.line({layout.costs->heat, y}, {layout.box.right() - editor_pad, y}, theme.line, theme.hairline);
}

/// The figures of one line, which is drawn at this height.
void paint_line_costs(draw::Canvas& canvas, const EditorLayout& layout, const EditorCosts& costs,
                      const EditorCosts::Line& line, float y) {
  const draw::Theme& theme = canvas.theme();
  const auto colour = [&](ImU32 full) { return costs.outdated ? draw::mixed(full, theme.ground, 0.4f) : full; };
  const float length = costs_heat * static_cast<float>(std::clamp(line.heat, 0.0, 1.0));
  if (line.heat > 0)
    canvas.fill({layout.costs->heat, y + 5, std::max(1.0f, length), layout.row_height - 10}, colour(theme.launch), 2);
  if (line.hottest)
    canvas.outline({layout.costs->heat - 2, y + 3, costs_heat + 4, layout.row_height - 6}, colour(theme.launch), 3, 1);
  float left = layout.costs->heat + costs_heat;
  for (std::size_t c = 0; c < line.cells.size(); ++c) {
    canvas.text_in({left, y, layout.costs->right[c] - left, layout.row_height}, layout.style, colour(theme.text),
                   line.cells[c], draw::Align::right);
    left = layout.costs->right[c];
  }
}

}  // namespace

ImU32 mark_colour(EditorMark::Kind kind, const draw::Theme& theme) {
  switch (kind) {
    case EditorMark::Kind::error: return theme.launch;
    case EditorMark::Kind::finding: return theme.barrier;
    case EditorMark::Kind::changed: return theme.memory;
    case EditorMark::Kind::warning: break;
  }
  return theme.shared;
}

std::string_view mark_sign(EditorMark::Kind kind) {
  switch (kind) {
    case EditorMark::Kind::error: return "!";
    case EditorMark::Kind::finding: return "?";
    case EditorMark::Kind::changed: return "±";
    case EditorMark::Kind::warning: break;
  }
  return "i";
}

bool editor_view(draw::Ui& ui, draw::UiMemory& memory, std::string_view id, const Box& box, draw::TextEditor& editor,
                 std::span<const EditorMark> marks, std::string_view comment, const EditorCosts& costs) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const EditorLayout before(canvas, box, editor, costs);
  const bool typing = ui.focused(id);
  const std::uint64_t revision = editor.revision();
  if (typing)
    for (const draw::KeyPress& press : ui.input().keys)
      if (editor.type(press, before.rows, &memory.copied)) editor.show_caret(before.rows, before.columns);
  const bool pressed = ui.input().mouse_pressed;
  if (ui.dragged(id, box) && (!pressed || ui.hovered(box))) {
    editor.go(place_under(before, editor, ui.input().mouse), !pressed);
    if (!pressed) editor.show_caret(before.rows, before.columns);
  }
  if (const float notches = ui.wheel(box); notches != 0) {
    const std::size_t last = editor.lines().size() - 1;
    if (notches < 0) editor.top = std::min(editor.top + wheel_lines, last);
    if (notches > 0) editor.top -= std::min(editor.top, wheel_lines);
  }

  const EditorLayout layout(canvas, box, editor, costs);
  canvas.fill(box, theme.ground, 6);
  canvas.clip(box.inset(1));
  if (layout.costs) paint_costs_head(canvas, layout, costs);
  const std::size_t caret_line = editor.lines().line_of(editor.caret());
  for (std::size_t row = 0; row < layout.rows && editor.top + row < editor.lines().size(); ++row) {
    const std::size_t line = editor.top + row;
    const Box whole = {box.x + 1, layout.row_y(row), box.width - 2, layout.row_height};
    const EditorMark* const mark = mark_at(marks, line);
    if (mark != nullptr) {
      const ImU32 colour = mark_colour(mark->kind, theme);
      canvas.fill(whole, draw::mixed(colour, theme.ground, 0.2f));
      canvas.fill({whole.x, whole.y, 4, whole.height}, colour);
      canvas.text_in({box.x + editor_pad, whole.y, layout.character * 1.5f, layout.row_height}, layout.style,
                     theme.text, mark_sign(mark->kind));
      if (ui.hovered(whole)) ui.tooltip(mark->message);
    } else if (typing && line == caret_line) {
      canvas.fill(whole, draw::mixed(theme.second, theme.ground, 0.12f));
    }
    paint_selection(canvas, layout, editor, line);
    canvas.text_in({box.x, whole.y, layout.text_x - 10 - box.x, layout.row_height}, layout.style,
                   typing && line == caret_line ? theme.text : theme.second, fmt::format("{}", line + 1),
                   draw::Align::right);
    paint_line(canvas, layout, editor, line, comment);
    const auto figures = costs.lines.find(static_cast<std::uint32_t>(line + 1));
    if (!layout.costs || figures == costs.lines.end()) continue;
    paint_line_costs(canvas, layout, costs, figures->second, whole.y);
    const Box beside = {layout.costs->heat, whole.y, whole.right() - layout.costs->heat, whole.height};
    if (ui.hovered(beside)) ui.tooltip(figures->second.tip);
  }
  const std::size_t column = editor.lines().column_of(editor.caret());
  if (typing && caret_line >= editor.top && caret_line < editor.top + layout.rows && column >= editor.left) {
    const float x = layout.x_of(column, editor.left), y = layout.row_y(caret_line - editor.top);
    canvas.line({x, y + 2}, {x, y + layout.row_height - 2}, theme.text, 1.5f);
  }
  canvas.unclip();
  // How much of the text is in view.
  if (editor.lines().size() > layout.rows) {
    const float all = static_cast<float>(editor.lines().size() + layout.rows);
    const float y = box.y + 2 + (box.height - 4) * static_cast<float>(editor.top) / all;
    canvas.fill({box.right() - 5, y, 3, std::max(12.0f, (box.height - 4) * static_cast<float>(layout.rows) / all)},
                theme.second, 1.5f);
  }
  canvas.outline(box, typing ? theme.text : theme.line, 6, typing ? 1.5f : theme.hairline);
  ui.activated(id, box);
  return editor.revision() != revision;
}

}  // namespace warpwalk::pages
