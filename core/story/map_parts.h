#pragma once

#include <vector>

#include "core/story/scene.h"

namespace warpwalk::story {

/// The seven desks of the company with the hardware that each stands for, and what each was in this run. `folded`: 0
/// the company's names stand, 1 the hardware's.
std::vector<Station> map_stations(const SceneInput& input, double folded);

}  // namespace warpwalk::story
