#pragma once

#include "app/draw/canvas.h"
#include "core/story/stage.h"

namespace warpwalk::scenes {

/// Draws the stage's picture into the box: the one that its variant holds.
void paint_picture(draw::Canvas& canvas, const draw::Box& box, const story::Stage& stage);

void paint_timeline(draw::Canvas& canvas, const draw::Box& box, const story::Stage& stage,
                    const story::TimelinePicture& picture);
void paint_receipt(draw::Canvas& canvas, const draw::Box& box, const story::Stage& stage,
                   const story::ReceiptPicture& picture);

}  // namespace warpwalk::scenes
