#pragma once

// This folder draws shapes and text: canvas, fonts, theme, rasteriser, SVG. Whatever knows traces is in app/pictures
// and app/scenes.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "app/draw/box.h"
#include "app/draw/fonts.h"
#include "app/draw/image.h"
#include "app/draw/pen.h"
#include "app/draw/theme.h"
#include "core/story/pictures/slide.h"

namespace warpwalk::draw {

enum class Style { title, heading, sentence, body, label, small_caps, figure, mono, mono_small };
enum class Align { left, centre, right };

/// Draws in units. One unit is `scale` pixels, and text has the same size in units on every screen. Shapes are snapped
/// to whole pixels, so hairlines stay sharp.
class Canvas {
 public:
  Canvas(ImDrawList& list, const FontSet& fonts, const Theme& theme, float width, float height)
      : pen_(list, fonts), theme_(theme), corner_{width, height} {}

  /// Writes everything drawn from now on to `page` as well; null stops the recording. The page must be as large as the
  /// canvas in pixels.
  void record(SvgPage* page) { pen_.record(page); }

  /// A canvas of this size whose picture appears in the box, smaller. What it draws outside is not cut off.
  Canvas inset(const Box& box, float width, float height) const;

  /// Paints a picture of its own, with the type of this canvas: `paint` gets a canvas of this size. Empty where the
  /// type is not at hand as pixels (Dear ImGui from 1.92 on, in a window).
  Image picture(float width, float height, const std::function<void(Canvas&)>& paint) const;

  const Theme& theme() const { return theme_; }
  float width() const { return corner_.x; }
  float height() const { return corner_.y; }

  float line_height(Style style) const;
  float text_width(Style style, std::string_view text) const;
  /// Returns the text, shortened to `width` with an ellipsis if needed; empty if not even the ellipsis fits.
  std::string fitted(Style style, std::string_view text, float width) const;
  /// Draws one line with its top at `at.y`, cut to the width `limit` with an ellipsis. Returns the width drawn.
  float text(Point at, Style style, ImU32 colour, std::string_view text, float limit = 1e6f, Align align = Align::left);
  /// Draws one line, centred vertically in the box and aligned horizontally by `align`.
  float text_in(const Box& box, Style style, ImU32 colour, std::string_view text, Align align = Align::left);
  /// Breaks the text into lines of `width`, and at its line breaks, at most `max_lines`; the last line ends in an
  /// ellipsis if it was cut.
  std::vector<std::string> wrapped(Style style, std::string_view text, float width, int max_lines) const;
  /// Returns the text up to its last sentence, or part before a semicolon or a colon, that is whole in `max_lines` of
  /// `width`; all of it if not even the first one is.
  std::string_view whole_sentences(Style style, std::string_view text, float width, int max_lines) const;
  /// Returns a name, shortened in its middle to `width`: names that begin alike often end differently.
  std::string fitted_name(Style style, std::string_view name, float width) const;
  /// Draws the wrapped text and returns the height used.
  float paragraph(Point at, Style style, ImU32 colour, std::string_view text, float width, int max_lines);

  void fill(const Box& box, ImU32 colour, float rounding = 0, ImDrawFlags corners = ImDrawFlags_RoundCornersAll);
  void outline(const Box& box, ImU32 colour, float rounding = 0, float thickness = 1,
               ImDrawFlags corners = ImDrawFlags_RoundCornersAll);
  void line(Point from, Point to, ImU32 colour, float thickness = 1);
  /// A line between any two points, not on whole pixels: a piece of a curve.
  void stroke(Point from, Point to, ImU32 colour, float thickness);
  void dashed(Point from, Point to, ImU32 colour, float thickness = 1);
  /// Draws slanted lines inside the box, rising or falling to the right. Hatching marks waiting, or work that is not
  /// the program's own.
  void hatch(const Box& box, ImU32 colour, bool falling = false);
  void triangle(Point a, Point b, Point c, ImU32 colour);
  void dot(Point centre, float radius, ImU32 colour);
  /// Draws a picture as large as fits into the box, in its middle. Returns where it is. The picture must stay where it
  /// is until the frame is on screen.
  Box photo(const Box& box, const story::Photo& photo);
  /// Draws a dashed curve with an arrowhead that leaves `from` downwards and reaches `to` from above. `travelled` is
  /// the position of a packet on the curve, 0 to 1. The part ahead of the packet is faint.
  void arrow_down(Point from, Point to, ImU32 colour, float travelled);

  void clip(const Box& box);
  void unclip();

 private:
  Canvas(const Pen& pen, const Theme& theme, Point corner) : pen_(pen), theme_(theme), corner_(corner) {}

  Pen pen_;
  const Theme& theme_;
  Point corner_;  // the lower right one
};

/// Draws a dimension line: a line with a short stroke at each end.
void paint_dimension(Canvas& canvas, Point from, Point to, ImU32 colour);
/// Draws a small tag that contains a word, with its right end at `right`. Returns its width.
float paint_tag(Canvas& canvas, float right, float middle, ImU32 colour, std::string_view word);

}  // namespace warpwalk::draw
