// Memory over time, its parts, and the address ranges. Beside them, the request, a tensor or a block.
#include <algorithm>

#include "app/scenes/warehouse/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Box;

constexpr float column_gap = 28;
constexpr float account_gap = 14;
constexpr float account_height = 86;
constexpr float least_history = 108;

}  // namespace

float least_warehouse_height(const story::WarehousePicture& picture) {
  return picture.points.empty() ? 0 : least_history + account_gap + account_height;
}

pictures::Touch paint_warehouse(draw::Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage&,
                                const story::WarehousePicture& picture) {
  if (!picture.buffers.empty()) {
    paint_buffers(canvas, ui, box, picture);
    return {};
  }
  const draw::Theme& theme = canvas.theme();
  const bool column = picture.column.kind != story::WarehouseColumn::Kind::none;
  const float column_width =
      column ? std::clamp(box.width * (picture.points.empty() ? 0.46f : 0.32f), 220.0f, 460.0f) : 0;
  const Box left = {box.x, box.y, box.width - (column ? column_width + column_gap : 0), box.height};
  pictures::Touch touch;
  if (picture.points.empty()) {
    float y = left.y;
    y += canvas.paragraph({left.x, y}, draw::Style::body, theme.second, picture.no_history,
                          std::min(left.width, 560.0f), 3);
    if (picture.capacity && picture.capacity_shown > 0) {
      paint_memory_account(canvas, ui, {left.x, y + account_gap, left.width, account_height}, picture);
      y += 44;
    }
    canvas.paragraph({left.x, y + account_gap}, draw::Style::body, theme.second, picture.rules,
                     std::min(left.width, 560.0f), 10);
  } else {
    const float rest = box.height - account_height - 2 * account_gap - memory_strips_height(picture);
    const float least = std::clamp(box.height * 0.31f, least_history, 200.0f);
    const float history = std::clamp(rest, least, std::max(least, box.height * 0.46f));
    touch.add(paint_memory_history(canvas, ui, {left.x, left.y, left.width, history}, picture));
    float y = left.y + history + account_gap;
    paint_memory_account(canvas, ui, {left.x, y, left.width, account_height}, picture);
    y += account_height + account_gap;
    touch.add(paint_memory_strips(canvas, ui, {left.x, y, left.width, box.bottom() - y}, picture));
  }
  if (!column) return touch;
  const Box right = {box.right() - column_width, box.y, column_width, box.height};
  canvas.line({right.x - column_gap / 2, box.y}, {right.x - column_gap / 2, box.bottom()}, theme.line, theme.hairline);
  touch.add(paint_memory_column(canvas, ui, right, picture));
  return touch;
}

}  // namespace warpwalk::scenes
