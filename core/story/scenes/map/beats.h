#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Scene 8: the company beside the hardware that it represents, and a receipt of where the time went.
std::vector<Beat> map_beats(const Trace& trace, const Walk& walk);
Stage map_back(const SceneInput& input);

}  // namespace warpwalk::story
