#include "app/draw/canvas.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/draw/imgui_compat.h"

namespace warpwalk::draw {
namespace {

constexpr std::string_view ellipsis = "…";

// Where the code points start, and the end.
std::vector<std::size_t> boundaries(std::string_view text) {
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0u) != 0x80u) at.push_back(i);
  at.push_back(text.size());
  return at;
}

Point along(const std::array<Point, 4>& curve, float t) {
  const float s = 1 - t;
  const float a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
  return {a * curve[0].x + b * curve[1].x + c * curve[2].x + d * curve[3].x,
          a * curve[0].y + b * curve[1].y + c * curve[2].y + d * curve[3].y};
}

}  // namespace

ImFont* Canvas::font(Style style) const {
  switch (style) {
    case Style::title: return fonts_.title;
    case Style::heading: return fonts_.heading;
    case Style::sentence: return fonts_.sentence;
    case Style::body: return fonts_.body;
    case Style::label: return fonts_.label;
    case Style::small_caps: return fonts_.small_caps;
    case Style::figure: return fonts_.figure;
    case Style::mono: return fonts_.mono;
    case Style::mono_small: return fonts_.mono_small;
  }
  return fonts_.body;
}

ImVec2 Canvas::snapped(Point p) const { return {std::round(px(p.x)), std::round(px(p.y))}; }
float Canvas::thick(float units) const { return std::max(1.0f, std::round(px(units))); }

float Canvas::line_height(Style style) const { return font_size(*font(style)) / fonts_.scale; }

float Canvas::text_width(Style style, std::string_view text) const {
  ImFont* const f = font(style);
  return f->CalcTextSizeA(font_size(*f), 1e9f, 0, text.data(), text.data() + text.size()).x / fonts_.scale;
}

std::string Canvas::fitted(Style style, std::string_view text, float width) const {
  if (text_width(style, text) <= width) return std::string(text);
  const std::vector<std::size_t> at = boundaries(text);
  const float room = width - text_width(style, ellipsis);
  std::size_t low = 0, high = at.size() - 1;  // the longest start that fits
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (text_width(style, text.substr(0, at[middle])) <= room)
      low = middle;
    else
      high = middle - 1;
  }
  std::string_view start = text.substr(0, at[low]);
  while (!start.empty() && start.back() == ' ') start.remove_suffix(1);
  return start.empty() ? std::string() : std::string(start).append(ellipsis);
}

float Canvas::text(Point at, Style style, ImU32 colour, std::string_view text, float most, Align align) {
  const std::string shown = fitted(style, text, most);
  const float width = text_width(style, shown);
  if (align == Align::centre) at.x -= width / 2;
  if (align == Align::right) at.x -= width;
  ImFont* const f = font(style);
  list_.AddText(f, font_size(*f), snapped(at), colour, shown.data(), shown.data() + shown.size());
  return width;
}

float Canvas::text_in(const Box& box, Style style, ImU32 colour, std::string_view text, Align align) {
  const float x = align == Align::left ? box.x : align == Align::right ? box.right() : box.x + box.width / 2;
  return this->text({x, box.y + (box.height - line_height(style)) / 2}, style, colour, text, box.width, align);
}

