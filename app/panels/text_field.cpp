#include "app/panels/text_field.h"

#include <algorithm>

namespace warpwalk::panels {
namespace {

void append_utf8(std::string& text, char32_t c) {
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  } else if (c < 0x110000) {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

bool inside_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

bool TextField::type(const draw::KeyPress& press) {
  switch (press.key) {
    case draw::Key::character:
      if (press.control) return false;
      append_utf8(text, press.character);
      return true;
    case draw::Key::space: text.push_back(' '); return true;
    case draw::Key::backspace:
      while (!text.empty() && inside_character(text.back())) text.pop_back();
      if (!text.empty()) text.pop_back();
      return true;
    default: return false;
  }
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
  // The end is where one types: what does not fit goes out at the left.
  const float width = canvas.text_width(draw::Style::label, field.text);
  const float x = room.x + std::min(0.0f, room.width - width - 2);
  canvas.clip(room);
  canvas.text_in({x, box.y, std::max(width, room.width) + 2, box.height}, draw::Style::label, theme.text, field.text);
  if (typing) canvas.line({x + width + 1, box.y + 7}, {x + width + 1, box.bottom() - 7}, theme.text, 1.5f);
  canvas.unclip();
}

}  // namespace warpwalk::panels
