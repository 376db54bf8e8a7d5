#pragma once

#include <string_view>

#include "app/draw/ui.h"

namespace warpwalk::panels {

/// A sheet over everything, in the middle of the canvas, with a heading and a line that says how to close it. Returns
/// the box for its content.
draw::Box sheet(draw::Ui& ui, float width, float height, std::string_view heading, std::string_view closing);

}  // namespace warpwalk::panels
