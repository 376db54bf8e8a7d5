#include "app/pages/lesson/step_stages.h"

#include <algorithm>
#include <utility>

#include "app/lessons/lesson_stage.h"
#include "app/lessons/lesson_writer.h"
#include "app/pages/lesson/lesson_cards.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/scene_list.h"

namespace warpwalk::pages {

using lessons::DraftStep;
using lessons::whole_path;

// Notes what the scene of a step shows; nothing if the trace lacks it.
void StepStages::make(const DraftStep& step, const document::Document& document) {
  const document::View& view = step.view;
  Scene made;
  const trace::Trace& trace = document.trace();
  const story::Scene* const scene = story::find_scene(view.scene);
  const auto walk = story::chosen_walk(trace, view.follow);
  if (scene != nullptr && walk && !scene->beats(trace, *walk).empty()) {
    const Opened& opened = context_.opened;
    const bool followed = opened.document.get() == &document && opened.walk.kernel == walk->kernel;
    story::SceneInput input = {.trace = trace,
                               .walk = *walk,
                               .narration = context_.environment.words,
                               .hardware = context_.environment.hardware,
                               .moment = view.moment,
                               .controls = view.controls,
                               .naming = view.naming,
                               .history = followed ? context_.histories.view() : story::HistoryView{},
                               .overview = &document.overview,
                               .ranks = document.ranks.get(),
                               .rank = document.rank,
                               .dump = document.dump.get()};
    if (auto stage = story::stage_at(*scene, input))
      made.stage = std::make_shared<const story::Stage>(*std::move(stage));
    input.predictions.asking = true;
    if (const auto asking = story::stage_at(*scene, input); asking && asking->question)
      made.question = asking->question->text;
  }
  scenes_[step.id] = std::move(made);
  shown_.erase(step.id);
}

void StepStages::go_on(const std::vector<DraftStep>& steps) {
  if (std::exchange(forgets_, false)) shown_.clear();
  busy_ = std::exchange(painted_, false);  // there may be more to paint
  const auto is_of = [](const DraftStep& step, const std::shared_ptr<const document::Document>& document) {
    return document != nullptr && whole_path(step.view.file) == whole_path(document->file);
  };
  if (std::shared_ptr<const document::Document> read = loader_.poll()) {
    if (read->read.error)
      unreadable_.insert(whole_path(read->file));
    else
      other_ = std::move(read);
  }
  const DraftStep* unread = nullptr;
  for (const DraftStep& step : steps) {
    if (step.is_slide || scenes_.contains(step.id)) continue;
    if (is_of(step, context_.opened.document)) {
      make(step, *context_.opened.document);
      busy_ = true;
      return;
    }
    if (is_of(step, other_)) {
      make(step, *other_);
      busy_ = true;
      return;
    }
    if (unread == nullptr && !unreadable_.contains(whole_path(step.view.file))) unread = &step;
  }
  if (unread == nullptr) {
    other_.reset();
    loader_.cancel();
    return;
  }
  busy_ = true;
  if (!loader_.busy()) loader_.open(whole_path(unread->view.file));
}

const StepStages::Scene* StepStages::scene_of(const DraftStep& step) const {
  const auto found = scenes_.find(step.id);
  return step.is_slide || found == scenes_.end() ? nullptr : &found->second;
}

story::Stage StepStages::slide(const DraftStep& step, std::shared_ptr<const story::Photo> photo) const {
  lessons::Lesson lesson;
  lessons::LessonStep& from = lesson.steps.emplace_back();
  from.title = step.title;
  from.text = step.text;
  if (!step.slide.empty()) from.slide = step.slide;
  if (photo != nullptr) from.picture = {{}, std::move(photo)};
  story::Stage stage = lessons::slide_stage(lesson, 0, context_.environment.words);
  lessons::add_lesson_words(lesson, 0, context_.environment.words, {}, stage);
  return stage;
}

const story::Stage* StepStages::stage_of(const DraftStep& step, const std::filesystem::path& folder) {
  const auto found = shown_.find(step.id);
  const bool same_folder = found != shown_.end() && found->second.folder == folder;
  if (same_folder && found->second.of == step) return &found->second.stage;
  Shown shown = {step, folder, {}, {}, {}, nullptr, {}};
  if (step.is_slide) {
    if (same_folder && found->second.of.picture == step.picture) {
      shown.photo = std::move(found->second.photo);
      shown.problem = std::move(found->second.problem);
    } else if (!step.picture.empty()) {
      auto photo = lessons::read_photo(lessons::picture_path(step.picture, folder));
      if (photo)
        shown.photo = *std::move(photo);
      else
        shown.problem = photo.error();
    }
    shown.stage = slide(step, shown.photo);
  } else {
    const Scene* const scene = scene_of(step);
    if (scene == nullptr || scene->stage == nullptr) return nullptr;
    shown.stage = *scene->stage;
    if (!step.title.empty()) shown.stage.title = step.title;
    shown.stage.own_words = step.text;
  }
  return &(shown_[step.id] = std::move(shown)).stage;
}

const story::Photo* StepStages::picture_of(const DraftStep& step, const draw::Canvas& canvas) {
  const auto found = shown_.find(step.id);
  if (found == shown_.end()) return nullptr;
  Shown& shown = found->second;
  const std::pair<float, ImU32> with = {canvas.line_height(draw::Style::label), canvas.theme().ground};
  if (shown.picture != nullptr && shown.painted_with == with) return shown.picture.get();
  if (painted_) return shown.picture.get();
  painted_ = true;
  draw::Image image = canvas.picture(step_canvas_width, step_canvas_width * step_shape,
                                     [&](draw::Canvas& whole) { paint_whole_step(whole, shown.stage); });
  constexpr int wide_enough = 400;  // of the list, on a large screen
  while (image.width > wide_enough) image = draw::halved(image);
  if (image.width == 0) return nullptr;
  shown.picture = lessons::photo_of(std::move(image), {});
  shown.painted_with = with;
  return shown.picture.get();
}

const std::string& StepStages::problem_of(const DraftStep& step) const {
  static const std::string none;
  const auto found = shown_.find(step.id);
  return found == shown_.end() ? none : found->second.problem;
}

}  // namespace warpwalk::pages
