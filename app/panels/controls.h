#pragma once

#include "app/scenes/paint.h"

namespace warpwalk::panels {

/// How high the stage's controls want to be in `width`; 0 where it has none to show.
float controls_height(const draw::Canvas& canvas, const story::Stage& stage, float width);

/// The stage's sliders and choices side by side, in as many rows as they need: what each is called, its value, and
/// whether the trace says it or the person set it. Wheel, drag, click and, with the focus, the arrow keys change it.
scenes::Touch controls(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage);

}  // namespace warpwalk::panels
