#pragma once

#include <optional>
#include <string_view>

#include "core/story/facts/words/ask.h"
#include "core/story/scenes/schedulers/subject.h"

namespace warpwalk::story {

/// The question of a beat; none if it has none, or if the launch lacks the event that it is about.
std::optional<Ask> schedulers_question(const SceneInput& input, const SchedulersSubject& subject,
                                       std::string_view beat);

}  // namespace warpwalk::story
