#pragma once

#include <string>

#include "app/shell/parts.h"

namespace warpwalk::shell {

/// The line in the bar: the progress of background work, the step of the lesson, or a hint; empty: nothing. `work`:
/// what runs in the background, as Pages::work().
std::string frame_hint(const Parts& parts, const std::string& work);

/// The title of the lesson, its step and the number of its steps. There must be a lesson.
story::Narration::Values lesson_values(const pages::Opened& opened);

}  // namespace warpwalk::shell
