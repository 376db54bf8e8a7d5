#include "app/shell/session/lesson_place.h"

#include <algorithm>
#include <cstdint>

#include "core/story/scene_list.h"

namespace warpwalk::shell {

bool shows_step(const pages::Opened& opened, const document::View& step) {
  if (opened.view.scene != step.scene || !opened.document) return false;
  const story::Scene* const scene = story::find_scene(step.scene);
  if (scene == nullptr) return false;
  const story::Moment& shown = opened.view.moment;
  const auto wanted = story::resolved_moment(*scene, opened.document->trace(), opened.walk, step.moment);
  return wanted && shown.kind == wanted->kind && shown.value == wanted->value;
}

const lessons::LessonStep* shown_step(const pages::Opened& opened) {
  if (!opened.lesson) return nullptr;
  const lessons::LessonStep& step = opened.lesson->steps[opened.lesson_step];
  return shows_step(opened, step.view) ? &step : nullptr;
}

bool away_from_step(const pages::Opened& opened) {
  if (!opened.lesson || !opened.document || opened.wanted) return false;  // wanted: its file is being read
  const document::View& step = opened.lesson->steps[opened.lesson_step].view;
  if (opened.view.scene != step.scene) return true;
  const story::Scene* const scene = story::find_scene(step.scene);
  if (scene == nullptr || opened.view.moment.kind != story::Moment::Kind::beat) return false;
  const trace::Trace& trace = opened.document->trace();
  const auto wanted = story::resolved_moment(*scene, trace, opened.walk, step.moment);
  if (!wanted || wanted->kind != story::Moment::Kind::beat) return false;  // a beat that is not there
  const auto beats = static_cast<std::int64_t>(scene->beats(trace, opened.walk).size());
  return opened.view.moment.value != std::min(wanted->value, beats);
}

story::Narration::Values lesson_values(const pages::Opened& opened) {
  return {{"title", opened.lesson->title},
          {"step", std::to_string(opened.lesson_step + 1)},
          {"steps", std::to_string(opened.lesson->steps.size())}};
}

}  // namespace warpwalk::shell
