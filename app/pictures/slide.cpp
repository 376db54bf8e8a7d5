// A lecturer's own words and picture: paragraphs and bullets, beside them or alone a picture.
#include "core/story/pictures/slide.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/pictures/pictures.h"

namespace warpwalk::pictures {
namespace {

using draw::Box;
using draw::Style;

constexpr float slide_leading = 1.25f, slide_gap = 0.45f;  // of a line's height
constexpr float slide_indent = 0.9f;                       // of a bullet's text, in heights of a line
constexpr float slide_between = 32;                        // text and picture
constexpr int slide_max_lines = 100;

/// The height of the lines in a style.
float slide_text_height(const draw::Canvas& canvas, const std::vector<story::SlideLine>& lines, Style style,
                        float width) {
  const float line_high = canvas.line_height(style);
  float high = 0;
  for (const story::SlideLine& line : lines) {
    const float room = width - (line.bullet ? slide_indent * line_high : 0);
    const auto rows = line.text.empty() ? 0 : canvas.wrapped(style, line.text, room, slide_max_lines).size();
    high += (slide_leading * static_cast<float>(rows) + slide_gap) * line_high;
  }
  return high;
}

/// Draws the lines from the top of the box; those that do not fit even in the smallest style are left out.
void paint_slide_text(draw::Canvas& canvas, const Box& box, const std::vector<story::SlideLine>& lines) {
  constexpr std::array<Style, 4> styles = {Style::heading, Style::sentence, Style::body, Style::label};
  const auto fits = std::ranges::find_if(
      styles, [&](Style style) { return slide_text_height(canvas, lines, style, box.width) <= box.height; });
  const Style style = fits == styles.end() ? styles.back() : *fits;
  const draw::Theme& theme = canvas.theme();
  const float line_high = canvas.line_height(style);
  float y = box.y;
  for (const story::SlideLine& line : lines) {
    const float indent = line.bullet ? slide_indent * line_high : 0;
    const auto rows = static_cast<int>((box.bottom() - y) / (slide_leading * line_high));
    if (rows < 1) return;
    if (!line.text.empty()) {
      if (line.bullet) canvas.dot({box.x + 0.3f * line_high, y + 0.55f * line_high}, 0.13f * line_high, theme.second);
      for (const std::string& row : canvas.wrapped(style, line.text, box.width - indent, rows)) {
        canvas.text({box.x + indent, y}, style, theme.text, row);
        y += slide_leading * line_high;
      }
    }
    y += slide_gap * line_high;
  }
}

}  // namespace

Touch paint_slide(draw::Canvas& canvas, const Box& box, const story::SlidePicture& picture) {
  const Box inner = {box.x, box.y + 8, box.width, box.height - 8};
  if (picture.photo == nullptr) {
    paint_slide_text(canvas, {inner.x, inner.y, std::min(inner.width, 1000.0f), inner.height}, picture.lines);
    return {};
  }
  if (picture.lines.empty()) {
    canvas.photo(inner, *picture.photo);
    return {};
  }
  const float text = (inner.width - slide_between) * 0.42f;
  paint_slide_text(canvas, {inner.x, inner.y, text, inner.height}, picture.lines);
  // It begins at the height of the first line.
  const float width = inner.width - text - slide_between;
  const float high = width * static_cast<float>(picture.photo->height()) / static_cast<float>(picture.photo->width());
  canvas.photo({inner.x + text + slide_between, inner.y, width, std::min(inner.height, high)}, *picture.photo);
  return {};
}

}  // namespace warpwalk::pictures
