#pragma once

#include "app/verbs/render.h"

namespace warpwalk::verbs {

/// Renders the steps of a lesson: pictures or lecturer's pages into a folder, a film, or with `text` the sentences.
/// Returns the exit status.
int render_lesson(const RenderOptions& options);

}  // namespace warpwalk::verbs
