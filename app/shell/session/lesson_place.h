#pragma once

#include "app/pages/context.h"

namespace warpwalk::shell {

/// Whether the open view, whose moment is resolved, shows the moment of a step.
bool shows_step(const pages::Opened& opened, const document::View& step);

/// The step of the open lesson that the window shows; null: no lesson is open, or the person has gone elsewhere.
const lessons::LessonStep* shown_step(const pages::Opened& opened);

/// Whether the person has gone from the step of the open lesson to another scene or beat, where its text says nothing.
/// What was set or followed there, and moments within the scene, do not count.
bool away_from_step(const pages::Opened& opened);

/// The title of the open lesson, its step and the number of its steps, for texts about it.
story::Narration::Values lesson_values(const pages::Opened& opened);

}  // namespace warpwalk::shell
