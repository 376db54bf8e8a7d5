#pragma once

#include "app/draw/imgui_compat.h"

namespace warpwalk::draw {

/// Colors of the tests' pictures.
constexpr ImU32 kBlack = IM_COL32(0, 0, 0, 255);
constexpr ImU32 kWhite = IM_COL32(255, 255, 255, 255);

}  // namespace warpwalk::draw
