#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/view.h"
#include "app/lessons/lesson.h"
#include "app/shell/lecturer_page.h"

namespace warpwalk::shell {

/// The lesson that runs, and its step.
struct LessonPlace {
  const lessons::Lesson* lesson = nullptr;  ///< null: none
  std::size_t step = 0;
  bool away = false;  ///< the view is outside of the lesson; the next beat is that of the step
};

/// The lecturer's page of a view, without a clock. `input` is that of the view; the page shows the beat and the next
/// one as they end, with the answers to their questions.
LecturerPage lecturer_page(const document::View& view, const story::SceneInput& input, const LessonPlace& place);

/// The rows of the list of steps: those of the lesson or, without one, the beats that the arrow keys step through, with
/// their titles. `view` and `input` are those of the open view. Steps of other files are named by their file.
std::vector<StepRow> step_rows(const document::View& view, const story::SceneInput& input,
                               const lessons::Lesson* lesson);
/// The names of steps for StepClock: of a lesson's step, from 0, and of a beat.
std::string step_name(std::size_t lesson_step);
std::string step_name(std::string_view scene, std::int64_t beat);

/// Seconds as hours, minutes and seconds: "0:12:34".
std::string clock_text(long seconds);

}  // namespace warpwalk::shell
