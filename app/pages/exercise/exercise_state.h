#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/text/text_editor.h"
#include "app/draw/text/text_field.h"
#include "app/draw/ui.h"
#include "app/pages/kernel_lab/editor_view.h"
#include "app/runs/grade_job.h"
#include "core/run/exercise/exercise.h"
#include "core/run/exercise/exercise_work.h"

namespace warpwalk::pages {

/// An exercise with what the student has done on it.
struct OpenedExercise {
  run::Exercise exercise;
  run::ExerciseWork work;
};

/// The state of the page of exercises between frames.
struct ExerciseState {
  draw::UiMemory memory;
  std::vector<OpenedExercise> all;  ///< in the order of the course
  std::size_t open = 0;             ///< index into `all`
  bool listing = true;              ///< the list is shown, and no exercise
  std::size_t listed = 0;           ///< its current row
  draw::TextEditor source;
  draw::TextField student;                    ///< the name for an export
  bool exporting = false;                     ///< the name is asked for
  std::optional<runs::GradeOutcome> outcome;  ///< of the last run of the open exercise
  std::size_t first_row = 0;                  ///< of the verdicts, when they are scrolled
  float side_top = 0;                         ///< how far the side is scrolled, units
  std::string note;                           ///< what was done last (exported, cancelled), one line; may be empty

  bool in_browser = false;  ///< both languages are offered, and PTX first, which needs no compiler
  run::DraftLanguage language = run::DraftLanguage::cuda;  ///< of the starter

  OpenedExercise* opened() { return all.empty() || listing ? nullptr : &all[open]; }
  /// Whether the verdicts are those of the text as it is typed.
  bool up_to_date() const { return outcome && outcome->source == source.text(); }
  const std::string& starter_of(const run::Exercise& exercise) const { return exercise.starter_in(language); }
  bool has_next() const { return !listing && open + 1 < all.size(); }
  bool has_previous() const { return !listing && open > 0; }
  /// Whether the text as it is typed meets all criteria.
  bool passed() const { return up_to_date() && outcome->error.empty() && outcome->grade.passed; }
  /// The lines with messages or with the reason of a criterion that is not met.
  std::vector<EditorMark> marks() const;
};

/// A run that is under way.
struct ExerciseProgress {
  bool running = false;
  std::string what;  ///< "compile", "run" or "cycles"
  std::optional<double> share;
  double seconds = 0;
};

/// The person's request.
struct ExerciseChoice {
  enum class Kind : unsigned char {
    none,
    run,
    cancel,
    hint,
    reset,
    list,
    open,
    next,
    previous,
    take_back,
    ask_name,
    save,
    copy,
    language,
    walk,
    look
  };
  Kind kind = Kind::none;
  std::size_t number = 0;  ///< of open: the exercise; of take_back: the attempt
};

}  // namespace warpwalk::pages
