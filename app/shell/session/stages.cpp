#include "app/shell/session/stages.h"

#include <utility>

#include <fmt/format.h>

#include "app/document/recorded.h"
#include "app/lessons/lesson_stage.h"
#include "app/pages/keymap.h"
#include "app/shell/session/lesson_place.h"
#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/scene_list.h"

namespace warpwalk::shell {
namespace {

// Whether the stage is the last one of the lesson or, without a lesson, of the walk.
bool is_end(const pages::Opened& opened) {
  if (opened.lesson)
    return opened.lesson_step + 1 == opened.lesson->steps.size() &&
           shows_step(opened, opened.lesson->steps.back().view);
  const bool last_scene = opened.stage->scene == story::scenes().back().name;
  return (last_scene || opened.stage->step) && opened.stage->beat == opened.stage->beats;
}

}  // namespace

std::string recorded_instead(const pages::Opened& opened, const story::Narration& words) {
  const story::SliceId recorded = document::recorded_from(*opened.document, opened.walk.kernel);
  if (recorded == story::no_slice || recorded == opened.walk.kernel) return {};
  const trace::Trace& trace = opened.document->trace();
  return words.text("hint", "recorded",
                    {{"key", pages::key_of(pages::Action::recorded, words)},
                     {"kernel", analysis::shortened(analysis::label_of(trace, recorded), 30)},
                     {"number", story::follow_name(trace, recorded)}});
}

StageKey Stages::key_of(const pages::Opened& opened) const {
  return {opened.document,
          opened.view,
          opened.walk,
          opened.predictions,
          opened.score,
          histories_.view(),
          opened.compared,
          advice_.overview_of(*opened.document),
          opened.lesson ? opened.lesson_step + 1 : 0,
          lessons_};
}

story::HistoryView Stages::history_of(const pages::Opened& opened) const {
  story::HistoryView view = histories_.view();
  if (view.state != story::HistoryView::State::impossible) return view;
  view.instead = recorded_instead(opened, words_);
  return view;
}

story::SceneInput Stages::input_at(const pages::Opened& opened, const story::Moment& moment) const {
  const std::shared_ptr<const analysis::Overview> predicted = advice_.overview_of(*opened.document);
  return {.trace = opened.document->trace(),
          .walk = opened.walk,
          .narration = words_,
          .hardware = hardware_,
          .moment = moment,
          .controls = opened.view.controls,
          .naming = opened.view.naming,
          .history = history_of(opened),
          .predictions = opened.predictions,
          .overview = predicted ? predicted.get() : &opened.document->overview,  // kept by the job
          .compared = opened.compared.get(),
          .work = &opened.document->work,
          .comparison = opened.comparison.get(),
          .ranks = opened.document->ranks.get(),
          .rank = opened.document->rank,
          .dump = opened.document->dump.get()};
}

// The stage of the scene. A beat that this trace does not have becomes the last one.
base::Result<void> Stages::make_stage(pages::Opened& opened, const story::Scene& scene,
                                      const lessons::LessonStep* step) {
  const auto made_at = [&](const story::Moment& moment) {
    story::SceneInput input = input_at(opened, moment);
    if (step != nullptr) input.predictions = lessons::scene_predictions(*step, input.predictions);
    return story::stage_at(scene, input);
  };
  auto stage = made_at(opened.view.moment);
  base::Result<void> done;
  if (!stage) {
    done = base::Error{stage.error()};
    const auto beats = static_cast<std::int64_t>(scene.beats(opened.document->trace(), opened.walk).size());
    opened.view.moment = {story::Moment::Kind::beat, beats, 1};
    stage = made_at(opened.view.moment);
  }
  opened.stage = *std::move(stage);
  return done;
}

void Stages::predict_advice(const pages::Opened& opened) {
  const bool listed = opened.stage->scene == document::overview_scene && opened.stage->key == "change";
  if (listed && !opened.document->overview.advice.empty()) advice_.want(opened.document, hardware_.devices);
}

base::Result<void> Stages::update(pages::Opened& opened) {
  advice_.watch();
  StageKey key = key_of(opened);
  const story::HistoryView history = key.history;  // as it was before the stage, which may show a later one
  if (!shows_history_) key.history = key_.history;
  if (opened.stage && key == key_) return {};
  const story::Scene* scene = story::find_scene(opened.view.scene);
  if (scene == nullptr) scene = &story::scenes().front();
  std::optional<std::string> error;
  const trace::Trace& trace = opened.document->trace();
  if (auto moment = story::resolved_moment(*scene, trace, opened.walk, opened.view.moment))
    opened.view.moment = *std::move(moment);
  const lessons::LessonStep* const step = shown_step(opened);
  if (step != nullptr && step->is_slide()) {
    opened.stage = lessons::slide_stage(*opened.lesson, opened.lesson_step, words_);
    slides_ = {std::move(slides_[1]), *opened.stage};
    opened.view.moment.phase = 1;
  } else if (const auto done = make_stage(opened, *scene, step); !done) {
    error = done.error();
  }
  if (step != nullptr && shown_step(opened) == step)
    lessons::add_lesson_words(*opened.lesson, opened.lesson_step, words_, opened.predictions, *opened.stage);
  predict_advice(opened);
  if (opened.predictions.asking && is_end(opened)) opened.stage->score = opened.score.text(words_);
  key_ = std::move(key);
  key_.view = opened.view;
  key_.history = history;
  shows_history_ =
      !(step != nullptr && step->is_slide()) && story::uses_history(*scene, trace, opened.walk, opened.view.moment);
  if (error) return base::Error{*error};
  return {};
}

void Stages::want_history(const pages::Opened& opened) {
  if (!options_) return;
  const story::SliceId kernel = opened.document ? opened.walk.kernel : story::no_slice;
  const bool any =
      kernel != story::no_slice && opened.document->trace().slices.kind[kernel] == trace::SliceKind::kernel;
  std::optional<gpu::Device> device;
  if (any) device = story::simulated_device(opened.document->trace(), opened.walk, hardware_);
  if (!device) {
    histories_.want_none();
    return;
  }
  run::HistoryOptions options = *options_;
  options.device = std::move(*device);
  histories_.want(opened.document, kernel, options);
  histories_.want_number(story::number_request(opened.document->trace(), opened.walk, opened.view.controls));
  if (const story::Scene* const scene = story::find_scene(opened.view.scene))
    histories_.want_changed(
        story::what_if_of(*scene, opened.document->trace(), opened.walk, opened.view.moment, opened.view.controls));
}

// Also if the history has changed since the stage was made: the worker may end between two frames.
bool Stages::waiting(const pages::Opened& opened) const {
  if (opened.stage && advice_.busy()) return true;
  return opened.stage && shows_history_ && (histories_.busy() || !(key_.history == histories_.view()));
}

}  // namespace warpwalk::shell
