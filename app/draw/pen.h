#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "app/draw/box.h"
#include "app/draw/fonts.h"
#include "app/draw/shapes.h"
#include "core/story/pictures/slide.h"

namespace warpwalk::draw {

class SvgPage;

/// Draws in pixels, on Dear ImGui's list and on an SVG page if there is one. Its fonts say how many pixels a unit has.
class Pen {
 public:
  Pen(ImDrawList& list, const FontSet& fonts) : list_(list), fonts_(fonts) {}
  /// A pen for a smaller copy: what is drawn at p appears at `corner` + `zoom` * p of this pen.
  Pen inset(ImVec2 corner, float zoom) const;

  /// Draws on this page too, from now on; null: on the list alone.
  void record(SvgPage* page) { page_ = page; }

  const FontSet& fonts() const { return fonts_; }
  float px(float units) const { return units * fonts_.scale; }
  ImVec2 px(Point p) const { return {px(p.x), px(p.y)}; }
  float units(float pixels) const { return pixels / fonts_.scale; }
  /// On whole pixels.
  ImVec2 snapped(Point p) const;
  /// The thickness of a line, at least a pixel.
  float thick(float units) const;

  /// One line of text of this width, with its upper left corner at `place`. `align` is that of the SVG's text.
  void text(ImVec2 place, float width, int align, ImFont& font, ImU32 colour, std::string_view words);
  void box(ImVec2 low, ImVec2 high, ImU32 colour, const Radii& radii = {});
  void frame(ImVec2 low, ImVec2 high, ImU32 colour, float thickness, const Radii& radii);
  void stroke(std::span<const ImVec2> points, ImU32 colour, float thickness);
  /// A line of dashes; each dash and each gap is `dash` long.
  void dashes(ImVec2 from, ImVec2 to, ImU32 colour, float thickness, float dash);
  /// Slanted lines, `step` apart. They go beyond the box, to which they have to be clipped.
  void hatch(ImVec2 low, ImVec2 high, ImU32 colour, float thickness, float step, bool falling);
  void polygon(std::span<const ImVec2> corners, ImU32 colour);
  void disc(ImVec2 centre, float radius, ImU32 colour);

  /// A picture, scaled to the box; it must stay where it is until the frame is on screen.
  void photo(ImVec2 low, ImVec2 high, const story::Photo& photo);

  void clip(ImVec2 low, ImVec2 high);
  void unclip();

 private:
  ImVec2 at(ImVec2 p) const { return {corner_.x + zoom_ * p.x, corner_.y + zoom_ * p.y}; }
  // A length in the copy, at least `least`. A pen that is no copy keeps it.
  float length(float pixels, float least) const;
  // The ends of a box in the copy, on whole pixels.
  struct Ends {
    ImVec2 low, high;
  };
  Ends ends(ImVec2 low, ImVec2 high) const;
  std::vector<ImVec2> moved(std::span<const ImVec2> points) const;

  ImDrawList& list_;
  const FontSet& fonts_;
  SvgPage* page_ = nullptr;
  ImVec2 corner_ = {0, 0};
  float zoom_ = 1;
};

}  // namespace warpwalk::draw
