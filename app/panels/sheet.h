#pragma once

#include <string_view>

#include "app/draw/ui.h"

namespace warpwalk::panels {

/// A sheet over everything, in the middle: its heading, how it is closed, and the room inside, which it returns.
draw::Box sheet(draw::Ui& ui, float width, float height, std::string_view heading, std::string_view closing);

}  // namespace warpwalk::panels
