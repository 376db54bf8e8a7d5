#pragma once

#include <optional>
#include <string_view>

#include "core/story/facts/words/ask.h"
#include "core/story/scenes/lanes/subject.h"

namespace warpwalk::story {

/// The question of a beat about its instruction; none if it has none, or if the launch lacks what it is about.
std::optional<Ask> lanes_question(const SceneInput& input, const LanesSubject& subject, std::string_view beat);

}  // namespace warpwalk::story
