#pragma once

#include <string_view>

#include "app/draw/canvas.h"
#include "app/draw/ui.h"
#include "app/pictures/touch.h"
#include "core/story/stage/stage.h"

namespace warpwalk::shell {

/// Pixels per unit for a picture of this size, so that type is readable on small and large pictures.
float scale_for(int width, int height);

/// The type for a presented picture of this size: at 1280x720 no letter is smaller than 20 pixels (of an em) and the
/// sentence has 28; at 1920x1080 the smallest has 24.
draw::FontOptions presenting_type(int width, int height);

/// Draws what is projected: the stage alone, with the settings that the person can change. `ui` may be null.
pictures::Touch paint_presented(draw::Canvas& canvas, draw::Ui* ui, const story::Stage& stage);

/// Draws everything: route, title and sentence, picture, facts, place in the scene. `source` names the file. Keeps no
/// state.
void paint_frame(draw::Canvas& canvas, const story::Stage& stage, std::string_view source);

}  // namespace warpwalk::shell
