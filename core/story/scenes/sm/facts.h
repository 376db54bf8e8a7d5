#pragma once

#include <string_view>

#include "core/story/scenes/sm/subject.h"

namespace warpwalk::story {

/// Adds the facts of a beat, and what the trace lacks for it.
void sm_facts(const SceneInput& input, const SmSubject& sm, std::string_view beat, const SmGains& gains,
              const Narration::Values& values, Stage& stage);

}  // namespace warpwalk::story
