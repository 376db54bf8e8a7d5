#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/draw/canvas.h"
#include "app/draw/input.h"
#include "app/shell/lecturer_steps.h"
#include "app/shell/stage_pen.h"
#include "core/story/elements/narration.h"
#include "core/story/stage/question.h"
#include "core/story/stage/stage.h"

namespace warpwalk::shell {

/// The content of the lecturer's window while the class sees the stage.
struct LecturerPage {
  std::string place;   ///< "2 · Translator: how an op becomes a kernel · beat 3 of 6"
  std::string page;    ///< "beat 12 of 47 in this walk"
  std::string lesson;  ///< "STEP 3 OF 13 · title"; empty: no lesson runs
  std::string title;
  std::string sentence;
  std::string note;                         ///< empty: there is none
  std::optional<story::Question> question;  ///< of this beat, with its right answer
  std::string next_title;                   ///< empty: this is the last beat
  std::string next_sentence;
  std::shared_ptr<const story::Stage> shown;      ///< what the class sees, once its motion has ended
  std::shared_ptr<const story::Stage> following;  ///< the next beat or step; null: none, or of another file

  /// What changes while the class looks at one beat.
  struct Live {
    std::string time_of_day;   ///< "14:05:09"; empty: no clock, in pictures
    double step_seconds = 0;   ///< that this step has used
    double total_seconds = 0;  ///< since presenting began
    bool blank = false;        ///< the projected screen is
    std::string message = {};  ///< what the program says, which the projected screen never shows; may be empty
  } live;
  double step_minutes = 0;   ///< planned; 0: not planned
  double total_minutes = 0;  ///< of all steps; 0: not planned
};

/// The parts of the lecturer's window that a person changes.
struct LecturerTools {
  const StagePen* pen = nullptr;       ///< its lines are on the picture of this beat
  StepList* steps = nullptr;           ///< in place of the note while it is shown
  const draw::Input* input = nullptr;  ///< the mouse in the lecturer's window
};

/// Draws the page over the whole canvas.
void paint_lecturer(draw::Canvas& canvas, const LecturerPage& page, const story::Narration& words,
                    const LecturerTools& tools = {});

}  // namespace warpwalk::shell
