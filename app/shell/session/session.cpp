#include "app/shell/session/session.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/result.h"
#include "core/run/launch/program_file.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/scene_list.h"

namespace warpwalk::shell {

bool Session::open(const View& view, const document::LeftOpen& left) {
  messages_.clear();
  if (view.ranks.empty() && lessons::is_lesson(view.file)) {
    auto lesson = lessons::load_lesson(view.file, assets_ / "walks", &stages_.words());
    if (!lesson) {
      messages_.error(lesson.error());
      return false;
    }
    opened_.lesson = *std::move(lesson);
    stages_.forget();  // the same step may say something else now
    opened_.lesson_place.reset();
    opened_.lesson_aside.reset();
    opened_.score.clear();
    opened_.predictions.clear();  // its file may be open already
    go_to_step(0, true);
    return true;
  }
  if (auto program = run::program_file(view.file); program && view.ranks.empty()) {
    messages_.error(*std::move(program));
    return false;
  }
  leaves_lesson_ = true;  // once the file is read: a broken one loses nothing
  opened_.wanted = view;
  opened_.left = left;
  read(view);
  return false;
}

void Session::read(const View& view) {
  document::Reading what = {view.file, view.ranks, view.rank, nullptr};
  if (opened_.document && opened_.view.ranks == view.ranks && !opened_.left.place)
    what.report = opened_.document->ranks;
  loader_.open(std::move(what));
}

void Session::go_to_step(std::size_t step, bool moving) {
  leaves_lesson_ = false;
  opened_.lesson_step = step;
  if (opened_.lesson_place && step >= *opened_.lesson_place) opened_.lesson_place.reset();
  View view = opened_.lesson->steps[step].view;
  view.first_route = opened_.view.first_route;
  if (view.moment.is_beat()) view.moment.phase = moving ? 0 : 1;
  if (opened_.document && !loader_.busy() && !opened_.document->unsaved && opened_.document->file == view.file) {
    messages_.clear();
    take(view);
    return;
  }
  opened_.wanted = view;
  opened_.left = {};
  read(view);
}

void Session::replace(std::shared_ptr<const document::Document> document) {
  if (std::exchange(leaves_lesson_, false)) opened_.lesson.reset();
  opened_.document = std::move(document);
  opened_.pointed.slice = story::no_slice;
  opened_.predictions.clear();
  if (!opened_.lesson) opened_.score.clear();  // a lesson may go through several files
}

void Session::take(const View& view) {
  const trace::Trace& trace = opened_.document->trace();
  auto walk = story::chosen_walk(trace, view.follow);
  opened_.walk = walk ? *std::move(walk) : story::default_walk(trace);
  show(view);
  if (opened_.view.scene != view.scene)
    messages_.fail("no_scene", {{"file", view.file.filename().string()}, {"scene", view.scene}});
  if (!walk) {
    messages_.error(walk.error());
    opened_.view.follow.clear();
  }
  const story::Scene* const scene = story::find_scene(opened_.view.scene);
  if (scene == nullptr) return;
  const auto unknown = story::unknown_setting(*scene, stages_.input_at(opened_, opened_.view.moment));
  if (!unknown) return;
  messages_.error(opened_.lesson ? fmt::format("{}: step {}: {}", opened_.lesson->file.filename().string(),
                                               opened_.lesson_step + 1, *unknown)
                                 : *unknown);
}

bool Session::lacks_scene() const {
  const story::Scene* const scene = story::find_scene(opened_.view.scene);
  return scene != nullptr && opened_.document && scene->beats(opened_.document->trace(), opened_.walk).empty();
}

void Session::show(const View& view) {
  opened_.view = view;
  if (lacks_scene()) {  // what is followed has no tour
    opened_.view.scene = document::View().scene;
    opened_.view.moment = document::View().moment;
  }
  if (transport_.reduced_motion) opened_.view.moment.phase = 1;
  rested_ = 0;
}

void Session::go(const View& view) {
  show(view);
  messages_.clear();
}

void Session::update_stage() {
  if (const auto done = stages_.update(opened_); !done) messages_.error(done.error());
}

}  // namespace warpwalk::shell
