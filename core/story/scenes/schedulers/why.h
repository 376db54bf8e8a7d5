#pragma once

#include "core/story/pictures/table.h"
#include "core/story/scenes/schedulers/subject.h"

namespace warpwalk::story {

/// What the followed warp does in this cycle, and if it waits, the chain of causes: each row can be gone to.
TablePicture why_table(const SceneInput& input, const SchedulersSubject& subject);

}  // namespace warpwalk::story
