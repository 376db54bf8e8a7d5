#include "app/shell/lecturer.h"

#include <fmt/format.h>

#include "core/base/result.h"
#include "core/records/hardware.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/scene_list.h"

namespace warpwalk::shell {
namespace {

// The stage once its motion has ended, with its question as the class sees it.
std::optional<story::Stage> shown_stage(const document::View& view, const story::SceneInput& from,
                                        const story::Walk& walk, const story::Predictions& said) {
  const story::Scene* const scene = story::find_scene(view.scene);
  if (scene == nullptr) return {};
  story::Moment moment = view.moment;
  moment.phase = 1;
  story::SceneInput input = {.trace = from.trace,
                             .walk = walk,
                             .narration = from.narration,
                             .hardware = from.hardware,
                             .moment = moment,
                             .controls = view.controls,
                             .naming = view.naming,
                             .history = from.history,
                             .predictions = said,
                             .overview = from.overview,
                             .compared = from.compared};
  auto stage = story::stage_at(*scene, input);
  if (!stage) return {};
  return *std::move(stage);
}

// The stage once its motion has ended and its question is answered.
std::optional<story::Stage> ended_stage(const document::View& view, const story::SceneInput& from,
                                        const story::Walk& walk) {
  story::Predictions said = from.predictions;
  said.asking = true;  // the lecturer sees the question even if the class is not asked
  std::optional<story::Stage> stage = shown_stage(view, from, walk, said);
  if (!stage) return {};
  if (const auto after = story::answered(stage->question, said)) stage = shown_stage(view, from, walk, *after);
  return stage;
}

}  // namespace

std::string clock_text(long seconds) {
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

LecturerPage lecturer_page(const document::View& view, const story::SceneInput& input, const LessonPlace& place) {
  LecturerPage page;
  const std::optional<story::Stage> stage = ended_stage(view, input, input.walk);
  if (!stage) return page;
  page.place = stage->scene_number == 0
                   ? fmt::format("{} · {}", stage->scene_label, stage->place)
                   : fmt::format("{} · {} · {}", stage->scene_number, stage->scene_label, stage->place);
  // While the class is asked, its screen has the question.
  const std::optional<story::Stage> seen = shown_stage(view, input, input.walk, input.predictions);
  page.title = seen->title;
  page.sentence = seen->sentence;
  page.note = stage->note;
  page.question = stage->question;
  const std::vector<document::Place> places = document::places_around(view, input.trace, input.walk);
  const std::size_t at = document::place_index(places, view, input.trace, input.walk);
  page.page =
      input.narration.text("lecturer", "page", {{"n", std::to_string(at + 1)}, {"all", std::to_string(places.size())}});
  std::optional<story::Stage> next;
  if (place.lesson != nullptr) {
    const std::vector<lessons::LessonStep>& steps = place.lesson->steps;
    page.lesson = input.narration.text("speaker", "head.lesson",
                                       {{"title", place.lesson->title},
                                        {"step", std::to_string(place.step + 1)},
                                        {"steps", std::to_string(steps.size())}});
    if (!place.away && !steps[place.step].note.empty()) page.note = steps[place.step].note;
    if (const auto& question = steps[place.step].question; question && !page.question && !place.away) {
      story::Predictions said = input.predictions;
      said.asking = true;
      const std::string lesson = place.lesson->file.filename().string();
      story::Stage posed;
      lessons::add_lesson_question(*question, lesson, place.step, input.narration, said, posed);
      if (const auto after = story::answered(posed.question, said)) said = *after;
      story::Stage seen_by_class = *seen;
      lessons::add_lesson_question(*question, lesson, place.step, input.narration, input.predictions, seen_by_class);
      page.title = seen_by_class.title;
      page.sentence = seen_by_class.sentence;
      posed.question.reset();
      lessons::add_lesson_question(*question, lesson, place.step, input.narration, said, posed);
      page.question = posed.question;
    }
    if (const std::size_t following = place.step + (place.away ? 0 : 1); following < steps.size()) {
      const document::View& then = steps[following].view;
      if (then.file == view.file) {
        const auto walk = story::chosen_walk(input.trace, then.follow);
        if (walk) next = ended_stage(then, input, *walk);
      }
      if (!next)
        page.next_title = input.narration.text("lecturer", "other_file", {{"file", then.file.filename().string()}});
    }
  } else if (at + 1 < places.size()) {
    next = ended_stage(document::stepped(view, 1, input.trace, input.walk), input, input.walk);
  }
  if (next) {
    page.next_title = next->title;
    page.next_sentence = next->sentence;
  }
  return page;
}

}  // namespace warpwalk::shell
