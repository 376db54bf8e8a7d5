#pragma once

#include <string>

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

/// Seconds as hours, minutes and seconds: "0:12:34".
std::string clock_text(long seconds);

}  // namespace warpwalk::shell
