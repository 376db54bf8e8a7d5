#pragma once

#include "core/story/pictures/table.h"
#include "core/story/scenes/schedulers/subject.h"

namespace warpwalk::story {

/// The state of the followed warp in this cycle and, if it waits, the chain of causes; a click on a row goes to its
/// cycle.
TablePicture why_table(const SceneInput& input, const SchedulersSubject& subject);

}  // namespace warpwalk::story
