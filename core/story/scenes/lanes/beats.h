#pragma once

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Scene 7, the workers: one instruction of one warp on its 32 lanes.
std::vector<Beat> lanes_beats(const Trace& trace, const Walk& walk);
Stage lanes(const SceneInput& input);

/// The next or the previous instruction of the followed warp; none if there is none near, or no cycles are known.
std::optional<std::int64_t> lanes_stop(const SceneInput& input, bool forward);

}  // namespace warpwalk::story
