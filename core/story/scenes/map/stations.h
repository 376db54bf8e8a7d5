#pragma once

#include <vector>

#include "core/story/scenes/map/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The seven desks of the company, the hardware that each represents, and its value in this run. `folded`: 0 shows the
/// company's names, 1 the hardware's.
std::vector<Station> map_stations(const SceneInput& input, double folded);

}  // namespace warpwalk::story
