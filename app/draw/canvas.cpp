#include "app/draw/canvas.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/draw/imgui_compat.h"
#include "app/draw/line_breaks.h"
#include "app/draw/raster.h"
#include "app/draw/shapes.h"

namespace warpwalk::draw {
namespace {

constexpr std::string_view ellipsis = "…";
constexpr float max_pixels = 65536;  // hatching and dashes are skipped on anything larger; no screen is

// Returns the byte offset of each code point, followed by the size of the text.
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

ImFont* font_of(const FontSet& fonts, Style style) {
  switch (style) {
    case Style::title: return fonts.title;
    case Style::heading: return fonts.heading;
    case Style::sentence: return fonts.sentence;
    case Style::body: return fonts.body;
    case Style::label: return fonts.label;
    case Style::small_caps: return fonts.small_caps;
    case Style::figure: return fonts.figure;
    case Style::mono: return fonts.mono;
    case Style::mono_small: return fonts.mono_small;
  }
  return fonts.body;
}

}  // namespace

Canvas Canvas::inset(const Box& box, float width, float height) const {
  return {pen_.inset(pen_.snapped({box.x, box.y}), box.width / width), theme_, {width, height}};
}

Image Canvas::picture(float width, float height, const std::function<void(Canvas&)>& paint) const {
  const FontSet& fonts = pen_.fonts();
  if (fonts.texels.alpha == nullptr) return {};
  const ImVec2 size = {std::ceil(width * fonts.scale), std::ceil(height * fonts.scale)};
  ImDrawList list(ImGui::GetDrawListSharedData());
  begin_list(list, *ImGui::GetIO().Fonts, size);
  Canvas canvas(list, fonts, theme_, width, height);
  paint(canvas);
  if (fonts.glyphs != nullptr && fonts.glyphs->grown()) return {};  // with them, next time
  Image image = filled(static_cast<int>(size.x), static_cast<int>(size.y), theme_.ground | IM_COL32_A_MASK);
  ImDrawList* lists[1] = {};
  rasterise(data_of(list, lists, size), fonts.texels, image, 1);
  return image;
}

float Canvas::line_height(Style style) const { return pen_.units(font_size(*font_of(pen_.fonts(), style))); }

float Canvas::text_width(Style style, std::string_view text) const {
  if (text.empty()) return 0;  // its data may be null, which Dear ImGui takes for a text without a length
  ImFont* const f = font_of(pen_.fonts(), style);
  return pen_.units(f->CalcTextSizeA(font_size(*f), 1e9f, 0, text.data(), text.data() + text.size()).x);
}

std::string Canvas::fitted(Style style, std::string_view text, float width) const {
  if (text_width(style, text) <= width) return std::string(text);
  const std::vector<std::size_t> at = boundaries(text);
  const float room = width - text_width(style, ellipsis);
  std::size_t low = 0, high = at.size() - 1;  // binary search for the longest prefix that fits
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

float Canvas::text(Point at, Style style, ImU32 colour, std::string_view text, float limit, Align align) {
  const std::string shown = fitted(style, text, limit);
  const float width = text_width(style, shown);
  if (align == Align::centre) at.x -= width / 2;
  if (align == Align::right) at.x -= width;
  pen_.text(pen_.snapped(at), pen_.px(width), static_cast<int>(align), *font_of(pen_.fonts(), style), colour, shown);
  return width;
}

float Canvas::text_in(const Box& box, Style style, ImU32 colour, std::string_view text, Align align) {
  const float x = align == Align::left ? box.x : align == Align::right ? box.right() : box.x + box.width / 2;
  return this->text({x, box.y + (box.height - line_height(style)) / 2}, style, colour, text, box.width, align);
}

std::vector<std::string> Canvas::wrapped(Style style, std::string_view text, float width, int max_lines) const {
  std::vector<std::string> lines;
  while (!text.empty()) {
    if (static_cast<int>(lines.size()) + 1 == max_lines) {
      std::string rest(text);
      std::ranges::replace(rest, '\n', ' ');
      lines.push_back(fitted(style, rest, width));
      break;
    }
    const std::string_view line = text.substr(0, text.find('\n'));  // up to a line break
    // Take as many words as fit. Break a word only if it is too long for a line of its own.
    std::size_t end = 0;
    for (std::size_t space = 0; space != std::string_view::npos;) {
      space = next_break(line, space + 1);
      const std::size_t candidate = std::min(space, line.size());
      // Do not break inside a shape such as 8 × 16.
      if (line.substr(candidate).starts_with(" ×") || line.substr(0, candidate).ends_with("×")) continue;
      if (text_width(style, line.substr(0, candidate)) > width) break;
      end = candidate;
    }
    if (end == 0 && !line.empty()) {
      const std::vector<std::size_t> at = boundaries(line);
      std::size_t fits = 1;
      while (fits + 1 < at.size() && text_width(style, line.substr(0, at[fits + 1])) <= width) ++fits;
      end = at[std::min(fits, at.size() - 1)];
    }
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    while (text.starts_with(' ')) text.remove_prefix(1);
    if (text.starts_with('\n')) text.remove_prefix(1);
  }
  return lines;
}

std::string_view Canvas::whole_sentences(Style style, std::string_view text, float width, int max_lines) const {
  const auto fits = [&](std::string_view part) {
    return wrapped(style, part, width, max_lines + 1).size() <= static_cast<std::size_t>(max_lines);
  };
  if (fits(text)) return text;
  for (std::size_t space = text.rfind(' '); space != std::string_view::npos && space > 0;
       space = text.rfind(' ', space - 1)) {
    const char before = text[space - 1];
    if (std::string_view(".?!;:").find(before) == std::string_view::npos) continue;
    const std::string_view part = text.substr(0, before == ';' || before == ':' ? space - 1 : space);
    if (fits(part)) return part;
  }
  return text;
}

std::string Canvas::fitted_name(Style style, std::string_view name, float width) const {
  if (text_width(style, name) <= width) return std::string(name);
  const std::vector<std::size_t> at = boundaries(name);  // of its characters, and its end
  const auto with = [&](std::size_t kept) {
    const std::size_t begin = (kept + 1) / 2, end = kept / 2;
    return std::string(name.substr(0, at[begin])).append(ellipsis).append(name.substr(at[at.size() - 1 - end]));
  };
  std::size_t low = 0, high = at.size() - 1;  // binary search for the most characters that fit
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (text_width(style, with(middle)) <= width)
      low = middle;
    else
      high = middle - 1;
  }
  return low == 0 ? std::string() : with(low);
}

float Canvas::paragraph(Point at, Style style, ImU32 colour, std::string_view text, float width, int max_lines) {
  const float leading = line_height(style) * 1.2f;
  float y = at.y;
  for (const std::string& line : wrapped(style, text, width, max_lines)) {
    this->text({at.x, y}, style, colour, line);
    y += leading;
  }
  return y - at.y;
}

void Canvas::fill(const Box& box, ImU32 colour, float rounding, ImDrawFlags corners) {
  const ImVec2 low = pen_.snapped({box.x, box.y});
  ImVec2 high = pen_.snapped({box.right(), box.bottom()});
  high.x = std::max(high.x, low.x + 1);
  // Rounded corners are invisible on boxes of a few pixels, and plain rectangles are cheaper.
  const bool round = std::min(high.x - low.x, high.y - low.y) >= 10;
  const Radii radii = radii_of(low, high, round ? pen_.px(rounding) : 0, corners);
  pen_.box(low, high, colour, radii);
}

void Canvas::outline(const Box& box, ImU32 colour, float rounding, float thickness, ImDrawFlags corners) {
  const ImVec2 low = pen_.snapped({box.x, box.y});
  const ImVec2 high = pen_.snapped({box.right(), box.bottom()});
  const Radii radii = radii_of(low, high, pen_.px(rounding), corners);
  pen_.frame(low, high, colour, pen_.thick(thickness), radii);
}

void Canvas::line(Point from, Point to, ImU32 colour, float thickness) {
  const float width = pen_.thick(thickness);
  const ImVec2 a = pen_.snapped(from), b = pen_.snapped(to);
  if (a.x == b.x || a.y == b.y) {  // vertical or horizontal: whole pixels
    const ImVec2 low = {std::min(a.x, b.x), std::min(a.y, b.y)};
    ImVec2 high = {std::max(a.x, b.x), std::max(a.y, b.y)};
    (a.x == b.x ? high.x : high.y) += width;
    pen_.box(low, high, colour);
  } else {  // shift by half the width, to match vertical and horizontal lines
    const float half = width / 2;
    pen_.stroke(std::array{ImVec2(a.x + half, a.y + half), ImVec2(b.x + half, b.y + half)}, colour, width);
  }
}

void Canvas::stroke(Point from, Point to, ImU32 colour, float thickness) {
  if (from.x != to.x || from.y != to.y) pen_.stroke(std::array{pen_.px(from), pen_.px(to)}, colour, pen_.px(thickness));
}

void Canvas::dashed(Point from, Point to, ImU32 colour, float thickness) {
  const ImVec2 a = pen_.snapped(from), b = pen_.snapped(to);
  const float length = std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
  if (!(length > 0) || length > max_pixels) return;
  pen_.dashes(a, b, colour, pen_.thick(thickness), std::max(1.0f, std::round(pen_.px(4))));
}

void Canvas::hatch(const Box& box, ImU32 colour, bool falling) {
  const ImVec2 low = pen_.snapped({box.x, box.y}), high = pen_.snapped({box.right(), box.bottom()});
  if (!(low.x < high.x && low.y < high.y)) return;
  if (high.x - low.x > max_pixels || high.y - low.y > max_pixels) return;
  clip(box);
  pen_.hatch(low, high, colour, pen_.thick(1), std::max(2.0f, std::round(pen_.px(6))), falling);
  unclip();
}

void Canvas::triangle(Point a, Point b, Point c, ImU32 colour) {
  const std::array<ImVec2, 3> corners = {pen_.px(a), pen_.px(b), pen_.px(c)};
  pen_.polygon(corners, colour);
}

Box Canvas::photo(const Box& box, const story::Photo& photo) {
  const float by =
      std::min(box.width / static_cast<float>(photo.width()), box.height / static_cast<float>(photo.height()));
  if (!(by > 0)) return {box.x, box.y, 0, 0};
  const float width = by * static_cast<float>(photo.width()), height = by * static_cast<float>(photo.height());
  const Box place = {box.x + (box.width - width) / 2, box.y + (box.height - height) / 2, width, height};
  pen_.photo(pen_.snapped({place.x, place.y}), pen_.snapped({place.right(), place.bottom()}), photo);
  return place;
}

void Canvas::dot(Point centre, float radius, ImU32 colour) { pen_.disc(pen_.px(centre), pen_.px(radius), colour); }

void Canvas::arrow_down(Point from, Point to, ImU32 colour, float travelled) {
  const float bend = std::max(16.0f, (to.y - from.y) * 0.6f);
  constexpr float head = 7;
  const std::array<Point, 4> curve = {from, Point{from.x, from.y + bend}, Point{to.x, to.y - bend},
                                      Point{to.x, to.y - head}};
  const ImU32 ahead = with_alpha(colour, 0.25f);
  const float width = pen_.thick(1.75f);
  // Compute the arc length at each point of the curve, so that all dashes have the same length.
  constexpr std::size_t steps = 128;
  std::array<Point, steps + 1> places;
  std::array<float, steps + 1> ways;
  places[0] = curve[0];
  ways[0] = 0;
  for (std::size_t i = 1; i <= steps; ++i) {
    places[i] = along(curve, static_cast<float>(i) / steps);
    const float x = places[i].x - places[i - 1].x, y = places[i].y - places[i - 1].y;
    ways[i] = ways[i - 1] + std::sqrt(x * x + y * y);
  }
  const auto point_at = [&](float way) {
    const auto next = static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(std::upper_bound(ways.begin(), ways.end(), way) - ways.begin(), 1, steps));
    const float part = std::clamp((way - ways[next - 1]) / std::max(ways[next] - ways[next - 1], 1e-6f), 0.0f, 1.0f);
    return Point{places[next - 1].x + (places[next].x - places[next - 1].x) * part,
                 places[next - 1].y + (places[next].y - places[next - 1].y) * part};
  };
  if (!(pen_.px(ways[steps]) <= max_pixels)) return;
  const float gone = ways[static_cast<std::size_t>(std::clamp(travelled, 0.0f, 1.0f) * steps)];
  const auto dash_of = [&](float start, float end, ImU32 paint) {
    constexpr int pieces = 4;
    if (end - start < 0.25f) return;
    std::array<ImVec2, pieces + 1> points;
    for (int i = 0; i <= pieces; ++i)
      points[static_cast<std::size_t>(i)] = pen_.px(point_at(start + (end - start) * static_cast<float>(i) / pieces));
    pen_.stroke(points, paint, width);
  };
  constexpr float dash = 6, period = 11;
  for (float way = 0; way < ways[steps]; way += period) {
    const float end = std::min(way + dash, ways[steps]), turn = std::clamp(gone, way, end);
    dash_of(way, turn, colour);
    dash_of(turn, end, ahead);
  }
  triangle(to, {to.x - head * 0.7f, to.y - head * 1.2f}, {to.x + head * 0.7f, to.y - head * 1.2f},
           travelled >= 1 ? colour : ahead);
  if (travelled > 0 && travelled < 1) dot(along(curve, travelled), 6, colour);
}

void Canvas::clip(const Box& box) {
  const ImVec2 low = pen_.snapped({box.x, box.y}), high = pen_.snapped({box.right(), box.bottom()});
  pen_.clip(low, high);
}
void Canvas::unclip() { pen_.unclip(); }

void paint_dimension(Canvas& canvas, Point from, Point to, ImU32 colour) {
  constexpr float half = 5;
  canvas.line(from, to, colour, 1);
  canvas.line({from.x, from.y - half}, {from.x, from.y + half}, colour, 1.5f);
  canvas.line({to.x, to.y - half}, {to.x, to.y + half}, colour, 1.5f);
}

float paint_tag(Canvas& canvas, float right, float middle, ImU32 colour, std::string_view word) {
  constexpr float height = 20, pad = 9;
  const float width = canvas.text_width(Style::small_caps, word) + 2 * pad;
  const Box box = {right - width, middle - height / 2, width, height};
  canvas.fill(box, mixed(colour, canvas.theme().panel, 0.2f), height / 2);
  canvas.text_in({box.x + pad, box.y, width - 2 * pad + 1, height}, Style::small_caps, colour, word);
  return width;
}

}  // namespace warpwalk::draw
