#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/draw/canvas.h"

namespace warpwalk::scenes {

/// Places on an axis of time at 1, 2 or 5 times a power of ten ns, at most `most` of them.
std::vector<std::int64_t> ticks(double from, double to, int most);

/// A tick's time without decimals: "1,800 µs".
std::string tick_text(std::int64_t ns, std::int64_t step);

/// Maps time to x.
struct Axis {
  double from = 0;  ///< ns
  double to = 1;
  float left = 0;  ///< units
  float right = 1;
  float x(double ns) const { return left + static_cast<float>((ns - from) / (to - from)) * (right - left); }
};

/// Where the word of a bar goes so that no two collide.
struct LabelPlace {
  enum class Where : std::uint8_t { inside, after, before, above, none };
  Where where = Where::none;
  float x = 0;      ///< left end of the text
  float width = 0;  ///< room for it; less than asked for where it is cut
};
struct LabelWish {
  float left = 0;  ///< of the bar, in units, already cut to the axis
  float right = 0;
  float width = 0;  ///< of the text
  bool important = false;
};
/// One row's labels. Bars are by their left end. Inside where it fits, else after or before the bar where there is
/// room; important ones choose first, and go above the row's bars rather than be cut short or left out.
std::vector<LabelPlace> place_labels(const std::vector<LabelWish>& wishes, float left, float right);

/// Ticks, their labels and a level line on top of the box; `above` upright guides reach that far up.
void paint_axis(draw::Canvas& canvas, const Axis& axis, float y, float above);

}  // namespace warpwalk::scenes
