#include "app/panels/learner_bar.h"

#include <fmt/format.h>

namespace warpwalk::panels {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float bar_pad = 24, button_pad = 12, button_high = 32, button_between = 8, key_gap = 7;

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
  constexpr float rounding_error = 2;
  const float room = at.width - 2 * button_pad + rounding_error;
  const float word = canvas.text_in({at.x + button_pad, at.y, room, at.height}, Style::label,
                                    main ? theme.panel : theme.text, button.word);
  if (with_key && !button.key.empty())
    canvas.text_in({at.x + button_pad + word + key_gap, at.y, room - word, at.height}, Style::mono_small, theme.second,
                   button.key);
  return ui.activated(fmt::format("learner.{}", button.id), at);
}

struct PlacedTools {
  float place = 0;  // x of the place, behind back and next
  float hint = 0;   // x of the hint, behind the place
  float x = 0;      // of the first tool
  std::size_t shown = 0;
  bool with_keys = false;
};

PlacedTools placed_tools(const Canvas& canvas, const Box& box, const LearnerBar& bar) {
  PlacedTools placed;
  placed.place = box.x + bar_pad;
  for (const BarButton* const button : {&bar.back, &bar.next})
    placed.place += button_width(canvas, *button, false) + button_between;
  placed.place += button_between;
  placed.hint = placed.place + canvas.text_width(Style::label, bar.place) + 16;
  const float room = box.right() - bar_pad - placed.hint;
  placed.shown = bar.tools.size();
  const auto width_of = [&](bool with_keys) {
    float width = 0;
    for (std::size_t i = 0; i < placed.shown; ++i)
      width += button_width(canvas, bar.tools[i], with_keys) + (i > 0 ? button_between : 0);
    return width;
  };
  placed.with_keys = width_of(true) <= room;
  while (placed.shown > 0 && width_of(placed.with_keys) > room) --placed.shown;
  placed.x = box.right() - bar_pad - width_of(placed.with_keys);
  return placed;
}

// Of the hint.
float hint_width(const PlacedTools& placed) { return placed.x - placed.hint - 16; }

}  // namespace

bool has_room_for_hint(const Canvas& canvas, const Box& box, const LearnerBar& bar) {
  return canvas.text_width(Style::label, bar.hint) <= hint_width(placed_tools(canvas, box, bar));
}

std::optional<std::string_view> learner_bar(draw::Ui& ui, const Box& box, const LearnerBar& bar) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel);
  canvas.line({box.x, box.y}, {box.right(), box.y}, theme.line, theme.hairline);
  std::optional<std::string_view> pressed;
  const PlacedTools placed = placed_tools(canvas, box, bar);
  const float y = box.y + (box.height - button_high) / 2;
  float x = box.x + bar_pad;
  for (const BarButton* const button : {&bar.back, &bar.next}) {
    const float width = button_width(canvas, *button, false);
    if (paint_button(ui, {x, y, width, button_high}, *button, false, button == &bar.next)) pressed = button->id;
    x += width + button_between;
  }
  canvas.text_in({placed.place, box.y, box.right() - bar_pad - placed.place, box.height}, Style::label, theme.second,
                 bar.place);
  x = placed.x;
  for (std::size_t i = 0; i < placed.shown; ++i) {
    const float width = button_width(canvas, bar.tools[i], placed.with_keys);
    if (paint_button(ui, {x, y, width, button_high}, bar.tools[i], placed.with_keys, false)) pressed = bar.tools[i].id;
    x += width + button_between;
  }
  canvas.text_in({placed.hint, box.y, hint_width(placed), box.height}, Style::label, theme.second, bar.hint);
  return pressed;
}

}  // namespace warpwalk::panels
