#pragma once

#include <optional>

#include "core/story/facts/words/ask.h"
#include "core/story/scenes/sm/subject.h"

namespace warpwalk::story {

/// The question of the beat "limit": which resource runs out first? None if several do, or if the person changed a
/// control.
std::optional<Ask> limit_question(const SceneInput& input, const SmSubject& sm, const Narration::Values& values);

}  // namespace warpwalk::story
