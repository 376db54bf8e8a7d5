#include "app/draw/pen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/draw/imgui_compat.h"
#include "app/draw/svg.h"

namespace warpwalk::draw {

ImVec2 Pen::snapped(Point p) const { return {std::round(px(p.x)), std::round(px(p.y))}; }
float Pen::thick(float units) const { return std::max(1.0f, std::round(px(units))); }

void Pen::text(ImVec2 place, float width, int align, ImFont& font, ImU32 colour, std::string_view words) {
  list_.AddText(&font, font_size(font), place, colour, words.data(), words.data() + words.size());
  if (page_ != nullptr)
    page_->text({place.x, place.y + std::round(font_ascent(font))}, width, align, fonts_.typeface(&font), colour,
                words);
}

void Pen::box(ImVec2 low, ImVec2 high, ImU32 colour, const Radii& radii) {
  add_box(list_, low, high, colour, radii);
  if (page_ != nullptr) page_->box(low, high, colour, radii);
}

void Pen::frame(ImVec2 low, ImVec2 high, ImU32 colour, float thickness, const Radii& radii) {
  add_frame(list_, low, high, colour, thickness, radii);
  if (page_ != nullptr) page_->frame(low, high, colour, thickness, radii);
}

void Pen::stroke(std::span<const ImVec2> points, ImU32 colour, float thickness) {
  add_stroke(list_, points, colour, thickness);
  if (page_ != nullptr) page_->stroke(points, colour, thickness);
}

void Pen::dashes(ImVec2 a, ImVec2 b, ImU32 colour, float thickness, float dash) {
  const float half = thickness / 2, period = 2 * dash;
  const float length = std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
  const ImVec2 direction = {(b.x - a.x) / length, (b.y - a.y) / length};
  const bool straight = a.x == b.x || a.y == b.y;
  for (float at = 0; at < length; at += period) {
    const float end = std::min(at + dash, length);
    const ImVec2 p = {a.x + direction.x * at, a.y + direction.y * at},
                 q = {a.x + direction.x * end, a.y + direction.y * end};
    if (straight)
      add_box(list_, {std::min(p.x, q.x), std::min(p.y, q.y)},
              {std::max(p.x, q.x) + (a.x == b.x ? thickness : 0), std::max(p.y, q.y) + (a.y == b.y ? thickness : 0)},
              colour);
    else
      add_stroke(list_, std::array{ImVec2(p.x + half, p.y + half), ImVec2(q.x + half, q.y + half)}, colour, thickness);
  }
  if (page_ != nullptr)
    page_->dashes({a.x + half * (a.y == b.y ? 0 : 1), a.y + half * (a.x == b.x ? 0 : 1)},
                  {b.x + half * (a.y == b.y ? 0 : 1), b.y + half * (a.x == b.x ? 0 : 1)}, colour, thickness, dash);
}

void Pen::hatch(ImVec2 low, ImVec2 high, ImU32 colour, float thickness, float step, bool falling) {
  // Every line passes through pixel corners, so all lines look the same; the ends are outside the box.
  const float height = high.y - low.y;
  const float top = falling ? low.y - 1 : high.y + 1, bottom = falling ? high.y + 1 : low.y - 1;
  std::vector<std::array<ImVec2, 2>> lines;
  for (float x = low.x - height; x < high.x; x += step) {
    lines.push_back({ImVec2(x - 1, top), ImVec2(x + height + 1, bottom)});
    add_stroke(list_, lines.back(), colour, thickness);
  }
  if (page_ != nullptr) page_->hatch(lines, colour, thickness);
}

void Pen::polygon(std::span<const ImVec2> corners, ImU32 colour) {
  add_polygon(list_, corners, colour);
  if (page_ != nullptr) page_->polygon(corners, colour);
}

void Pen::disc(ImVec2 centre, float radius, ImU32 colour) {
  add_disc(list_, centre, radius, colour);
  if (page_ != nullptr) page_->disc(centre, radius, colour);
}

void Pen::clip(ImVec2 low, ImVec2 high) {
  list_.PushClipRect(low, high, true);
  if (page_ != nullptr) page_->clip(low, high);
}

void Pen::unclip() {
  list_.PopClipRect();
  if (page_ != nullptr) page_->unclip();
}

}  // namespace warpwalk::draw
