#include "app/panels/note.h"

#include <algorithm>

namespace warpwalk::panels {

using draw::Box;
using draw::Style;

void paint_note(draw::Canvas& canvas, const Box& over, const Note& note, NoteEdge edge) {
  if (note.text.empty() || note.kind == Note::Kind::hint) return;
  const draw::Theme& theme = canvas.theme();
  constexpr float pad = 16, sign = 32, widest = 720, below = 16;
  constexpr int max_lines = 4;
  const float room = std::min(widest, over.width - 2 * below) - 2 * pad - sign;
  const std::vector<std::string> lines = canvas.wrapped(Style::label, note.text, room, max_lines);
  const float step = 1.2f * canvas.line_height(Style::label);
  float width = 0;
  for (const std::string& line : lines) width = std::max(width, canvas.text_width(Style::label, line));
  const float height = step * static_cast<float>(lines.size()) + 2 * 12;
  const Box box = {over.x + (over.width - width - 2 * pad - sign) / 2,
                   edge == NoteEdge::top ? over.y + below / 2 : over.bottom() - height - below, width + 2 * pad + sign,
                   height};
  const bool error = note.kind == Note::Kind::error;
  const ImU32 colour = error ? theme.launch : theme.done;
  canvas.fill(box, theme.panel, 6);
  canvas.outline(box, colour, 6, 1.5f);
  const draw::Point centre = {box.x + pad + 10, box.y + 12 + step / 2};
  canvas.dot(centre, 10, colour);
  if (error) {
    canvas.fill({centre.x - 1, centre.y - 6, 2, 7}, theme.panel);
    canvas.fill({centre.x - 1, centre.y + 3, 2, 2}, theme.panel);
  } else {
    canvas.line({centre.x - 4, centre.y}, {centre.x - 1, centre.y + 4}, theme.panel, 2);
    canvas.line({centre.x - 1, centre.y + 4}, {centre.x + 5, centre.y - 4}, theme.panel, 2);
  }
  float y = box.y + 12 + (step - canvas.line_height(Style::label)) / 2;
  for (const std::string& line : lines) {
    canvas.text({box.x + pad + sign, y}, Style::label, theme.text, line);
    y += step;
  }
}

}  // namespace warpwalk::panels
