#pragma once

#include <cstdint>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The number of the block that all scenes follow: the one that the person chose in scene 4, else that of the
/// followed number, else the first of the grid. `blocks`: of the grid that is shown, at least 1.
std::uint64_t followed_block(const SceneInput& input, std::uint64_t blocks);

}  // namespace warpwalk::story
