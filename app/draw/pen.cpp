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

Pen Pen::inset(ImVec2 corner, float zoom) const {
  Pen copy = *this;
  copy.corner_ = at(corner);
  copy.zoom_ = zoom_ * zoom;
  return copy;
}

float Pen::length(float pixels, float least) const {
  return zoom_ == 1 ? pixels : std::max(least, std::round(zoom_ * pixels));
}

Pen::Ends Pen::ends(ImVec2 low, ImVec2 high) const {
  if (zoom_ == 1) return {at(low), at(high)};
  const ImVec2 from = at(low), to = at(high);
  const ImVec2 corner = {std::round(from.x), std::round(from.y)};
  return {corner, {std::max(corner.x + 1, std::round(to.x)), std::max(corner.y + 1, std::round(to.y))}};
}

std::vector<ImVec2> Pen::moved(std::span<const ImVec2> points) const {
  std::vector<ImVec2> there;
  there.reserve(points.size());
  for (const ImVec2 point : points) there.push_back(at(point));
  return there;
}

void Pen::text(ImVec2 place, float width, int align, ImFont& font, ImU32 colour, std::string_view words) {
  if (fonts_.glyphs != nullptr) fonts_.glyphs->note(words, fonts_.style_of(&font), font);
  const ImVec2 there = at(place);
  list_.AddText(&font, zoom_ * font_size(font), there, colour, words.data(), words.data() + words.size());
  if (page_ == nullptr) return;
  Typeface face = fonts_.typeface(&font);
  face.em *= zoom_;
  face.tracking *= zoom_;
  page_->text({there.x, there.y + std::round(zoom_ * font_ascent(font))}, zoom_ * width, align, face, colour, words);
}

void Pen::box(ImVec2 low, ImVec2 high, ImU32 colour, const Radii& radii) {
  const Ends box = ends(low, high);
  const Radii there = {zoom_ * radii[0], zoom_ * radii[1], zoom_ * radii[2], zoom_ * radii[3]};
  add_box(list_, box.low, box.high, colour, there);
  if (page_ != nullptr) page_->box(box.low, box.high, colour, there);
}

void Pen::frame(ImVec2 low, ImVec2 high, ImU32 colour, float thickness, const Radii& radii) {
  const Ends box = ends(low, high);
  const float thick = length(thickness, 1);
  if (zoom_ != 1 && std::min(box.high.x - box.low.x, box.high.y - box.low.y) <= 2 * thick)
    return this->box(low, high, colour);  // nothing is left inside the frame
  const Radii there = {zoom_ * radii[0], zoom_ * radii[1], zoom_ * radii[2], zoom_ * radii[3]};
  add_frame(list_, box.low, box.high, colour, thick, there);
  if (page_ != nullptr) page_->frame(box.low, box.high, colour, thick, there);
}

void Pen::stroke(std::span<const ImVec2> points, ImU32 colour, float thickness) {
  const std::vector<ImVec2> there = moved(points);
  const float thick = length(thickness, 1);
  add_stroke(list_, there, colour, thick);
  if (page_ != nullptr) page_->stroke(there, colour, thick);
}

void Pen::dashes(ImVec2 from, ImVec2 to, ImU32 colour, float thick, float long_dash) {
  const float thickness = length(thick, 1), dash = length(long_dash, 1), half = thickness / 2, period = 2 * dash;
  const Ends line = {at(from), at(to)};
  const auto whole = [&](ImVec2 p) { return zoom_ == 1 ? p : ImVec2(std::round(p.x), std::round(p.y)); };
  const ImVec2 a = whole(line.low), b = whole(line.high);
  const float length = std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
  if (!(length > 0)) return;
  const ImVec2 direction = {(b.x - a.x) / length, (b.y - a.y) / length};
  const bool straight = a.x == b.x || a.y == b.y;
  for (float way = 0; way < length; way += period) {
    const float end = std::min(way + dash, length);
    const ImVec2 p = {a.x + direction.x * way, a.y + direction.y * way},
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

void Pen::hatch(ImVec2 from, ImVec2 to, ImU32 colour, float thick, float between, bool falling) {
  const auto [low, high] = ends(from, to);
  const float thickness = length(thick, 1), step = length(between, 2);
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
  const std::vector<ImVec2> there = moved(corners);
  add_polygon(list_, there, colour);
  if (page_ != nullptr) page_->polygon(there, colour);
}

void Pen::disc(ImVec2 centre, float radius, ImU32 colour) {
  const ImVec2 there = at(centre);
  add_disc(list_, there, zoom_ * radius, colour);
  if (page_ != nullptr) page_->disc(there, zoom_ * radius, colour);
}

void Pen::photo(ImVec2 low, ImVec2 high, const story::Photo& photo) {
  const Ends box = ends(low, high);
  // The smallest level that has a pixel for each of the screen's: two of its pixels are mixed at most.
  const story::Pixels* fits = &photo.levels.front();
  for (const story::Pixels& level : photo.levels)
    if (static_cast<float>(level.width) >= box.high.x - box.low.x) fits = &level;
  list_.AddImage(photo_id(*fits), box.low, box.high);
  if (page_ != nullptr) page_->photo(box.low, box.high, *fits);
}

void Pen::clip(ImVec2 low, ImVec2 high) {
  const Ends box = ends(low, high);
  list_.PushClipRect(box.low, box.high, true);
  if (page_ != nullptr) page_->clip(box.low, box.high);
}

void Pen::unclip() {
  list_.PopClipRect();
  if (page_ != nullptr) page_->unclip();
}

}  // namespace warpwalk::draw
