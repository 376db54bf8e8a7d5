#include <algorithm>

#include <fmt/format.h>

#include "app/pictures/text.h"
#include "app/scenes/warehouse/panes.h"

namespace warpwalk::scenes {

using draw::Box;
using draw::Canvas;
using draw::Style;
using story::WarehousePart;
using story::WarehousePicture;

void paint_memory_part(Canvas& canvas, const Box& box, WarehousePart::Kind kind) {
  const draw::Theme& theme = canvas.theme();
  switch (kind) {
    case WarehousePart::Kind::seen: canvas.fill(box, theme.memory); break;
    case WarehousePart::Kind::before: canvas.fill(box, draw::mixed(theme.memory, theme.ground, 0.42f)); break;
    case WarehousePart::Kind::cached:
      canvas.fill(box, draw::mixed(theme.memory, theme.ground, 0.1f));
      canvas.hatch(box, draw::mixed(theme.memory, theme.ground, 0.5f));
      break;
  }
}

void paint_memory_account(Canvas& canvas, draw::Ui* ui, const Box& box, const WarehousePicture& picture) {
  const draw::Theme& theme = canvas.theme();
  constexpr float capacity_height = 8, bar_height = 22;
  double total = 0;
  for (const WarehousePart& part : picture.parts) total += part.figure.value();
  const auto shown = static_cast<float>(picture.capacity_shown);
  float y = box.y;
  canvas.text({box.x, y}, Style::small_caps, theme.second, picture.head_account);
  y += 20;
  const float bar_y = box.y + 42;
  if (picture.capacity && shown > 0) {
    // Draw the device's whole capacity; the bar below is an enlarged part of it.
    const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
    canvas.fill({box.x, y, box.width, capacity_height}, faded(theme.line), 2);
    if (total > 0) {
      const float width = std::max(2.0f, static_cast<float>(total / *picture.capacity) * box.width);
      canvas.fill({box.x, y, width, capacity_height}, faded(theme.memory));
      canvas.line({box.x + width, y + capacity_height}, {box.x + width + (box.width - width) * shown, bar_y},
                  faded(theme.faint), theme.hairline);
      canvas.line({box.x, y + capacity_height}, {box.x, bar_y}, faded(theme.faint), theme.hairline);
    }
    const std::string words = picture.label_share.empty()
                                  ? picture.label_capacity
                                  : fmt::format("{} · {}", picture.label_capacity, picture.label_share);
    canvas.text({box.right(), box.y - 2}, Style::label, faded(theme.second), words,
                box.width - canvas.text_width(Style::small_caps, picture.head_account) - 24, draw::Align::right);
  }
  if (total <= 0) return;
  float x = box.x;
  float taken = box.x;  // right end of the labels below the bar
  for (const WarehousePart& part : picture.parts) {
    const float width = static_cast<float>(part.figure.value() / total) * box.width;
    const Box place = {x, bar_y, std::max(width - 1, 2.0f), bar_height};
    paint_memory_part(canvas, place, part.kind);
    const std::string words = fmt::format("{} {}", part.label, part.figure.text());
    const float text = canvas.text_width(Style::label, words);
    // Put the label below its own part, shifted to avoid the previous label and the box's edge. Skip it if it ends up
    // beside the part.
    const float at = std::clamp(x, taken, std::max(taken, box.right() - text));
    if (at + text <= box.right() && at <= x + width) {
      canvas.text({at, bar_y + bar_height + 4}, Style::label, theme.second, words);
      taken = at + text + 20;
    }
    if (ui != nullptr && ui->hovered(place)) {
      ui->point(place, part.label);
      ui->tooltip(pictures::figure_tip(*ui, part.label, part.figure));
    }
    x += width;
  }
}

}  // namespace warpwalk::scenes
