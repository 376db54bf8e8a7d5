#pragma once

#include <cstddef>
#include <string_view>

#include "app/lessons/lesson.h"
#include "core/story/elements/narration.h"
#include "core/story/stage/question.h"
#include "core/story/stage/stage.h"

namespace warpwalk::lessons {

/// The predictions for the scene of a step: a scene asks no question if its step has one of its own.
story::Predictions scene_predictions(const LessonStep& step, const story::Predictions& said);

/// Puts what the lesson says at step `step`, from 0, on the stage of its scene: title, words for the class, question.
void add_lesson_words(const Lesson& lesson, std::size_t step, const story::Narration& narration,
                      const story::Predictions& said, story::Stage& stage);

/// The stage of a step that shows a slide or a picture of the lecturer's own, without the lesson's words.
story::Stage slide_stage(const Lesson& lesson, std::size_t step, const story::Narration& narration);

/// The scene of the stage of a slide.
constexpr std::string_view slide_scene = "slide";

}  // namespace warpwalk::lessons
