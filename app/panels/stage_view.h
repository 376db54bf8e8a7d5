#pragma once

#include "app/scenes/paint.h"

namespace warpwalk::panels {

/// Draws scene, title, sentence, picture and controls. Without `ui` nothing responds to mouse and keys.
scenes::Touch stage_view(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage);

}  // namespace warpwalk::panels
