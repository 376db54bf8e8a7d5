#include "app/shell/lecturer.h"

#include <utility>

#include <fmt/format.h>

#include "app/lessons/lesson_stage.h"
#include "core/base/result.h"
#include "core/records/hardware.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/scene_list.h"

namespace warpwalk::shell {
namespace {

// What a stage is made of.
struct Source {
  const document::View& view;
  const story::SceneInput& from;            ///< of the open view
  const story::Walk& walk;                  ///< of `view`
  const lessons::Lesson* lesson = nullptr;  ///< null: the view is no step of a lesson
  std::size_t step = 0;
};

// The stage of the scene once its motion has ended.
std::optional<story::Stage> scene_stage(const Source& of, const story::Predictions& said) {
  const story::Scene* const scene = story::find_scene(of.view.scene);
  if (scene == nullptr) return {};
  story::Moment moment = of.view.moment;
  moment.phase = 1;
  story::SceneInput input = {.trace = of.from.trace,
                             .walk = of.walk,
                             .narration = of.from.narration,
                             .hardware = of.from.hardware,
                             .moment = moment,
                             .controls = of.view.controls,
                             .naming = of.view.naming,
                             .history = of.from.history,
                             .predictions = said,
                             .overview = of.from.overview,
                             .compared = of.from.compared,
                             .work = of.from.work,
                             .comparison = of.from.comparison};
  auto stage = story::stage_at(*scene, input);
  if (!stage) return {};
  return *std::move(stage);
}

// The same with what the lesson says there. With the predictions of the class it is what the class sees.
std::optional<story::Stage> shown_stage(const Source& of, const story::Predictions& said) {
  if (of.lesson == nullptr) return scene_stage(of, said);
  const lessons::LessonStep& step = of.lesson->steps[of.step];
  std::optional<story::Stage> stage = step.is_slide() ? lessons::slide_stage(*of.lesson, of.step, of.from.narration)
                                                      : scene_stage(of, lessons::scene_predictions(step, said));
  if (stage) lessons::add_lesson_words(*of.lesson, of.step, of.from.narration, said, *stage);
  return stage;
}

// The stage once its motion has ended and its question is answered.
std::optional<story::Stage> ended_stage(const Source& of) {
  story::Predictions said = of.from.predictions;
  said.asking = true;  // the lecturer sees the question even if the class is not asked
  std::optional<story::Stage> stage = shown_stage(of, said);
  if (!stage) return {};
  if (const auto after = story::answered(stage->question, said)) stage = shown_stage(of, *after);
  return stage;
}

}  // namespace

std::string clock_text(long seconds) {
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::vector<StepRow> step_rows(const document::View& view, const story::SceneInput& input,
                               const lessons::Lesson* lesson) {
  std::vector<StepRow> rows;
  const auto title = [&](const document::View& of, std::size_t step) {
    const bool other = of.file != view.file && !(lesson != nullptr && lesson->steps[step].is_slide());
    if (other && !lesson->steps[step].title.empty()) return lesson->steps[step].title;
    if (other) return input.narration.text("lecturer", "other_file", {{"file", of.file.filename().string()}});
    const auto walk = story::chosen_walk(input.trace, of.file == view.file ? of.follow : view.follow);
    const auto stage = walk ? ended_stage({of, input, *walk, lesson, step}) : std::nullopt;
    return stage && !stage->title.empty() ? stage->title : of.scene;
  };
  if (lesson != nullptr) {
    for (std::size_t i = 0; i < lesson->steps.size(); ++i)
      rows.push_back({title(lesson->steps[i].view, i), step_name(i), lesson->steps[i].minutes});
    return rows;
  }
  for (const document::Place& place : document::places_around(view, input.trace, input.walk)) {
    document::View there = view;
    there.scene = place.scene->name;
    there.moment = {story::Moment::Kind::beat, place.beat, 1};
    rows.push_back({title(there, 0), step_name(there.scene, place.beat)});
  }
  return rows;
}

std::string step_name(std::size_t lesson_step) { return fmt::format("step {}", lesson_step); }
std::string step_name(std::string_view scene, std::int64_t beat) { return fmt::format("{} {}", scene, beat); }

LecturerPage lecturer_page(const document::View& view, const story::SceneInput& input, const LessonPlace& place) {
  LecturerPage page;
  const lessons::Lesson* const of_step = place.away ? nullptr : place.lesson;
  const Source source = {view, input, input.walk, of_step, place.step};
  const std::optional<story::Stage> ended = ended_stage(source);
  std::optional<story::Stage> shown = shown_stage(source, input.predictions);
  if (!ended || !shown) return page;
  page.place = ended->scene_number == 0
                   ? fmt::format("{} · {}", ended->scene_label, ended->place)
                   : fmt::format("{} · {} · {}", ended->scene_number, ended->scene_label, ended->place);
  page.note = ended->note;
  page.question = ended->question;
  const std::vector<document::Place> places = document::places_around(view, input.trace, input.walk);
  const std::size_t at = document::place_index(places, view, input.trace, input.walk);
  page.page =
      input.narration.text("lecturer", "page", {{"n", std::to_string(at + 1)}, {"all", std::to_string(places.size())}});
  std::optional<story::Stage> next;
  if (place.lesson != nullptr) {
    const std::vector<lessons::LessonStep>& steps = place.lesson->steps;
    for (const lessons::LessonStep& step : steps) page.total_minutes += step.minutes;
    if (!place.away) page.step_minutes = steps[place.step].minutes;
    page.lesson = input.narration.text("speaker", "head.lesson",
                                       {{"title", place.lesson->title},
                                        {"step", std::to_string(place.step + 1)},
                                        {"steps", std::to_string(steps.size())}});
    if (!place.away && !steps[place.step].note.empty()) page.note = steps[place.step].note;
    if (const std::size_t following = place.step + (place.away ? 0 : 1); following < steps.size()) {
      const document::View& then = steps[following].view;
      if (then.file == view.file || steps[following].is_slide()) {
        const auto walk = story::chosen_walk(input.trace, then.file == view.file ? then.follow : view.follow);
        if (walk) next = ended_stage({then, input, *walk, place.lesson, following});
      }
      if (!next)
        page.next_title = input.narration.text("lecturer", "other_file", {{"file", then.file.filename().string()}});
    }
  } else if (at + 1 < places.size()) {
    next = ended_stage({document::stepped(view, 1, input.trace, input.walk), input, input.walk});
  }
  page.title = shown->title;  // while the class is asked, this is the question
  page.sentence = shown->sentence;
  page.shown = std::make_shared<const story::Stage>(*std::move(shown));
  if (next) {
    page.next_title = next->title;
    page.next_sentence = next->sentence;
    page.following = std::make_shared<const story::Stage>(*std::move(next));
  }
  return page;
}

}  // namespace warpwalk::shell
