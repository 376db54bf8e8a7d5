#pragma once

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

}  // namespace warpwalk::draw
