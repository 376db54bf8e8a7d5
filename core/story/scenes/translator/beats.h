#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

// Scene 2: an op becomes machine code. The dispatcher finds the op's function, the function launches a kernel, and the
// kernel consists of the GPU's instructions.
std::vector<Beat> translator_beats(const Trace& trace, const Walk& walk);
Stage translator(const SceneInput& input);

}  // namespace warpwalk::story
