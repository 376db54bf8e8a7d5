#pragma once

#include "app/scenes/paint.h"

namespace warpwalk::panels {

/// Scene, title, sentence, picture and controls. Without `ui` nothing answers to mouse and keys.
scenes::Touch stage_view(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage);

}  // namespace warpwalk::panels
