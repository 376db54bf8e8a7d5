#include "app/lessons/lesson_stage.h"

#include <memory>
#include <string>
#include <utility>

namespace warpwalk::lessons {

story::Predictions scene_predictions(const LessonStep& step, const story::Predictions& said) {
  story::Predictions heard = said;
  if (step.question) heard.asking = false;
  return heard;
}

void add_lesson_words(const Lesson& lesson, std::size_t step, const story::Narration& narration,
                      const story::Predictions& said, story::Stage& stage) {
  const LessonStep& from = lesson.steps[step];
  const bool asked = stage.question && stage.question->asked();  // then the scene's question is the title
  if (!from.title.empty() && !asked) stage.title = from.title;
  stage.own_words = from.text;
  if (from.question) add_lesson_question(*from.question, lesson.file.filename().string(), step, narration, said, stage);
}

story::Stage slide_stage(const Lesson& lesson, std::size_t step, const story::Narration& narration) {
  const LessonStep& from = lesson.steps[step];
  story::Stage stage;
  stage.scene = slide_scene;
  stage.scene_label = lesson.title;
  stage.key = slide_scene;
  stage.place = narration.text(
      "learner", "lesson",
      {{"title", lesson.title}, {"step", std::to_string(step + 1)}, {"steps", std::to_string(lesson.steps.size())}});
  auto picture = std::make_shared<story::SlidePicture>();
  if (from.slide) {
    stage.title = from.slide->title;
    picture->lines = slide_lines(from.slide->text);
  }
  if (from.picture) picture->photo = from.picture->photo;
  stage.picture = std::shared_ptr<const story::SlidePicture>(std::move(picture));
  return stage;
}

}  // namespace warpwalk::lessons
