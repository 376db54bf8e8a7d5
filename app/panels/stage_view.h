#pragma once

#include "app/draw/canvas.h"
#include "core/story/stage.h"

namespace warpwalk::panels {

/// Scene, title, sentence and picture.
void stage_view(draw::Canvas& canvas, const draw::Box& box, const story::Stage& stage);

}  // namespace warpwalk::panels
