#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Scene 1: the CPU runs the op down to the launch, and the launch returns before the kernel ends.
std::vector<Beat> boardroom_beats(const Trace& trace, const Walk& walk);
Stage boardroom(const SceneInput& input);

}  // namespace warpwalk::story
