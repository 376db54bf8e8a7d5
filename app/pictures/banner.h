#pragma once

#include <string_view>

#include "app/draw/ui.h"

namespace warpwalk::scenes {

inline constexpr float banner_height = 30;

/// Draws a strip that names the source of the values or code below it if they are not from the trace. The strip is
/// hatched, like everything that is not the traced program's own work.
void paint_banner(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, std::string_view words, float shown);

}  // namespace warpwalk::scenes
