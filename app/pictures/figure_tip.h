#pragma once

#include <string>
#include <string_view>

#include "app/draw/ui.h"
#include "core/story/elements/figure.h"

namespace warpwalk::scenes {

/// Returns a figure's tooltip: "Blocks: 128, derived: grid x × y × z". The source of a constant is on a line of its
/// own. Without a label, the tooltip starts with the value.
std::string figure_tip(const draw::Ui& ui, std::string_view label, const story::Figure& figure);

}  // namespace warpwalk::scenes