std::vector<std::string> Canvas::wrapped(Style style, std::string_view text, float width, int most_lines) const {
  std::vector<std::string> lines;
  while (!text.empty()) {
    if (static_cast<int>(lines.size()) + 1 == most_lines) {
      lines.push_back(fitted(style, text, width));
      break;
    }
    // As many words as fit; a word that is too long by itself is broken where it must.
    std::size_t end = 0;
    for (std::size_t space = 0; space != std::string_view::npos;) {
      space = text.find(' ', space + 1);
      const std::size_t candidate = std::min(space, text.size());
      // A shape like 8 × 16 stays together.
      if (text.substr(candidate).starts_with(" ×") || text.substr(0, candidate).ends_with("×")) continue;
      if (text_width(style, text.substr(0, candidate)) > width) break;
      end = candidate;
    }
    if (end == 0) {
      const std::vector<std::size_t> at = boundaries(text);
      std::size_t fits = 1;
      while (fits + 1 < at.size() && text_width(style, text.substr(0, at[fits + 1])) <= width) ++fits;
      end = at[std::min(fits, at.size() - 1)];
    }
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  return lines;
}

float Canvas::paragraph(Point at, Style style, ImU32 colour, std::string_view text, float width, int most_lines) {
  const float leading = line_height(style) * 1.2f;
  float y = at.y;
  for (const std::string& line : wrapped(style, text, width, most_lines)) {
    this->text({at.x, y}, style, colour, line);
    y += leading;
  }
  return y - at.y;
}

void Canvas::fill(const Box& box, ImU32 colour, float rounding, ImDrawFlags corners) {
  const ImVec2 low = snapped({box.x, box.y});
  ImVec2 high = snapped({box.right(), box.bottom()});
  high.x = std::max(high.x, low.x + 1);
  // Corners of a few pixels cannot be seen; plain rectangles are cheaper.
  const bool round = std::min(high.x - low.x, high.y - low.y) >= 10;
  list_.AddRectFilled(low, high, colour, round ? px(rounding) : 0, corners);
}

void Canvas::outline(const Box& box, ImU32 colour, float rounding, float thickness, ImDrawFlags corners) {
  const float half = thick(thickness) / 2;
  const ImVec2 low = snapped({box.x, box.y});
  const ImVec2 high = snapped({box.right(), box.bottom()});
  add_rect(list_, {low.x + half, low.y + half}, {high.x - half, high.y - half}, colour, px(rounding), thick(thickness),
           corners);
}

void Canvas::line(Point from, Point to, ImU32 colour, float thickness) {
  const float width = thick(thickness);
  ImVec2 a = snapped(from), b = snapped(to);
  if (a.x == b.x || a.y == b.y) {  // upright or level: whole pixels
    const ImVec2 low = {std::min(a.x, b.x), std::min(a.y, b.y)};
    ImVec2 high = {std::max(a.x, b.x), std::max(a.y, b.y)};
    (a.x == b.x ? high.x : high.y) += width;
    list_.AddRectFilled(low, high, colour);
  } else {
    list_.AddLine(a, b, colour, width);
  }
}

void Canvas::dashed(Point from, Point to, ImU32 colour, float thickness) {
  constexpr float dash = 4, gap = 4;
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  for (float at = 0; at < length; at += dash + gap) {
    const float a = at / length, b = std::min(at + dash, length) / length;
    line({from.x + (to.x - from.x) * a, from.y + (to.y - from.y) * a},
         {from.x + (to.x - from.x) * b, from.y + (to.y - from.y) * b}, colour, thickness);
  }
}

void Canvas::hatch(const Box& box, ImU32 colour, bool falling) {
  clip(box);
  constexpr float step = 6;
  for (float x = box.x - box.height; x < box.right(); x += step)
    list_.AddLine(px({x, falling ? box.y : box.bottom()}), px({x + box.height, falling ? box.bottom() : box.y}), colour,
                  thick(1));
  unclip();
}

void Canvas::triangle(Point a, Point b, Point c, ImU32 colour) { list_.AddTriangleFilled(px(a), px(b), px(c), colour); }

void Canvas::dot(Point centre, float radius, ImU32 colour) { list_.AddCircleFilled(px(centre), px(radius), colour); }

void Canvas::arrow_down(Point from, Point to, ImU32 colour, float travelled) {
  const float bend = std::max(16.0f, (to.y - from.y) * 0.6f);
  constexpr float head = 7;
  const std::array<Point, 4> curve = {from, Point{from.x, from.y + bend}, Point{to.x, to.y - bend},
                                      Point{to.x, to.y - head}};
  // Dashes of one length, however the curve bends: short steps, drawn or left out by the way gone so far.
  constexpr int steps = 256;
  constexpr float dash = 6, period = 11;
  float way = 0;
  Point last = curve[0];
  for (int i = 1; i <= steps; ++i) {
    const float t = static_cast<float>(i) / steps;
    const Point next = along(curve, t);
    if (way - period * static_cast<float>(static_cast<int>(way / period)) < dash)
      list_.AddLine(px(last), px(next), t <= travelled ? colour : with_alpha(colour, 0.25f), thick(1.75f));
    way += std::sqrt((next.x - last.x) * (next.x - last.x) + (next.y - last.y) * (next.y - last.y));
    last = next;
  }
  const ImU32 tip = travelled >= 1 ? colour : with_alpha(colour, 0.25f);
  list_.AddTriangleFilled(px(to), px(Point{to.x - head * 0.7f, to.y - head * 1.2f}),
                          px(Point{to.x + head * 0.7f, to.y - head * 1.2f}), tip);
  if (travelled > 0 && travelled < 1) dot(along(curve, travelled), 6, colour);
}

void Canvas::dimension(Point from, Point to, ImU32 colour) {
  constexpr float half = 5;
  line(from, to, colour, 1);
  line({from.x, from.y - half}, {from.x, from.y + half}, colour, 1.5f);
  line({to.x, to.y - half}, {to.x, to.y + half}, colour, 1.5f);
}

float Canvas::tag(float right, float middle, ImU32 colour, std::string_view word) {
  constexpr float height = 20, pad = 9;
  const float width = text_width(Style::small_caps, word) + 2 * pad;
  const Box box = {right - width, middle - height / 2, width, height};
  fill(box, mixed(colour, theme_.panel, 0.2f), height / 2);
  text_in({box.x + pad, box.y, width - 2 * pad + 1, height}, Style::small_caps, colour, word);
  return width;
}

void Canvas::clip(const Box& box) {
  list_.PushClipRect(snapped({box.x, box.y}), snapped({box.right(), box.bottom()}), true);
}
void Canvas::unclip() { list_.PopClipRect(); }

}  // namespace warpwalk::draw
