#pragma once

#include <string_view>

#include "core/story/pictures/panels.h"
#include "core/story/scenes/schedulers/subject.h"

namespace warpwalk::story {

/// Every warp's state by cycles, and below it the code around the followed warp's instruction, and why it waits.
/// In the beat about a loop, its passes in place of the warps; in the one about the whole GPU, all SMs by cycles.
Panels schedulers_picture(const SceneInput& input, std::string_view beat, const SchedulersSubject& subject);

}  // namespace warpwalk::story
