#include "app/panels/learner_bar.h"

#include <fmt/format.h>

namespace warpwalk::panels {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float bar_pad = 24, button_pad = 12, button_high = 32, button_between = 8, key_gap = 7;
constexpr float least_hint = 120;

float button_width(const Canvas& canvas, const BarButton& button, bool with_key) {
  const float key = with_key && !button.key.empty() ? key_gap + canvas.text_width(Style::mono_small, button.key) : 0;
  return 2 * button_pad + canvas.text_width(Style::label, button.word) + key;
}

// Whether the button was pressed. `main`: it leads on, as most people want.
bool paint_button(draw::Ui& ui, const Box& at, const BarButton& button, bool with_key, bool main) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const bool over = ui.hovered(at);
  if (main)
    canvas.fill(at, draw::mixed(theme.text, theme.panel, over ? 1.0f : 0.85f), 6);
  else if (over)
    canvas.fill(at, draw::mixed(theme.second, theme.panel, 0.16f), 6);
  if (!main) canvas.outline(at, over ? theme.second : theme.line, 6, theme.hairline);
  const float room = at.width - 2 * button_pad;
  const float word = canvas.text_in({at.x + button_pad, at.y, room, at.height}, Style::label,
                                    main ? theme.panel : theme.text, button.word);
  if (with_key && !button.key.empty())
    canvas.text_in({at.x + button_pad + word + key_gap, at.y, room - word, at.height}, Style::mono_small, theme.second,
                   button.key);
  return ui.activated(fmt::format("learner.{}", button.id), at);
}

}  // namespace

std::optional<std::string_view> learner_bar(draw::Ui& ui, const Box& box, const LearnerBar& bar) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel);
  canvas.line({box.x, box.y}, {box.right(), box.y}, theme.line, theme.hairline);
  std::optional<std::string_view> pressed;
  const float y = box.y + (box.height - button_high) / 2;
  float x = box.x + bar_pad;
  for (const BarButton* const button : {&bar.back, &bar.next}) {
    const float width = button_width(canvas, *button, false);
    if (paint_button(ui, {x, y, width, button_high}, *button, false, button == &bar.next)) pressed = button->id;
    x += width + button_between;
  }
  x += button_between +
       canvas.text_in({x + button_between, box.y, 260, box.height}, Style::label, theme.second, bar.place) + 16;

  const float room = box.right() - bar_pad - x;
  std::size_t shown = bar.tools.size();
  const auto width_of = [&](bool with_keys) {
    float width = 0;
    for (std::size_t i = 0; i < shown; ++i)
      width += button_width(canvas, bar.tools[i], with_keys) + (i > 0 ? button_between : 0);
    return width;
  };
  const bool with_keys = width_of(true) <= room;
  while (shown > 0 && width_of(with_keys) > room) --shown;
  const float tools = box.right() - bar_pad - width_of(with_keys);
  float at = tools;
  for (std::size_t i = 0; i < shown; ++i) {
    const float width = button_width(canvas, bar.tools[i], with_keys);
    if (paint_button(ui, {at, y, width, button_high}, bar.tools[i], with_keys, false)) pressed = bar.tools[i].id;
    at += width + button_between;
  }
  if (tools - x > least_hint)
    canvas.text_in({x, box.y, tools - x - 16, box.height}, Style::label, theme.second, bar.hint);
  return pressed;
}

}  // namespace warpwalk::panels
