#include "app/draw/text/text_area.h"

#include <algorithm>
#include <string>

#include "app/draw/text/utf8.h"

namespace warpwalk::draw {
namespace {

constexpr Style area_style = Style::label;
constexpr float area_pad = 10, area_leading = 1.25f;
constexpr std::size_t area_wheel_rows = 2;

/// The rows of a field, and its places on screen.
class AreaLayout {
 public:
  AreaLayout(const Canvas& canvas, const Box& box, const TextEditor& editor)
      : canvas_(canvas),
        text_(editor.text()),
        box_(box.inset(area_pad)),
        row_high_(area_leading * canvas.line_height(area_style)),
        rows_(text_rows(canvas, area_style, editor.text(), box_.width - 6)) {}

  const std::vector<TextRow>& rows() const { return rows_; }
  std::string_view text_of(const TextRow& row) const { return text_.substr(row.begin, row.end - row.begin); }
  float row_height() const { return row_high_; }
  std::size_t visible() const { return static_cast<std::size_t>(std::max(1.0f, box_.height / row_high_)); }
  /// Behind a break, the caret is at the begin of the next row.
  std::size_t row_of(std::size_t place) const {
    std::size_t row = 0;
    while (row + 1 < rows_.size() && rows_[row + 1].begin <= place) ++row;
    return row;
  }
  float x_of(std::size_t row, std::size_t place) const {
    const std::size_t end = std::clamp(place, rows_[row].begin, rows_[row].end);
    return box_.x + canvas_.text_width(area_style, text_.substr(rows_[row].begin, end - rows_[row].begin));
  }
  float y_of(std::size_t row, std::size_t top) const {
    return box_.y + row_high_ * (static_cast<float>(row) - static_cast<float>(top));
  }
  /// The place in a row that is nearest to x. In a broken row it is before the break.
  std::size_t place_at(std::size_t row, float x) const {
    const TextRow& at = rows_[row];
    const bool broken = row + 1 < rows_.size() && rows_[row + 1].begin == at.end;
    const std::size_t end = broken && at.end > at.begin ? character_before(text_, at.end) : at.end;
    std::size_t place = at.begin;
    while (place < end) {
      const std::size_t next = character_after(text_, place);
      if (x - x_of(row, place) < x_of(row, next) - x) break;
      place = next;
    }
    return place;
  }
  std::size_t place_under(Point mouse, std::size_t top) const {
    const auto row = static_cast<std::size_t>(std::max(0.0f, (mouse.y - box_.y) / row_high_));
    return place_at(std::min(top + row, rows_.size() - 1), mouse.x);
  }

