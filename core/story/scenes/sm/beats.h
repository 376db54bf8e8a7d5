#pragma once

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Scene 5, the VP: one SM takes thread blocks until one of its resources runs out.
std::vector<Beat> sm_beats(const Trace& trace, const Walk& walk);
Stage sm_stage(const SceneInput& input);

}  // namespace warpwalk::story
