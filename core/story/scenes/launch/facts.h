#pragma once

#include <string_view>

#include "core/story/scenes/launch/subject.h"

namespace warpwalk::story {

/// Adds the facts of a beat, and what the trace lacks for it.
void launch_facts(const SceneInput& input, const LaunchSubject& subject, std::string_view beat,
                  const Narration::Values& values, Stage& stage);

}  // namespace warpwalk::story
