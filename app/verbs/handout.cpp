#include "app/verbs/handout.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/draw/image.h"
#include "app/film/studio.h"
#include "app/handout/handout.h"
#include "app/lessons/lesson.h"
#include "app/document/view.h"
#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/kernel_history.h"
#include "app/verbs/common/language.h"
#include "app/verbs/common/load.h"
#include "app/verbs/common/terminal.h"
#include "core/story/records/hardware.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"

namespace warpwalk::verbs {
namespace {

// Pixels of a picture, about 200 to the inch at the width of a page, and pixels per unit: letters of a picture are
// about as large as those beside it.
constexpr int picture_width = 2200, picture_height = 880;
constexpr double picture_scale = 1.75;

// A trace that steps of a lesson share, and the simulation of its last followed kernel.
struct Opened {
  trace::Trace trace;
  trace::SliceId kernel = story::no_slice;
  bool cycles = false;
  std::optional<KernelHistory> history;
};

// Everything that the stages of a handout are made from.
struct Maker {
  std::filesystem::path assets;
  story::Narration words;
  story::Hardware hardware;
  bool questions = false;
  bool notes = false;
  std::map<std::filesystem::path, std::unique_ptr<Opened>> traces = {};
  std::vector<handout::Page> pages = {};

  base::Result<Opened*> open(const std::filesystem::path& file);
  base::Result<void> add(const lessons::LessonStep& step, const std::string& lesson, std::size_t number);
  base::Result<void> add_stage(const lessons::LessonStep& step, const std::string& lesson, std::size_t number,
                               Opened& opened, const story::Walk& walk, const story::Scene& scene,
                               const story::Predictions& said);
};

base::Result<Opened*> Maker::open(const std::filesystem::path& file) {
  auto& opened = traces[file];
  if (opened == nullptr) {
    LoadedTrace loaded = load(file, 0);
    if (loaded.result.error) return base::Error{*std::move(loaded.result.error)};
    opened = std::make_unique<Opened>();
    opened->trace = std::move(loaded.result.trace);
  }
  return opened.get();
}

base::Result<void> Maker::add_stage(const lessons::LessonStep& step, const std::string& lesson, std::size_t number,
                                    Opened& opened, const story::Walk& walk, const story::Scene& scene,
                                    const story::Predictions& said) {
  const document::View& view = step.view;
  const bool simulated = story::uses_history(scene, opened.trace, walk, view.moment);
  const bool cycles = simulated && (scene.name == "map" || scene.stop != nullptr);
  if (simulated && (!opened.history || opened.kernel != walk.kernel || (cycles && !opened.cycles))) {
    opened.history.emplace();
    opened.kernel = walk.kernel;
    opened.cycles = cycles;
    if (!simulate_followed(opened.trace, walk, view.controls, hardware, assets, cycles, *opened.history))
      return base::Error{"stopped before the end; nothing was written"};
  }
  if (simulated &&
      !simulate_changed(opened.trace, walk, assets,
                        story::what_if_of(scene, opened.trace, walk, view.moment, view.controls), *opened.history))
    return base::Error{"stopped before the end; nothing was written"};
  auto stage = story::stage_at(scene, {opened.trace,
                                       walk,
                                       words,
                                       hardware,
                                       view.moment,
                                       view.controls,
                                       view.naming,
                                       {},
                                       simulated ? opened.history->view : story::HistoryView{},
                                       {},
                                       said});
  if (!stage) return base::Error{fmt::format("step {}: {}", number + 1, stage.error())};
  if (const auto unknown =
          story::unknown_setting(scene, {opened.trace, walk, words, hardware, view.moment, view.controls, view.naming}))
    return base::Error{fmt::format("step {}: {}", number + 1, *unknown)};
  if (step.question) lessons::add_lesson_question(*step.question, lesson, number, words, said, *stage);
  std::string note = !notes ? "" : !step.note.empty() ? step.note : stage->note;
  pages.push_back({*std::move(stage), {}, view.file.filename().string(), std::move(note)});
  return {};
}

base::Result<void> Maker::add(const lessons::LessonStep& step, const std::string& lesson, std::size_t number) {
  const auto found = open(step.view.file);
  if (!found) return base::Error{found.error()};
  Opened* const opened = *found;
  story::Walk walk = story::default_walk(opened->trace);
  if (!step.view.follow.empty()) {
    auto followed = story::follow(opened->trace, step.view.follow);
    if (!followed) return base::Error{fmt::format("step {}: {}", number + 1, followed.error())};
    walk = *std::move(followed);
  }
  const story::Scene& scene = *story::find_scene(step.view.scene);
  story::Predictions said;
  said.asking = questions;
  if (auto done = add_stage(step, lesson, number, *opened, walk, scene, said); !done) return done;
  const std::optional<story::Question>& asked = pages.back().stage.question;
  if (!asked || !asked->asked()) return {};
  // The page after a question has the answer.
  said.skip(asked->key, asked->about);
  return add_stage(step, lesson, number, *opened, walk, scene, said);
}

// The steps of a handout of a trace: the beats of a scene, or of all scenes.
std::vector<lessons::LessonStep> steps_of(const RenderOptions& options, const trace::Trace& trace,
                                        const story::Walk& walk, const document::View& like) {
  std::vector<lessons::LessonStep> steps;
  const auto add = [&](const story::Scene& scene) {
    const std::size_t beats = scene.beats(trace, walk).size();
    for (std::size_t beat = 1; beat <= beats; ++beat) {
      lessons::LessonStep& step = steps.emplace_back();
      step.view = like;
      step.view.scene = scene.name;
      step.view.moment = {story::Moment::Kind::beat, static_cast<std::int64_t>(beat), 1};
    }
  };
  if (!options.scene.empty())
    add(*story::find_scene(options.scene));
  else
    for (const story::Scene& scene : story::scenes()) add(scene);
  return steps;
}

// Rejects options that do not apply to a handout.
base::Result<void> check_options(const RenderOptions& options, bool lesson) {
  if (options.text || options.present || options.lecturer || options.frames || !options.answer.empty() ||
      !options.format.empty())
    return base::Error{
        "-o FILE.html: a handout has text and pictures; leave out --text, --present, --lecturer, --frames, --format "
        "and --answer"};
  if (!options.at.empty())
    return base::Error{fmt::format("--at {}: a handout shows every beat; leave out --at", options.at)};
  if (lesson && (!options.scene.empty() || !options.follow.empty() || !options.set.empty()))
    return base::Error{"-o FILE.html: the lesson says what each page shows; leave out --scene, --follow and --set"};
  return {};
}

}  // namespace

int handout(const RenderOptions& options) {
  const bool of_lesson = lessons::is_lesson(options.file);
  if (const auto done = check_options(options, of_lesson); !done) return refuse(done.error());
  const auto theme = draw::theme_named(options.theme.empty() ? "light" : options.theme);
  if (!theme) return refuse(fmt::format("--theme {}: not a theme; use dark, light or high-contrast", options.theme));
  if (const auto done = check_writable(options.out); !done) return refuse(done.error());
  const auto assets = find_assets();
  if (!assets) return refuse("the assets (narration, walks) were not found; set WARPWALK_ASSETS to their folder");
  auto words = load_words(*assets, options.language);
  if (!words) return refuse(words.error());
  auto [hardware, hardware_error] = story::load_hardware(*assets / "devices");
  if (hardware_error) return refuse(*hardware_error);
  Maker maker{*assets, *std::move(words), std::move(hardware), options.questions, options.notes};

  lessons::Lesson lesson;
  if (of_lesson) {
    auto read = lessons::load_lesson(options.file, *assets / "walks");
    if (!read) return refuse(read.error());
    lesson = *std::move(read);
  } else {
    document::View like;
    like.file = options.file;
    like.follow = options.follow;
    for (const std::string& setting : options.set) {
      const auto set = story::parse_setting(setting);
      if (!set) return refuse("--set " + set.error());
      like.controls.set(set->name, set->value);
    }
    if (!options.scene.empty() && story::find_scene(options.scene) == nullptr)
      return refuse(fmt::format("--scene {}: not a scene; see warpwalk render --list", options.scene));
    const auto naming = story::naming_named(options.names);
    if (!naming) return refuse(fmt::format("--names {}: not a choice; use hardware, company or both", options.names));
    like.naming = *naming;
    const auto found = maker.open(options.file);
    if (!found) return refuse(found.error());
    const Opened* const opened = *found;
    story::Walk walk = story::default_walk(opened->trace);
    if (!options.follow.empty()) {
      auto followed = story::follow(opened->trace, options.follow);
      if (!followed) return refuse("--follow " + followed.error());
      walk = *std::move(followed);
    }
    lesson.title = options.file.filename().string();
    lesson.steps = steps_of(options, opened->trace, walk, like);
  }

  for (std::size_t i = 0; i < lesson.steps.size(); ++i)
    if (const auto done = maker.add(lesson.steps[i], options.file.filename().string(), i); !done)
      return refuse(done.error());

  film::Studio::Options studio_options;
  studio_options.theme = *theme;
  studio_options.width = picture_width;
  studio_options.height = picture_height;
  studio_options.scale = picture_scale;
  studio_options.picture_only = true;
  studio_options.words.emplace();
  for (const handout::Page& page : maker.pages) studio_options.words->append(story::everything_on(page.stage));
  const auto studio = film::Studio::open(std::move(studio_options));
  if (!studio) return refuse(studio.error());
  for (handout::Page& page : maker.pages) {
    if (std::holds_alternative<std::monostate>(page.stage.picture)) continue;
    auto png = draw::png_of((*studio)->image(page.stage));
    if (!png) return refuse(fmt::format("{}: a picture could not be made", options.out.string()));
    page.png = *std::move(png);
  }
  if (const auto done =
          write_file(options.out, handout::html(lesson.title, options.language, maker.pages, maker.words));
      !done)
    return refuse(done.error());
  print_report(fmt::format("{} pages in {}\n", maker.pages.size(), options.out.string()));
  return 0;
}

}  // namespace warpwalk::verbs
