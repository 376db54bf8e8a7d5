#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include <imgui.h>

#include "app/draw/fonts.h"
#include "app/draw/shapes.h"

namespace warpwalk::draw {

/// A picture as SVG 1.1, in the pixels of the same picture as PNG; text stays text. The same calls give the same bytes
/// everywhere. What has a place that is not finite, no extent or no opacity is left out.
class SvgPage {
 public:
  /// `title` and `description` are for those who cannot see the picture.
  SvgPage(int width, int height, ImU32 ground, std::string_view title, std::string_view description);

  void box(ImVec2 low, ImVec2 high, ImU32 colour, const Radii& radii);
  void frame(ImVec2 low, ImVec2 high, ImU32 colour, float thickness, const Radii& radii);
  void disc(ImVec2 centre, float radius, ImU32 colour);
  void polygon(std::span<const ImVec2> corners, ImU32 colour);
  void stroke(std::span<const ImVec2> points, ImU32 colour, float thickness);
  /// A line of strokes and gaps, `dash` long each.
  void dashes(ImVec2 from, ImVec2 to, ImU32 colour, float thickness, float dash);
  void hatch(std::span<const std::array<ImVec2, 2>> lines, ImU32 colour, float thickness);
  /// One line, its baseline's left end at `at` and `width` pixels wide, whatever font the reader has. `align` (0 left,
  /// 1 centre, 2 right) is the point that stays where a reader does not know how to keep the width.
  void text(ImVec2 at, float width, int align, const Typeface& face, ImU32 colour, std::string_view words);

  void clip(ImVec2 low, ImVec2 high);
  void unclip();

  /// The whole file. Nothing is drawn after it.
  std::string finish();

 private:
  void path(std::string_view commands, std::string_view paint);

  std::string out_;
  int clips_ = 0;  // so many clip paths have names
  int open_ = 0;   // so many of them are in force
};

/// `text` with what XML has a meaning for written out, and without the control characters that it forbids.
std::string xml_text(std::string_view text);

}  // namespace warpwalk::draw
