#pragma once

#include "app/draw/canvas.h"
#include "core/story/pictures/tone.h"

namespace warpwalk::pictures {

/// Returns the theme's colour for a tone.
ImU32 colour_of(story::Tone tone, const draw::Theme& theme);

/// Fills a mark in the colour of this tone. Refused marks are also hatched where they are large
/// enough, so that colour is not the only sign.
void paint_tone(draw::Canvas& canvas, const draw::Box& box, story::Tone tone, float rounding);

}  // namespace warpwalk::pictures
