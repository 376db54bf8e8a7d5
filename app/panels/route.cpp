#include "app/panels/route.h"

#include <algorithm>
#include <string>

namespace warpwalk::panels {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

int route(Canvas& canvas, draw::Ui* ui, const Box& box, const std::vector<story::Stop>& stops) {
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel);
  canvas.line({box.x, box.bottom() - 1}, {box.right(), box.bottom() - 1}, theme.line, theme.hairline);
  constexpr float margin = 32, pad = 12, arrow = 22, height = 30;
  // Stops without a value in this trace are plain names. If there is not enough room, the last of these are left out
  // first, then long values are cut.
  const auto width_of = [&](const story::Stop& stop, float limit) {
    return stop.value.empty() ? canvas.text_width(Style::label, stop.name)
                              : std::min(canvas.text_width(Style::mono_small, stop.value), limit) + 2 * pad;
  };
  std::vector<const story::Stop*> shown;
  for (const story::Stop& stop : stops) shown.push_back(&stop);
  float limit = 400;
  const auto total = [&] {
    float sum = 0;
    for (const story::Stop* stop : shown) sum += width_of(*stop, limit) + arrow;
    return sum - arrow;
  };
  const float room = box.width - 2 * margin;
  while (total() > room && limit > 120) limit -= 10;
  for (std::size_t i = shown.size(); i-- > 0 && total() > room;)
    if (shown[i]->value.empty()) shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(i));
  while (total() > room && limit > 40) limit -= 10;

  int chosen = -1;
  float x = box.x + margin;
  const float y = box.y + (box.height - height) / 2;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const story::Stop& stop = *shown[i];
    const float width = width_of(stop, limit);
    if (stop.value.empty()) {
      canvas.text_in({x, y, width + 1, height}, Style::label, theme.faint, stop.name);
      const Box word = {x, y, width, height};
      if (stop.here) canvas.line({x, y + height - 3}, {x + width, y + height - 3}, theme.now, 1.5f);
      if (ui != nullptr) {
        ui->point(word, stop.name);
        if (ui->activated("route." + stop.key, word)) chosen = static_cast<int>(&stop - stops.data());
      }
    } else {
      const Box pill = {x, y, width, height};
      canvas.fill(pill, stop.here ? draw::mixed(theme.now, theme.panel, 0.14f) : theme.ground, height / 2);
      canvas.outline(pill, stop.here ? theme.now : theme.line, height / 2, stop.here ? 1.5f : theme.hairline);
      canvas.text_in({x + pad, y, width - 2 * pad + 1, height}, Style::mono_small,
                     stop.here ? theme.text : theme.second, stop.value);
      if (ui != nullptr) {
        ui->point(pill, stop.name);
        if (ui->hovered(pill)) ui->tooltip(std::string(stop.name).append(": ").append(stop.value));
        if (ui->activated("route." + stop.key, pill)) chosen = static_cast<int>(&stop - stops.data());
      }
    }
    x += width;
    if (i + 1 < shown.size()) canvas.text_in({x, y, arrow, height}, Style::label, theme.faint, "›", Align::centre);
    x += arrow;
  }
  return chosen;
}

}  // namespace warpwalk::panels
