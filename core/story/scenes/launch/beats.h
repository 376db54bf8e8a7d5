#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Scene 4: the launch waits in its stream, crosses to the GPU, and its grid is handed out to the SMs in waves.
/// Controls: launch.grid (blocks), launch.block (threads per block), launch.gpu (0 as recorded, 1 to 3 the described
/// GPUs of 2, 8 and 132 SMs), launch.placement (0 recorded, 1 simulated; only if one was recorded), and launch.follow
/// (a block's number), which is set by pointing.
std::vector<Beat> launch_beats(const Trace& trace, const Walk& walk);
Stage launch(const SceneInput& input);

/// The next or the previous cycle at which a block starts or ends; none if the stage shows no cycles.
std::optional<std::int64_t> launch_stop(const SceneInput& input, bool forward);

}  // namespace warpwalk::story
