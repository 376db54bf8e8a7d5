#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

// Scene 2: an op becomes machine code. It finds its row in the dispatcher's table, the row's function orders a kernel,
// and the kernel is the GPU's instructions.
std::vector<Beat> translator_beats(const Trace& trace, const Walk& walk);
Stage translator(const SceneInput& input);

}  // namespace warpwalk::story
