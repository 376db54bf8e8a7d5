#pragma once

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Scene 5, the VP: one SM takes thread blocks until one of its resources runs out.
std::vector<Beat> sm_beats(const Trace& trace, const Walk& walk);
Stage sm_stage(const SceneInput& input);

/// The next or the previous cycle at which a block starts or ends on the SM; none if the stage shows no cycles.
std::optional<std::int64_t> sm_stop(const SceneInput& input, bool forward);

}  // namespace warpwalk::story
