#pragma once

#include <string_view>

#include "app/draw/ui.h"

namespace warpwalk::scenes {

/// One line of text cut to its room; where it is cut, pointing at it shows the whole.
void paint_cut(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, draw::Style style, ImU32 colour,
               std::string_view text, draw::Align align = draw::Align::left);
/// The same with the text's top left corner at `at`, in a width of at most `most`.
void paint_cut(draw::Canvas& canvas, draw::Ui* ui, draw::Point at, draw::Style style, ImU32 colour,
               std::string_view text, float most);

}  // namespace warpwalk::scenes
