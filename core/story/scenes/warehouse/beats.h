#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

std::vector<Beat> warehouse_beats(const Trace& trace, const Walk& walk);
Stage warehouse(const SceneInput& input);

}  // namespace warpwalk::story
