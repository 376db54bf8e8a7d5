#pragma once

// Text that several pictures have: cut to a width, the tooltip of a figure, and the banner.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/draw/ui.h"
#include "core/story/elements/figure.h"

namespace warpwalk::pictures {

/// Draws one line of text, cut to the width of the box. If it is cut, pointing at it shows the full text.
void paint_cut(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, draw::Style style, ImU32 colour,
               std::string_view text, draw::Align align = draw::Align::left);
/// The same, with the top left corner of the text at `at` and the maximum width `limit`.
void paint_cut(draw::Canvas& canvas, draw::Ui* ui, draw::Point at, draw::Style style, ImU32 colour,
               std::string_view text, float limit);

/// Returns a figure's tooltip: "Blocks: 128, derived: grid x × y × z". The source of a constant is on a line of its
/// own. Without a label, the tooltip starts with the value.
std::string figure_tip(const draw::Ui& ui, std::string_view label, const story::Figure& figure);

/// Draws a small mark whose shape says where a figure comes from: measured a disc, simulated a ring, derived a
/// triangle, explained a dash.
void paint_origin_mark(draw::Canvas& canvas, draw::Point centre, story::Origin origin, ImU32 colour);

/// Origins and their names.
using OriginWords = std::vector<std::pair<story::Origin, std::string>>;
/// The width of these names with their marks in one line.
float origins_width(const draw::Canvas& canvas, const OriginWords& words);
/// Draws them; the line's right end is at `right`.
void paint_origins(draw::Canvas& canvas, float right, float middle, const OriginWords& words);

inline constexpr float banner_height = 30;

/// Draws a strip that names the source of the values or code below it if they are not from the trace. The strip is
/// hatched, like everything that is not the traced program's own work.
void paint_banner(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, std::string_view words, float shown);

}  // namespace warpwalk::pictures
