#pragma once

#include <imgui.h>

#include "app/draw/image.h"
#include "core/story/pictures/slide.h"

namespace warpwalk::draw {

/// A box in whole pixels; the upper ends are exclusive.
struct PixelBox {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// Draws a picture onto the opaque picture `target`, scaled to the box from `low` to `high` in pixels. A pixel belongs
/// to the box if its centre does, and is mixed of the four nearest pixels of the picture.
void rasterise_photo(Image& target, const story::Pixels& photo, ImVec2 low, ImVec2 high, const PixelBox& clip);

}  // namespace warpwalk::draw
