// The chain of nested ops.
#include <algorithm>
#include <string>

#include "app/scenes/translator/panes.h"

namespace warpwalk::scenes {

using draw::Box;
using draw::Canvas;
using draw::Style;

namespace {

// Draws the text on two lines if it does not fit on one and the row is high enough.
void paint_two_lines(Canvas& canvas, draw::Ui* ui, const Box& box, ImU32 colour, const std::string& text) {
  const float line = 1.2f * canvas.line_height(Style::label);
  if (canvas.text_width(Style::label, text) <= box.width || box.height < 2 * line) {
    paint_cut(canvas, ui, box, Style::label, colour, text);
    return;
  }
  canvas.paragraph({box.x, box.y + (box.height - 2 * line) / 2}, Style::label, colour, text, box.width, 2);
  if (ui != nullptr && ui->hovered(box) && canvas.wrapped(Style::label, text, box.width, 3).size() > 2)
    ui->tooltip(text);
}

}  // namespace

void paint_ops_pane(Canvas& canvas, draw::Ui* ui, const Box& box, const story::OpsPane& pane, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour, float amount) { return draw::mixed(colour, theme.ground, amount); };
  const float head = 30;
  const auto count = static_cast<float>(std::max<std::size_t>(pane.rows.size(), 1));
  const float height = std::clamp((box.height - head) / count, 22.0f, 56.0f);
  // The name column is as wide as the most deeply nested op needs; the other columns share the rest.
  const float step = 18;
  float name_room = 150;
  float input_room = 0;
  for (const auto& row : pane.rows) {
    name_room =
        std::max(name_room, step * static_cast<float>(row.depth) + canvas.text_width(Style::mono_small, row.name) + 40);
    if (!row.inputs.empty()) input_room = std::max(input_room, canvas.text_width(Style::mono_small, row.inputs) + 20);
  }
  name_room = std::min(name_room, box.width * 0.42f);
  const bool any_input = input_room > 0;
  input_room = std::min(std::max(input_room, any_input ? 120.0f : 0), std::max(0.0f, box.width * 0.76f - name_room));
  const float inputs = box.x + name_room + 16;
  const float meaning = inputs + input_room + 16;
  const float meaning_room = box.right() - meaning - 8;
  const ImU32 second = faded(theme.second, shown);
  canvas.text({box.x, box.y + 4}, Style::small_caps, second, pane.head_op, name_room);
  if (any_input) canvas.text({inputs, box.y + 4}, Style::small_caps, second, pane.head_inputs, input_room - 12);
  canvas.text({meaning, box.y + 4}, Style::small_caps, second, pane.head_meaning, meaning_room);
  canvas.line({box.x, box.y + head - 4}, {box.right(), box.y + head - 4}, faded(theme.line, shown), theme.hairline);

  float y = box.y + head;
  float before_x = 0, before_y = 0;
  for (std::size_t r = 0; r < pane.rows.size(); ++r) {
    const auto& row = pane.rows[r];
    const float amount = shown * static_cast<float>(row.shown);
    const float x = box.x + step * static_cast<float>(row.depth);
    const float middle = y + height / 2;
    if (amount > 0) {
      const ImU32 own = row.role == 'g' ? theme.done : row.role == 'l' ? theme.launch : theme.host;
      if (r > 0) {
        canvas.line({before_x, before_y}, {before_x, middle}, faded(theme.line, amount), 1.5f);
        canvas.line({before_x, middle}, {x + 8, middle}, faded(theme.line, amount), 1.5f);
      }
      canvas.dot({x + 12, middle}, 5, faded(own, amount));
      const Box name = {x + 26, y, box.x + name_room - x - 26, height};
      paint_cut(canvas, ui, name, Style::mono_small, faded(theme.text, amount), row.name);
      if (!row.inputs.empty())
        paint_cut(canvas, ui, {inputs, y, input_room - 12, height}, Style::mono_small, faded(theme.second, amount),
                  row.inputs);
      paint_two_lines(canvas, ui, {meaning, y, meaning_room, height}, faded(theme.text, amount), row.meaning);
      if (row.shown < 1)
        canvas.outline({x, y + 3, name_room - (x - box.x), height - 6}, faded(theme.now, amount), 6, 2);
      if (ui != nullptr)
        ui->point({box.x, y, box.width, height}, std::string(row.name).append(" ").append(row.meaning));
    }
    before_x = x + 12;
    before_y = middle + 6;
    y += height;
  }
}

}  // namespace warpwalk::scenes
