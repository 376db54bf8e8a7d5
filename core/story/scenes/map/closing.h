#pragma once

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The last page of a walk: what it showed, with its own figures, what to try, and where to go from there.
void add_closing(const SceneInput& input, Narration::Values values, Stage& stage);

}  // namespace warpwalk::story
