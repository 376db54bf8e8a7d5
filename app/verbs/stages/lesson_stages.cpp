#include "app/verbs/stages/lesson_stages.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/lessons/lesson_stage.h"
#include "app/shell/lecturer.h"
#include "app/verbs/common/load.h"
#include "app/verbs/stages/kernel_history.h"
#include "core/run/replay/compiled_modules.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/scene_list.h"
#include "core/words/crash/open_dump.h"

namespace warpwalk::verbs {

// A trace, its walk of the last step, and the simulation of the kernel that was followed last.
struct LessonStages::Opened {
  trace::Trace trace;
  std::shared_ptr<const analysis::RankReport> ranks;  // that are merged in the file; null: it is of one
  std::shared_ptr<words::OpenDump> dump;              // a GPU core dump, in place of a trace
  story::Walk walk;
  trace::SliceId kernel = story::no_slice;
  bool cycles = false;
  std::optional<KernelHistory> history;
};

LessonStages::LessonStages(std::filesystem::path assets, const story::Narration& words, records::Hardware hardware,
                           std::vector<std::string>& losses)
    : assets_(std::move(assets)), words_(words), hardware_(std::move(hardware)), losses_(losses) {}
LessonStages::~LessonStages() = default;
LessonStages::LessonStages(LessonStages&&) noexcept = default;

base::Result<LessonStages::Opened*> LessonStages::open(const std::filesystem::path& file) {
  auto& opened = traces_[file];
  if (opened == nullptr && words::is_core_dump_file(file)) {
    auto dump = words::open_dump(file);
    if (!dump) return base::Error{dump.error()};
    opened = std::make_unique<Opened>();
    opened->dump = *std::move(dump);
  }
  if (opened == nullptr) {
    LoadedTrace loaded = load(file, 0);
    if (loaded.result.error) return base::Error{*std::move(loaded.result.error)};
    run::add_inlined_calls(loaded.result.trace, file);
    std::ranges::move(lost_data(file, loaded.result), std::back_inserter(losses_));
    opened = std::make_unique<Opened>();
    opened->trace = std::move(loaded.result.trace);
    opened->ranks = analysis::merged_report(opened->trace, file);
  }
  return opened.get();
}

base::Result<const story::Trace*> LessonStages::trace(const std::filesystem::path& file) {
  const auto opened = open(file);
  if (!opened) return base::Error{opened.error()};
  return &(*opened)->trace;
}

base::Result<story::SceneInput> LessonStages::input(const lessons::Lesson& lesson, std::size_t step,
                                                    const story::Predictions& said, double phase) {
  const document::View& view = lesson.steps[step].view;
  const auto found = open(view.file);
  if (!found) return base::Error{found.error()};
  Opened& opened = **found;
  auto chosen = story::chosen_walk(opened.trace, view.follow);
  if (!chosen) return base::Error{fmt::format("step {}: {}", step + 1, chosen.error())};
  opened.walk = *std::move(chosen);
  const story::Scene& scene = *story::find_scene(view.scene);
  const bool simulated = story::uses_history(scene, opened.trace, opened.walk, view.moment);
  const bool cycles = simulated && story::needs_cycles(scene);
  if (simulated && (!opened.history || opened.kernel != opened.walk.kernel || (cycles && !opened.cycles))) {
    opened.history.emplace();
    opened.kernel = opened.walk.kernel;
    opened.cycles = cycles;
    if (!simulate_followed(opened.trace, opened.walk, hardware_, assets_, cycles, *opened.history))
      return base::Error{simulation_stopped};
  }
  if (simulated && !simulate_changed(opened.trace, opened.walk, assets_,
                                     story::what_if_of(scene, opened.trace, opened.walk, view.moment, view.controls),
                                     *opened.history))
    return base::Error{simulation_stopped};
  if (simulated && !find_followed_number(opened.trace, opened.walk, view.controls, assets_, *opened.history))
    return base::Error{simulation_stopped};
  const bool of_rank = ranks_.report != nullptr && ranks_.file == view.file;
  story::Moment moment = view.moment;
  if (moment.is_beat()) moment.phase = phase;
  return story::SceneInput{.trace = opened.trace,
                           .walk = opened.walk,
                           .narration = words_,
                           .hardware = hardware_,
                           .moment = moment,
                           .controls = view.controls,
                           .naming = view.naming,
                           .history = simulated ? opened.history->view : story::HistoryView{},
                           .predictions = said,
                           .ranks = of_rank ? ranks_.report.get() : opened.ranks.get(),
                           .rank = of_rank ? ranks_.rank : 0,
                           .dump = opened.dump.get()};
}

base::Result<story::Stage> LessonStages::stage(const lessons::Lesson& lesson, std::size_t step,
                                               const story::Predictions& said, double phase) {
  const lessons::LessonStep& shown = lesson.steps[step];
  if (shown.is_slide()) {
    story::Stage slide = lessons::slide_stage(lesson, step, words_);
    lessons::add_lesson_words(lesson, step, words_, said, slide);
    return slide;
  }
  const auto from = input(lesson, step, lessons::scene_predictions(shown, said), phase);
  if (!from) return base::Error{from.error()};
  const story::Scene& scene = *story::find_scene(shown.view.scene);
  auto stage = story::stage_at(scene, *from);
  if (!stage) return base::Error{fmt::format("step {}: {}", step + 1, stage.error())};
  if (const auto unknown = story::unknown_setting(scene, *from))
    return base::Error{fmt::format("step {}: {}", step + 1, *unknown)};
  lessons::add_lesson_words(lesson, step, words_, said, *stage);
  return *std::move(stage);
}

base::Result<std::vector<LessonStages::Shown>> LessonStages::shown(const lessons::Lesson& lesson, std::size_t step,
                                                                   bool asking) {
  std::vector<Shown> all;
  std::optional<story::Predictions> said(std::in_place);
  said->asking = asking;
  while (said) {
    auto made = stage(lesson, step, *said);
    if (!made) return base::Error{made.error()};
    all.push_back({*said, *std::move(made)});
    said = story::answered(all.back().stage.question, *said);
  }
  return all;
}

base::Result<shell::LecturerPage> LessonStages::page(const lessons::Lesson& lesson, std::size_t step,
                                                     const story::Predictions& said) {
  const auto from = input(lesson, step, said, 1);
  if (!from) return base::Error{from.error()};
  document::View view = lesson.steps[step].view;
  view.moment = from->moment;
  return shell::lecturer_page(view, *from, {&lesson, step});
}

}  // namespace warpwalk::verbs
