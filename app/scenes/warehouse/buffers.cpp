// The buffers passed to a kernel: their sizes to scale, and their initial contents.
#include <algorithm>

#include "app/scenes/warehouse/panes.h"

namespace warpwalk::scenes {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

void paint_buffers(Canvas& canvas, draw::Ui* ui, const Box& box, const story::WarehousePicture& picture) {
  const draw::Theme& theme = canvas.theme();
  constexpr float head = 26, name_room = 128, bytes_room = 92, before_room = 236, gap = 16;
  const Box bars = {box.x + name_room, box.y + head, box.width - name_room - bytes_room - before_room - gap,
                    box.height - head};
  canvas.text({box.x, box.y}, Style::small_caps, theme.second, picture.head_buffers);
  canvas.text({box.right() - before_room, box.y}, Style::small_caps, theme.second, picture.head_before, before_room);
  canvas.line({box.x, box.y + 20}, {box.right(), box.y + 20}, theme.line, theme.hairline);
  std::uint64_t largest = 1;
  for (const story::WarehouseBuffer& buffer : picture.buffers) largest = std::max(largest, buffer.size);
  const float height = std::clamp(bars.height / static_cast<float>(picture.buffers.size()), 24.0f, 54.0f);
  float y = bars.y + 4;
  for (const story::WarehouseBuffer& buffer : picture.buffers) {
    const Box row = {box.x, y, box.width, height};
    y += height;
    if (row.bottom() > box.bottom() + 4) return;
    const auto shown = static_cast<float>(buffer.shown);
    if (shown <= 0) continue;
    const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
    const bool two = height >= 42;
    canvas.text_in({row.x, row.y, name_room - gap, two ? height / 2 + 2 : height}, Style::mono, faded(theme.text),
                   buffer.name);
    if (two)
      canvas.text_in({row.x, row.y + height / 2 - 2, name_room - gap, height / 2}, Style::label, faded(theme.second),
                     buffer.elements);
    const float part = static_cast<float>(static_cast<double>(buffer.size) / static_cast<double>(largest));
    const float thick = std::min(22.0f, height - 8);
    canvas.fill({bars.x, row.y + (height - thick) / 2, std::max(3.0f, bars.width * part * shown), thick},
                faded(theme.memory), 4);
    canvas.text_in({bars.right(), row.y, bytes_room, height}, Style::mono, faded(theme.text), buffer.bytes.text(),
                   Align::right);
    canvas.text_in({box.right() - before_room, row.y, before_room, height}, Style::label, faded(theme.second),
                   buffer.before);
    if (ui == nullptr || !ui->hovered(row)) continue;
    const std::string words = buffer.name + ": " + buffer.elements + ", " + buffer.bytes.text() + "; " + buffer.before;
    ui->point(row, words);
    ui->tooltip(words);
  }
}

}  // namespace warpwalk::scenes
