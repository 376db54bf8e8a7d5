#pragma once

// This folder draws shapes and text: canvas, fonts, theme, rasteriser, SVG. Whatever knows traces is in app/pictures
// and app/scenes.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "app/draw/fonts.h"
#include "app/draw/theme.h"

namespace warpwalk::draw {

/// A point on the canvas, in units.
struct Point {
  float x = 0;
  float y = 0;
};
struct Box {
  float x = 0;
  float y = 0;
  float width = 0;
  float height = 0;
  float right() const { return x + width; }
  float bottom() const { return y + height; }
  Box inset(float by) const { return {x + by, y + by, width - 2 * by, height - 2 * by}; }
};

/// The box `part` of the way from one box to another, 0 to 1.
constexpr Box between(const Box& from, const Box& to, float part) {
  return {from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part, from.width + (to.width - from.width) * part,
          from.height + (to.height - from.height) * part};
}

class SvgPage;

enum class Style { title, heading, sentence, body, label, small_caps, figure, mono, mono_small };
enum class Align { left, centre, right };

/// Draws in units. One unit is `scale` pixels, and text has the same size in units on every screen. Shapes are snapped
/// to whole pixels, so hairlines stay sharp.
class Canvas {
 public:
  Canvas(ImDrawList& list, const FontSet& fonts, const Theme& theme, float width, float height)
      : list_(list), fonts_(fonts), theme_(theme), width_(width), height_(height) {}

  /// Writes everything drawn from now on to `page` as well; null stops the recording. The page must be as large as the
  /// canvas in pixels.
  void record(SvgPage* page) { page_ = page; }

  const Theme& theme() const { return theme_; }
  float width() const { return width_; }
  float height() const { return height_; }

  float line_height(Style style) const;
  float text_width(Style style, std::string_view text) const;
  /// Returns the text, shortened to `width` with an ellipsis if needed; empty if not even the ellipsis fits.
  std::string fitted(Style style, std::string_view text, float width) const;
  /// Draws one line with its top at `at.y`, cut to the width `limit` with an ellipsis. Returns the width drawn.
  float text(Point at, Style style, ImU32 colour, std::string_view text, float limit = 1e6f, Align align = Align::left);
  /// Draws one line, centred vertically in the box and aligned horizontally by `align`.
  float text_in(const Box& box, Style style, ImU32 colour, std::string_view text, Align align = Align::left);
  /// Breaks the text into lines of `width`, at most `max_lines`; the last line ends in an ellipsis if it was cut.
  std::vector<std::string> wrapped(Style style, std::string_view text, float width, int max_lines) const;
  /// Draws the wrapped text and returns the height used.
  float paragraph(Point at, Style style, ImU32 colour, std::string_view text, float width, int max_lines);

  void fill(const Box& box, ImU32 colour, float rounding = 0, ImDrawFlags corners = ImDrawFlags_RoundCornersAll);
  void outline(const Box& box, ImU32 colour, float rounding = 0, float thickness = 1,
               ImDrawFlags corners = ImDrawFlags_RoundCornersAll);
  void line(Point from, Point to, ImU32 colour, float thickness = 1);
  void dashed(Point from, Point to, ImU32 colour, float thickness = 1);
  /// Draws slanted lines inside the box, rising or falling to the right. Hatching marks waiting, or work that is not
  /// the program's own.
  void hatch(const Box& box, ImU32 colour, bool falling = false);
  void triangle(Point a, Point b, Point c, ImU32 colour);
  void dot(Point centre, float radius, ImU32 colour);
  /// Draws a dashed curve with an arrowhead that leaves `from` downwards and reaches `to` from above. `travelled` is
  /// the position of a packet on the curve, 0 to 1. The part ahead of the packet is faint.
  void arrow_down(Point from, Point to, ImU32 colour, float travelled);
  /// Draws a dimension line: a line with a short stroke at each end.
  void dimension(Point from, Point to, ImU32 colour);
  /// Draws a small tag that contains a word, with its right end at `right`. Returns its width.
  float tag(float right, float middle, ImU32 colour, std::string_view word);

  void clip(const Box& box);
  void unclip();

 private:
  ImFont* font(Style style) const;
  float px(float units) const { return units * fonts_.scale; }
  ImVec2 px(Point p) const { return {px(p.x), px(p.y)}; }
  ImVec2 snapped(Point p) const;
  float thick(float units) const;
  void stroke(std::span<const ImVec2> points, ImU32 colour, float thickness);

  ImDrawList& list_;
  const FontSet& fonts_;
  const Theme& theme_;
  float width_;
  float height_;
  SvgPage* page_ = nullptr;
};

}  // namespace warpwalk::draw
