#pragma once

#include <imgui.h>

#include "app/draw/image.h"
#include "app/draw/imgui_compat.h"

namespace warpwalk::draw {

/// Draws `data` onto the opaque picture `target` on the CPU, at the data's display position and framebuffer scale.
///
/// Every command is drawn with the one texture there is, the font atlas; user callbacks are skipped. A pixel belongs to
/// a shape where its centre lies inside it, or on its top or left edge, so neighbours neither double nor miss one.
/// Positions are rounded to 1/256 pixel and clamped to +-16,384 pixels; triangles with a NaN corner are left out.
///
/// The rows are shared among `threads` threads (1 or less: the caller's alone); the picture is the same to the byte for
/// any number of them.
void rasterise(const ImDrawData& data, const AtlasTexels& atlas, Image& target, int threads);

}  // namespace warpwalk::draw
