#pragma once

#include "app/scenes/paint.h"
#include "core/story/scenes/map/picture.h"

namespace warpwalk::scenes {

/// Draws the counters of a run without times: one line per counter, with its name, its value and a ratio.
void paint_counted(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::ReceiptPicture& picture);
/// Draws measured values beside simulated values.
void paint_compared(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::ReceiptPicture& picture);

}  // namespace warpwalk::scenes
