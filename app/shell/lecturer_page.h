#pragma once

#include <optional>
#include <string>

#include "app/draw/canvas.h"
#include "core/story/elements/narration.h"
#include "core/story/stage/question.h"

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
  std::string time_of_day;  ///< "14:05:09"; empty: no clock, in pictures
  std::string elapsed;      ///< since presenting began: "0:12:34"
};

/// Draws the page over the whole canvas.
void paint_lecturer(draw::Canvas& canvas, const LecturerPage& page, const story::Narration& words);

}  // namespace warpwalk::shell
