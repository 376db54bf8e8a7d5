#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/lessons/lesson_draft.h"

namespace warpwalk::lessons {

/// The draft as text, and back; what cannot be read is left out. It needs none of the files, and keeps what is
/// incomplete. Undo is not part of it.
std::string text_of(const LessonDraft& draft);
std::optional<LessonDraft> draft_of_text(std::string_view text);

}  // namespace warpwalk::lessons
