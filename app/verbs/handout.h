#pragma once

#include "app/verbs/render.h"

namespace warpwalk::verbs {

/// Writes a handout: a lesson, or the beats of a trace, as one HTML file with a page of paper for each moment. Returns
/// the exit status.
int handout(const RenderOptions& options);

}  // namespace warpwalk::verbs
