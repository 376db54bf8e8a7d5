#pragma once

#include "app/draw/fonts.h"

namespace warpwalk::window {

/// Chooses the type's size for the screen and the window; in steps, so that dragging an edge does not rebuild the fonts
/// all the time. In a window smaller than the design's size it shrinks to three quarters, because small words are easier
/// to read than cut ones. `width` and `height` in pixels; `density`: pixels of a unit that the screen asks for; `chosen`:
/// those that the user has chosen, or 0.
draw::FontOptions working_type(int width, int height, float density, double chosen);

/// The type of the lecturer's window.
draw::FontOptions lecturer_type(int width, int height, float density);

}  // namespace warpwalk::window
