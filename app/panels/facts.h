#pragma once

#include "app/draw/ui.h"
#include "core/story/stage.h"

namespace warpwalk::panels {

/// What happened, each figure with its origin, and what the trace lacks. With `ui`, pointing at a derived figure shows
/// its formula.
void facts(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage);

}  // namespace warpwalk::panels
