#pragma once

#include <string_view>

#include "app/draw/canvas.h"
#include "core/story/stage/stage.h"

namespace warpwalk::shell {

/// How many pixels a unit is on a picture of this size: type stays readable on small ones and grows on large ones.
float scale_for(int width, int height);

/// Draws everything: route, title and sentence, picture, facts, place in the scene. `source` names the file. Owns no
/// loop and remembers nothing.
void paint_frame(draw::Canvas& canvas, const story::Stage& stage, std::string_view source);

}  // namespace warpwalk::shell
