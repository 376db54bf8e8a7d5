#pragma once

#include "app/scenes/paint.h"
#include "core/story/scenes/map/picture.h"

namespace warpwalk::scenes {

/// What was counted, in place of times: a line for each counter, with what it counts, the count and a ratio.
void paint_counted(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::ReceiptPicture& picture);
/// What was measured beside what was simulated.
void paint_compared(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::ReceiptPicture& picture);

}  // namespace warpwalk::scenes
