#pragma once

#include <string_view>

#include "app/draw/canvas.h"
#include "core/story/stage/stage.h"

namespace warpwalk::shell {

/// Pixels per unit for a picture of this size, so that type is readable on small and large pictures.
float scale_for(int width, int height);

/// Draws everything: route, title and sentence, picture, facts, place in the scene. `source` names the file. Keeps no
/// state.
void paint_frame(draw::Canvas& canvas, const story::Stage& stage, std::string_view source);

}  // namespace warpwalk::shell
