#pragma once

#include <string_view>

#include "core/story/scenes/translator/subject.h"

namespace warpwalk::story {

/// Adds the facts of a beat, and what the trace lacks for it.
void translator_facts(const SceneInput& input, const TranslatorSubject& subject, std::string_view beat,
                      const Narration::Values& values, Stage& stage);

}  // namespace warpwalk::story
