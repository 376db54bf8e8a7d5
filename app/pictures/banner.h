#pragma once

#include <string_view>

#include "app/draw/ui.h"

namespace warpwalk::scenes {

inline constexpr float banner_height = 30;

/// A strip that says whose figures or code stand below it, where they are not the trace's own. Hatched like all that is
/// not the program's own work.
void paint_banner(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, std::string_view words, float shown);

}  // namespace warpwalk::scenes
