#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include "core/base/result.h"
#include "core/story/elements/narration.h"
#include "core/story/stage/stage.h"

namespace warpwalk::lessons {

/// A question that a teacher wrote for a step of a lesson.
struct LessonQuestion {
  std::string text;
  std::vector<std::string> options;     ///< 2 to story::max_options
  std::size_t right = 0;                ///< index into `options`
  std::string why;                      ///< the reason, shown with the answer; may be empty
  bool shows = false;                   ///< the question is about what the step shows, so all of it is there before
  std::vector<std::string> wrong = {};  ///< for each option why it is wrong, "" for the right one; or no reasons at all
  /// Names the question in saved answers, also after its step has moved; empty: the number of the step does.
  std::string id = {};
};

/// Reads {"text": ..., "options": [..., ...], "right": 2, "why": ..., "wrong": [..., ...], "shows": true, "id": ...};
/// "right" counts from 1. On failure: one line.
base::Result<LessonQuestion> read_lesson_question(const rapidjson::Value& from);

/// Whether a text can be the id of a question: 1 to 40 letters, digits, "-" and "_".
bool is_question_id(std::string_view text);
/// The key of a step's question in saved answers: "lesson.limit", or without an id "lesson.3". `step`: from 0.
std::string question_key(const LessonQuestion& question, std::size_t step);

/// Puts the question on the stage of step `step`, from 0, if questions are on, in place of the scene's own. Until it is
/// answered, sentence, facts and the values in the picture are hidden, since they may tell the answer, unless the
/// question `shows`.
/// `lesson`: the name of the lesson's file, which distinguishes the answers to two lessons.
void add_lesson_question(const LessonQuestion& question, const std::string& lesson, std::size_t step,
                         const story::Narration& narration, const story::Predictions& said, story::Stage& stage);

}  // namespace warpwalk::lessons
