#pragma once

#include <optional>
#include <string>

#include "app/draw/ui.h"
#include "app/pages/keymap.h"
#include "app/shell/parts.h"

namespace warpwalk::shell {

/// The height of the speaker's note, or of the lesson's text, below the stage: as much as it needs; 0 if it is not
/// shown.
float speaker_note_height(const draw::Canvas& canvas, const Parts& parts, float width);
/// Draws it. Returns true if the person wants to go on where the lesson was left last.
bool paint_speaker_note(draw::Ui& ui, const draw::Box& box, const Parts& parts);

/// Whether the stage is the overview of a trace, below which are the keys that lead on.
bool is_overview(const pages::Opened& opened);
/// Draws these keys. Returns the action of the one that was pressed.
std::optional<pages::Action> overview_keys(draw::Ui& ui, const draw::Box& box, const Parts& parts);

/// The line in the bar: the progress of background work, the step of the lesson, or a hint; empty: nothing. `work`:
/// what runs in the background, as Pages::work(). `lesson_said`: the speaker's note names the step of the lesson
/// already.
std::string frame_hint(const Parts& parts, const std::string& work, bool lesson_said = false);

}  // namespace warpwalk::shell