 private:
  const Canvas& canvas_;
  std::string_view text_;
  Box box_;
  float row_high_;
  std::vector<TextRow> rows_;
};

/// The keys that go by rows on screen. Returns false for all others.
bool move_by_rows(const AreaLayout& layout, TextEditor& editor, const KeyPress& press) {
  const std::size_t row = layout.row_of(editor.caret()), last = layout.rows().size() - 1;
  const float x = layout.x_of(row, editor.caret());
  const auto to_row = [&](bool up, std::size_t by) {
    if (up && row == 0) return editor.go(0, press.shift);
    if (!up && row == last) return editor.go(editor.text().size(), press.shift);
    editor.go(layout.place_at(up ? row - std::min(row, by) : std::min(row + by, last), x), press.shift);
  };
  switch (press.key) {
    case Key::up: to_row(true, 1); return true;
    case Key::down: to_row(false, 1); return true;
    case Key::page_up: to_row(true, layout.visible()); return true;
    case Key::page_down: to_row(false, layout.visible()); return true;
    case Key::home:
      if (!press.control) editor.go(layout.rows()[row].begin, press.shift);
      return !press.control;
    case Key::end:
      if (!press.control) editor.go(layout.place_at(row, 1e6f), press.shift);
      return !press.control;
    default: return false;
  }
}

bool is_undo(const KeyPress& press) {
  return press.control && press.key == Key::character && (press.character == U'z' || press.character == U'y');
}

}  // namespace

std::vector<TextRow> text_rows(const Canvas& canvas, Style style, std::string_view text, float width) {
  std::vector<TextRow> rows;
  for (std::size_t begin = 0;;) {
    const std::size_t stop = std::min(text.find('\n', begin), text.size());
    do {
      // Words as long as they fit; a word that is too long for a row of its own is broken.
      std::size_t end = begin;
      while (end < stop) {
        std::size_t next = std::min(text.find(' ', end), stop);
        const bool fits = canvas.text_width(style, text.substr(begin, next - begin)) <= width;
        if (!fits && end > begin) break;
        if (!fits) {
          next = character_after(text, begin);
          while (next < stop &&
                 canvas.text_width(style, text.substr(begin, character_after(text, next) - begin)) <= width)
            next = character_after(text, next);
          end = next;
          break;
        }
        end = std::min(next + 1, stop);  // with its space
      }
      rows.push_back({begin, end});
      begin = end;
    } while (begin < stop);
    if (stop == text.size()) return rows;
    begin = stop + 1;
  }
}

bool text_area(Ui& ui, std::string_view id, const Box& box, TextEditor& editor, std::string_view hint) {
  Canvas& canvas = ui.canvas();
  const Theme& theme = canvas.theme();
  const bool typing = ui.focused(id);
  const std::uint64_t revision = editor.revision();
  bool moved = false;
  if (typing) {
    for (const KeyPress& press : ui.input().keys) {
      if (is_undo(press)) continue;
      const AreaLayout layout(canvas, box, editor);
      moved = move_by_rows(layout, editor, press) || editor.type(press, 1, &ui.memory().copied) || moved;
    }
  }
  const AreaLayout layout(canvas, box, editor);
  const bool pressed = ui.input().mouse_pressed;
  if (ui.dragged(id, box) && (!pressed || ui.hovered(box))) {
    editor.go(layout.place_under(ui.input().mouse, editor.top), !pressed);
    moved = moved || !pressed;
  }
  const std::size_t visible = layout.visible(), caret_row = layout.row_of(editor.caret());
  const std::size_t last_top = layout.rows().size() - std::min(layout.rows().size(), visible);
  if (const float notches = ui.wheel(box); notches < 0)
    editor.top += area_wheel_rows;
  else if (notches > 0)
    editor.top -= std::min(editor.top, area_wheel_rows);
  if (moved) editor.top = std::clamp(editor.top, caret_row + 1 - std::min(caret_row + 1, visible), caret_row);
  editor.top = std::min(editor.top, last_top);

  canvas.fill(box, theme.ground, 6);
  canvas.outline(box, typing ? theme.text : theme.line, 6, typing ? 1.5f : theme.hairline);
  canvas.clip(box.inset(2));
  if (editor.text().empty() && !typing)
    canvas.paragraph({box.x + area_pad, box.y + area_pad}, area_style, theme.second, hint, box.width - 2 * area_pad,
                     static_cast<int>(visible));
  const auto [from, to] = editor.selected();
  for (std::size_t row = editor.top; row < std::min(layout.rows().size(), editor.top + visible + 1); ++row) {
    const TextRow& at = layout.rows()[row];
    const float y = layout.y_of(row, editor.top);
    if (typing && from != to && from <= at.end && to > at.begin) {
      const float left = layout.x_of(row, from), right = layout.x_of(row, to) + (to > at.end ? 4 : 0);
      canvas.fill({left, y, right - left, layout.row_height()}, mixed(theme.second, theme.ground, 0.4f), 2);
    }
    canvas.text({box.x + area_pad, y}, area_style, theme.text, layout.text_of(at));
  }
  if (typing) {
    const float x = layout.x_of(caret_row, editor.caret()) + 1, y = layout.y_of(caret_row, editor.top);
    canvas.line({x, y}, {x, y + canvas.line_height(area_style)}, theme.text, 1.5f);
  }
  canvas.unclip();
  if (layout.rows().size() > visible) {
    const float all = static_cast<float>(layout.rows().size());
    const float high = (box.height - 4) * static_cast<float>(visible) / all;
    canvas.fill({box.right() - 5, box.y + 2 + (box.height - 4) * static_cast<float>(editor.top) / all, 3, high},
                theme.second, 1.5f);
  }
  ui.activated(id, box);
  return editor.revision() != revision;
}

}  // namespace warpwalk::draw
