#pragma once

#include <string>

#include "app/pages/exercise/exercise_state.h"

namespace warpwalk::pages {

/// The page of exercises over the whole canvas: the list, or an exercise with its editor, the verdicts of the last run,
/// the task, the place between starter and best known, hints and earlier attempts. Ctrl+Enter runs, Ctrl+H shows the
/// next hint, Ctrl+O the list, Ctrl+J and Ctrl+K the next and the previous exercise, Ctrl+S exports; Tab visits
/// everything.
ExerciseChoice exercise_view(draw::Ui& ui, ExerciseState& state, const ExerciseProgress& progress,
                             const std::string& gpu);

/// The verdicts of the last run, one below the other, each with its reason. A click goes to its line.
void exercise_verdicts(draw::Ui& ui, ExerciseState& state, const draw::Box& box);

/// The task and what belongs to it, at the right of the editor.
ExerciseChoice exercise_side(draw::Ui& ui, ExerciseState& state, const draw::Box& box);

/// A button as wide as its text, with its left edge at `x`, which moves behind it. Returns true if it was pressed.
bool text_button(draw::Ui& ui, std::string_view id, float& x, float y, const std::string& text, bool on = false);

}  // namespace warpwalk::pages
