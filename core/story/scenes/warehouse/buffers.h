#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The stage of a kernel whose buffers have only sizes and contents in the trace (plain_buffers): no addresses, no
/// allocator.
Stage buffers_stage(const SceneInput& input, const std::vector<Beat>& beats);

}  // namespace warpwalk::story
