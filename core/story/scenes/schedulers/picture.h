#pragma once

#include "core/story/pictures/panels.h"
#include "core/story/scenes/schedulers/subject.h"

namespace warpwalk::story {

/// Every warp's state by cycles, and below it the code around the followed warp's instruction, and why it waits.
Panels schedulers_picture(const SceneInput& input, const SchedulersSubject& subject);

}  // namespace warpwalk::story
