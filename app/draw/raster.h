#pragma once

#include <imgui.h>

#include "app/draw/image.h"
#include "app/draw/imgui_compat.h"

namespace warpwalk::draw {

/// Draws `data` onto the opaque picture `target` on the CPU, at the data's display position and framebuffer scale.
///
/// A command draws with the font atlas, or a picture in an upright box (Pen::photo); user callbacks are skipped. A
/// pixel belongs to a shape if its centre is inside the shape or on its top or left edge. Adjacent shapes therefore
/// never overlap or leave gaps. Positions are rounded to 1/256 pixel and clamped to +-16,384 pixels. Triangles with a
/// NaN corner are skipped.
///
/// The rows are divided among `threads` threads (1 or less: only the calling thread). The number of threads does not
/// change the picture.
void rasterise(const ImDrawData& data, const AtlasTexels& atlas, Image& target, int threads);

}  // namespace warpwalk::draw
