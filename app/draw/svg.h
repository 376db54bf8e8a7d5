#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include <imgui.h>

#include "app/draw/fonts.h"
#include "app/draw/shapes.h"
#include "core/story/pictures/slide.h"

namespace warpwalk::draw {

/// Writes a picture as SVG 1.1, in the same pixel coordinates as its PNG. Text stays text. The same calls produce the
/// same bytes on every machine. Skips shapes that are empty, fully transparent or at a non-finite position.
class SvgPage {
 public:
  /// `title` and `description` are for screen readers.
  SvgPage(int width, int height, ImU32 ground, std::string_view title, std::string_view description);

  void box(ImVec2 low, ImVec2 high, ImU32 colour, const Radii& radii);
  void frame(ImVec2 low, ImVec2 high, ImU32 colour, float thickness, const Radii& radii);
  void disc(ImVec2 centre, float radius, ImU32 colour);
  void polygon(std::span<const ImVec2> corners, ImU32 colour);
  void stroke(std::span<const ImVec2> points, ImU32 colour, float thickness);
  /// Draws a dashed line; each dash and each gap is `dash` long.
  void dashes(ImVec2 from, ImVec2 to, ImU32 colour, float thickness, float dash);
  void hatch(std::span<const std::array<ImVec2, 2>> lines, ImU32 colour, float thickness);
  void photo(ImVec2 low, ImVec2 high, const story::Pixels& pixels);
  /// Writes one line of text, `width` pixels wide in any font, with the left end of its baseline at `at`. `align` (0
  /// left, 1 centre, 2 right) is the anchor point for viewers that cannot keep the width.
  void text(ImVec2 at, float width, int align, const Typeface& face, ImU32 colour, std::string_view words);

  void clip(ImVec2 low, ImVec2 high);
  void unclip();

  /// The whole file. Nothing is drawn after it.
  std::string finish();

 private:
  void path(std::string_view commands, std::string_view paint);

  std::string out_;
  int clips_ = 0;  // clip paths written so far
  int open_ = 0;   // clip paths currently open
};

/// Escapes `text` for XML and removes the control characters that XML forbids.
std::string xml_text(std::string_view text);

}  // namespace warpwalk::draw
