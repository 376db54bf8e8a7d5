#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/draw/canvas.h"
#include "core/story/pictures/tone.h"

namespace warpwalk::pictures {

/// Returns the theme's colour for a tone.
ImU32 colour_of(story::Tone tone, const draw::Theme& theme);

/// The least contrast of text with what it stands on (WCAG 2.1, level AA).
constexpr float least_text_contrast = 4.5f;

/// The colour that fills a mark of this tone: as full as text on it allows.
ImU32 fill_of(story::Tone tone, const draw::Theme& theme);
/// A colour of this tone that can be seen on the ground: this share of it, or as much more as a contrast of 3 needs
/// (WCAG 2.1, level AA, for marks).
ImU32 mark_of(story::Tone tone, const draw::Theme& theme, float share);
/// The colour of the lines across a refused mark.
ImU32 hatch_of_refused(const draw::Theme& theme);
/// The colour of text on a mark of this tone.
ImU32 text_on(story::Tone tone, const draw::Theme& theme);

/// Fills a mark in the colour of this tone. Refused marks are also hatched where they are large
/// enough, so that colour is not the only sign.
void paint_tone(draw::Canvas& canvas, const draw::Box& box, story::Tone tone, float rounding);

/// What tones mean in a picture, in the order of the legend.
using Legend = std::vector<std::pair<story::Tone, std::string>>;
/// Draws swatches with their words from the top left, on as many lines as needed.
void paint_legend(draw::Canvas& canvas, const draw::Box& box, const Legend& legend);
/// The height that a legend takes; 0 if it is empty.
float legend_height(const draw::Canvas& canvas, float width, const Legend& legend);

}  // namespace warpwalk::pictures
