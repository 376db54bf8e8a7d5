#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/draw/canvas.h"

namespace warpwalk::pictures {

/// Returns at most `maximum` tick positions on a time axis. The step is 1, 2 or 5 times a power of ten ns.
std::vector<std::int64_t> ticks(double from, double to, int maximum);

/// Formats a tick's time without decimals, e.g. "1,800 µs".
std::string tick_text(std::int64_t ns, std::int64_t step);

/// Maps time to x.
struct Axis {
  double from = 0;  ///< ns
  double to = 1;
  float left = 0;  ///< units
  float right = 1;
  float x(double ns) const { return left + static_cast<float>((ns - from) / (to - from)) * (right - left); }
};

/// The position of a bar's label, chosen so that labels do not overlap.
struct LabelPlace {
  enum class Where : std::uint8_t { inside, after, before, above, none };
  Where where = Where::none;
  float x = 0;      ///< left end of the text
  float width = 0;  ///< available width; less than requested if the text is cut
};
struct LabelWish {
  float left = 0;  ///< left end of the bar in units, clipped to the axis
  float right = 0;
  float width = 0;  ///< width of the text
  bool important = false;
};
/// Places the labels of one row. Bars must be sorted by their left end. A label is inside its bar if it fits, else
/// after or before the bar if there is room. Important labels are placed first, and go above the bars if they do not
/// fit.
std::vector<LabelPlace> place_labels(const std::vector<LabelWish>& wishes, float left, float right);

/// Draws the axis line at `y` with ticks and their labels. Vertical guides extend `above` units upwards.
void paint_axis(draw::Canvas& canvas, const Axis& axis, float y, float above);

}  // namespace warpwalk::pictures
