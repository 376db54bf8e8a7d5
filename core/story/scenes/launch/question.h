#pragma once

#include <optional>

#include "core/story/facts/words/ask.h"
#include "core/story/scenes/launch/subject.h"

namespace warpwalk::story {

/// The question of the beat "place": how many SMs get a block at first? None for a launch that the person changed, or
/// if there is nothing to choose from.
std::optional<Ask> place_question(const SceneInput& input, const LaunchSubject& subject,
                                  const Narration::Values& values);

}  // namespace warpwalk::story
