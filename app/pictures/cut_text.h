#pragma once

#include <string_view>

#include "app/draw/ui.h"

namespace warpwalk::scenes {

/// Draws one line of text, cut to the width of the box. If it is cut, pointing at it shows the full text.
void paint_cut(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, draw::Style style, ImU32 colour,
               std::string_view text, draw::Align align = draw::Align::left);
/// The same, with the top left corner of the text at `at` and the maximum width `limit`.
void paint_cut(draw::Canvas& canvas, draw::Ui* ui, draw::Point at, draw::Style style, ImU32 colour,
               std::string_view text, float limit);

}  // namespace warpwalk::scenes
