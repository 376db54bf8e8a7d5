#include "app/panels/key_bar.h"

#include <fmt/format.h>

namespace warpwalk::panels {

std::optional<std::size_t> key_bar(draw::Ui& ui, const draw::Box& box, const std::vector<KeyHint>& hints) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  constexpr float pad = 10, between = 8, gap = 6, height = 28;
  std::optional<std::size_t> pressed;
  float x = box.x;
  for (std::size_t i = 0; i < hints.size(); ++i) {
    const float key_width = canvas.text_width(draw::Style::mono_small, hints[i].key);
    const float width = 2 * pad + key_width + gap + canvas.text_width(draw::Style::label, hints[i].what);
    if (x + width > box.right()) break;
    const draw::Box place = {x, box.y + (box.height - height) / 2, width, height};
    const bool over = ui.hovered(place);
    canvas.fill(place, over ? draw::mixed(theme.second, theme.panel, 0.16f) : theme.panel, 6);
    canvas.outline(place, over ? theme.second : theme.line, 6, theme.hairline);
    canvas.text_in({x + pad, place.y, key_width + gap, height}, draw::Style::mono_small, theme.text, hints[i].key);
    canvas.text_in({x + pad + key_width + gap, place.y, width, height}, draw::Style::label, theme.second,
                   hints[i].what);
    if (ui.activated(fmt::format("key_bar.{}", i), place)) pressed = i;
    x += width + between;
  }
  return pressed;
}

}  // namespace warpwalk::panels
