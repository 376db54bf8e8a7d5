#include <algorithm>

#include "app/pictures/axis.h"
#include "app/scenes/warehouse/panes.h"

namespace warpwalk::scenes {
namespace {

using analysis::MemoryPoint;
using draw::Box;
using draw::Canvas;
using draw::Point;
using draw::Style;
using story::WarehousePicture;
using trace::absent;

constexpr float history_head = 24;
constexpr float time_axis_room = 28;
constexpr float capacity_room = 24;  // above the scale: the capacity's line and words, and the break

// Draws a legend entry from right to left. Returns the right end for the next entry.
float paint_key(Canvas& canvas, float right, float y, std::string_view words, ImU32 fill, ImU32 edge) {
  const draw::Theme& theme = canvas.theme();
  const float width = canvas.text({right, y}, Style::label, theme.text, words, 320, draw::Align::right);
  const Box swatch = {right - width - 20, y + 3, 12, 12};
  canvas.fill(swatch, fill, 2);
  canvas.line({swatch.x, swatch.y}, {swatch.right(), swatch.y}, edge, 2);
  return swatch.x - 20;
}

struct Levels {
  ImU32 allocated, allocated_edge, reserved, reserved_edge;
};
Levels levels_of(const draw::Theme& theme) {
  return {draw::mixed(theme.memory, theme.ground, 0.42f), theme.memory, draw::mixed(theme.memory, theme.ground, 0.13f),
          draw::mixed(theme.memory, theme.ground, 0.6f)};
}

// Draws the capacity above the scale: a line with a label, and a break between it and the scale.
void paint_capacity(Canvas& canvas, const Box& plot, float scale_top, float y, const WarehousePicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(picture.capacity_shown);
  if (shown <= 0) return;
  const ImU32 colour = draw::mixed(theme.text, theme.ground, shown);
  canvas.dashed({plot.x, y}, {plot.x + plot.width * shown, y}, colour, 1.5f);
  std::string words = picture.label_capacity;
  if (!picture.label_scale.empty()) words += " · " + picture.label_scale;
  const float limit = plot.width - 48;
  const float width = std::min(canvas.text_width(Style::label, words), limit);
  canvas.fill({plot.right() - width - 4, y + 4, width + 4, 17}, theme.ground);
  canvas.text({plot.right(), y + 4}, Style::label, draw::mixed(theme.second, theme.ground, shown), words, limit,
              draw::Align::right);
  if (!picture.capacity_above) return;
  const float middle = (y + scale_top) / 2;
  for (const float up : {-3.0f, 3.0f})
    canvas.line({plot.x, middle + up + 3}, {plot.x + 14, middle + up - 3}, colour, 1.5f);
}

}  // namespace

pictures::Touch paint_memory_history(Canvas& canvas, draw::Ui* ui, const Box& box, const WarehousePicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const Levels levels = levels_of(theme);
  float key = box.right();
  if (!picture.label_reserved.empty())
    key = paint_key(canvas, key, box.y, picture.label_reserved, levels.reserved, levels.reserved_edge);
  if (!picture.label_allocated.empty())
    key = paint_key(canvas, key, box.y, picture.label_allocated, levels.allocated, levels.allocated_edge);
  // The keys say what is drawn, too: the heading is left out where it would be cut.
  if (canvas.text_width(Style::small_caps, picture.head_time) <= key - box.x - 8)
    canvas.text({box.x, box.y + 2}, Style::small_caps, theme.second, picture.head_time);

  const Box plot = {box.x, box.y + history_head, box.width, box.height - history_head - time_axis_room};
  const pictures::Axis axis = {picture.from, picture.to, plot.x, plot.right()};
  pictures::paint_axis(canvas, axis, plot.bottom(), plot.height);
  const float scale_top = plot.y + (picture.capacity && picture.capacity_above ? capacity_room : 0);
  const auto y_of = [&](double bytes) {
    return plot.bottom() - static_cast<float>(std::clamp(bytes / picture.top, 0.0, 1.0)) * (plot.bottom() - scale_top);
  };
  // Draw steps: a total stays constant until the next change.
  float last_allocated = plot.bottom(), last_reserved = plot.bottom();
  for (std::size_t i = 0; i < picture.points.size(); ++i) {
    const MemoryPoint& point = picture.points[i];
    const float left = axis.x(static_cast<double>(point.time));
    const float right =
        i + 1 < picture.points.size() ? axis.x(static_cast<double>(picture.points[i + 1].time)) : plot.right();
    if (point.reserved != absent) {
      const float y = y_of(static_cast<double>(point.reserved));
      canvas.fill({left, y, right - left, plot.bottom() - y}, levels.reserved);
      canvas.line({left, y}, {right, y}, levels.reserved_edge, 1.5f);
      if (i > 0)
        canvas.line({left, std::min(y, last_reserved)}, {left, std::max(y, last_reserved)}, levels.reserved_edge, 1.5f);
      last_reserved = y;
    }
    if (point.allocated == absent) continue;
    const float y = y_of(static_cast<double>(point.allocated));
    const float high = y_of(static_cast<double>(point.allocated_high));
    const float low = y_of(static_cast<double>(point.allocated_low));
    canvas.fill({left, y, right - left, plot.bottom() - y}, levels.allocated);
    canvas.line({left, y}, {right, y}, levels.allocated_edge, 1.5f);
    const float from = i > 0 ? last_allocated : y;
    canvas.line({left, std::min({high, from, y})}, {left, std::max({low, std::min(from, plot.bottom()), y})},
                levels.allocated_edge, 1.5f);
    last_allocated = y;
  }
  if (picture.capacity)
    paint_capacity(canvas, plot, scale_top, picture.capacity_above ? plot.y + 1 : y_of(*picture.capacity), picture);

  const float x = axis.x(picture.now);
  canvas.line({x, scale_top}, {x, plot.bottom()}, theme.now, 2);
  // The moment, beside its line.
  const float now = canvas.text_width(Style::label, picture.label_now) + 8;
  const Box place = {x + 4 + now <= plot.right() ? x + 4 : x - 4 - now, plot.bottom() - 22, now, 18};
  canvas.fill(place, theme.ground, 3);
  canvas.text_in({place.x + 4, place.y, now, place.height}, Style::label, theme.now, picture.label_now);
  if (picture.level_allocated >= 0) canvas.dot({x, y_of(picture.level_allocated)}, 4, theme.now);

  pictures::Touch touch;
  if (ui == nullptr) return touch;
  ui->point(plot, picture.head_time);
  if (ui->dragged("warehouse.history", plot)) {
    const double share = std::clamp((ui->input().mouse.x - plot.x) / plot.width, 0.0f, 1.0f);
    touch.set.emplace_back("warehouse.time", picture.from + share * (picture.to - picture.from));
  }
  return touch;
}

}  // namespace warpwalk::scenes
