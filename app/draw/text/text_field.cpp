#include "app/draw/text/text_field.h"

#include <algorithm>

#include "app/draw/text/utf8.h"
#include "core/base/text.h"

namespace warpwalk::draw {
namespace {

// Replaces the selection.
void put(TextField& field, std::string_view what) {
  const auto [from, to] = field.selected();
  std::size_t room = field.max_bytes - std::min(field.max_bytes, field.text.size() - (to - from));
  if (what.size() > room) {
    while (room > 0 && inside_character(what[room])) --room;
    what = what.substr(0, room);
  }
  field.text.replace(from, to - from, what);
  field.caret = field.anchor = from + what.size();
}

// Converts the text to one line, up to the length limit.
std::string in_one_line(std::string_view text, std::size_t max_bytes) {
  std::string out;
  for (std::size_t at = 0; at < text.size() && out.size() <= max_bytes; ++at) {
    if (text.substr(at, 2) == "\r\n") continue;
    const auto byte = static_cast<unsigned char>(text[at]);
    out.push_back(byte < ' ' || byte == 0x7f ? ' ' : text[at]);
  }
  return out;
}

}  // namespace

std::pair<std::size_t, std::size_t> TextField::selected() const {
  const std::size_t a = std::min(caret, text.size()), b = std::min(anchor, text.size());
  return {std::min(a, b), std::max(a, b)};
}

bool TextField::type(const draw::KeyPress& press, std::string* copied) {
  caret = std::min(caret, text.size());
  anchor = std::min(anchor, text.size());
  const auto [from, to] = selected();
  const auto go = [&](std::size_t place) {
    caret = place;
    if (!press.shift) anchor = place;
    return true;
  };
  const auto take = [&, from = from, to = to](std::size_t begin, std::size_t end) {
    if (from == to) caret = begin, anchor = end;
    put(*this, {});
    return true;
  };
  const bool leaves = from != to && !press.shift && !press.control;  // leaves the selection at its end
  switch (press.key) {
    case draw::Key::character:
      if (!press.control) {
        std::string character;
        base::append_utf8(character, press.character);
        put(*this, character);
        return true;
      }
      if (press.character == U'a') {
        anchor = 0;
        caret = text.size();
        return true;
      }
      if (press.character == U'v') {
        put(*this, in_one_line(press.pasted, max_bytes));
        return true;
      }
      if (copied == nullptr || (press.character != U'c' && press.character != U'x')) return false;
      if (from != to) *copied = text.substr(from, to - from);
      return press.character == U'c' || from == to || take(from, to);
    case draw::Key::space: put(*this, " "); return true;
    case draw::Key::backspace:
      return take(press.control ? word_before(text, caret) : character_before(text, caret), caret);
    case draw::Key::del: return take(caret, press.control ? word_after(text, caret) : character_after(text, caret));
    case draw::Key::left:
      return go(leaves ? from : press.control ? word_before(text, caret) : character_before(text, caret));
    case draw::Key::right:
      return go(leaves ? to : press.control ? word_after(text, caret) : character_after(text, caret));
    case draw::Key::home: return go(0);
    case draw::Key::end: return go(text.size());
    default: return false;
  }
}

float text_left(const draw::Canvas& canvas, const draw::Box& box, const TextField& field) {
  const float room = box.width - 20;
  const float width = canvas.text_width(draw::Style::label, field.text);
  const std::size_t caret = std::min(field.caret, field.text.size());
  const float at = canvas.text_width(draw::Style::label, std::string_view(field.text).substr(0, caret));
  // The caret is in the middle, unless that would leave an end empty.
  return box.x + 10 + std::min(0.0f, std::max(room - width - 2, room / 2 - at));
}

std::size_t place_at(const draw::Canvas& canvas, const draw::Box& box, const TextField& field, float x) {
  const std::string_view text = field.text;
  const float left = text_left(canvas, box, field);
  const auto x_of = [&](std::size_t place) {
    return left + canvas.text_width(draw::Style::label, text.substr(0, place));
  };
  // Binary search for the last position before the pointer.
  std::size_t low = 0, high = text.size();
  while (low < high) {
    std::size_t middle = low + (high - low + 1) / 2;
    while (middle < text.size() && inside_character(text[middle])) ++middle;
    if (middle <= high && x_of(middle) <= x)
      low = middle;
    else
      high = character_before(text, std::min(middle, high));
  }
  const std::size_t next = character_after(text, low);
  return next > low && x - x_of(low) > x_of(next) - x ? next : low;
}

void point_field(draw::Ui& ui, std::string_view id, const draw::Box& box, TextField& field) {
  const bool pressed = ui.input().mouse_pressed;
  if (!ui.dragged(id, box) || (pressed && !ui.hovered(box))) return;
  field.caret = place_at(ui.canvas(), box, field, ui.input().mouse.x);
  if (pressed) field.anchor = field.caret;
}

void paint_field(draw::Canvas& canvas, const draw::Box& box, const TextField& field, bool typing,
                 std::string_view hint) {
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.ground, 6);
  canvas.outline(box, typing ? theme.text : theme.line, 6, typing ? 1.5f : theme.hairline);
  const draw::Box room = {box.x + 10, box.y, box.width - 20, box.height};
  if (field.text.empty() && !typing) {
    canvas.text_in(room, draw::Style::label, theme.second, hint);
    return;
  }
  const std::string_view text = field.text;
  const float x = text_left(canvas, box, field);
  const float width = canvas.text_width(draw::Style::label, text);
  const auto x_of = [&](std::size_t place) { return x + canvas.text_width(draw::Style::label, text.substr(0, place)); };
  canvas.clip({room.x, room.y, room.width + 2, room.height});
  if (const auto [from, to] = field.selected(); typing && from != to)
    canvas.fill({x_of(from), box.y + 7, x_of(to) - x_of(from), box.height - 14},
                draw::mixed(theme.second, theme.ground, 0.4f), 2);
  canvas.text_in({x, box.y, std::max(width, room.width) + 2, box.height}, draw::Style::label, theme.text, text);
  const float caret = x_of(std::min(field.caret, text.size())) + 1;
  if (typing) canvas.line({caret, box.y + 7}, {caret, box.bottom() - 7}, theme.text, 1.5f);
  canvas.unclip();
}

}  // namespace warpwalk::draw
