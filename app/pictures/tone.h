#pragma once

#include "app/draw/canvas.h"
#include "core/story/pictures/tone.h"

namespace warpwalk::scenes {

/// The theme's colour for a meaning.
ImU32 colour_of(story::Tone tone, const draw::Theme& theme);

/// Fills a mark of this meaning; what is refused is hatched too, so that colour is not the only sign.
void paint_tone(draw::Canvas& canvas, const draw::Box& box, story::Tone tone, float rounding);

}  // namespace warpwalk::scenes
