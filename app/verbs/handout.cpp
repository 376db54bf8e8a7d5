#include "app/handout/handout.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/document/view.h"
#include "app/draw/image.h"
#include "app/film/studio.h"
#include "app/lessons/lesson.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/render.h"
#include "app/verbs/stages/lesson_stages.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "core/words/crash/open_dump.h"

namespace warpwalk::verbs {
namespace {

// Pixels of a picture, about 200 to the inch at the width of a page, and pixels per unit: letters of a picture are
// about as large as those beside it.
constexpr int picture_width = 2200, picture_height = 880;
constexpr double picture_scale = 1.75;

// The pages of a handout. Those with the answers come after all others.
struct Maker {
  LessonStages& stages;
  bool questions = false;
  bool notes = false;
  std::vector<handout::Page> pages = {}, answers = {};

  base::Result<void> add(const lessons::Lesson& lesson, std::size_t number);
};

base::Result<void> Maker::add(const lessons::Lesson& lesson, std::size_t number) {
  const lessons::LessonStep& step = lesson.steps[number];
  auto shown = stages.shown(lesson, number, questions);
  if (!shown) return base::Error{shown.error()};
  for (LessonStages::Shown& one : *shown) {
    const bool answer = &one != &shown->front();
    std::string note = !notes ? "" : !step.note.empty() ? step.note : one.stage.note;
    std::string source = step.is_slide() ? "" : step.view.file.filename().string();
    handout::Page page = {std::move(one.stage), {}, std::move(source), std::move(note), step.text};
    if (answer) page.answers = pages.size();
    (answer ? answers : pages).push_back(std::move(page));
  }
  return {};
}

// The steps of a handout of a trace: the beats of a scene, or of all scenes.
std::vector<lessons::LessonStep> steps_of(const RenderOptions& options, const trace::Trace& trace,
                                          const story::Walk& walk, const document::View& like) {
  std::vector<lessons::LessonStep> steps;
  const auto add = [&](const story::Scene& scene) {
    for (const int beat : story::beats_of(scene, trace, walk, like.first_route)) {
      lessons::LessonStep& step = steps.emplace_back();
      step.view = like;
      step.view.scene = scene.name;
      step.view.moment = {story::Moment::Kind::beat, beat, 1};
    }
  };
  if (!options.scene.empty())
    add(*story::find_scene(options.scene));
  else if (words::is_core_dump_file(options.file))
    add(*story::find_scene(document::crash_scene));
  else if (like.first_route && document::has_tour(trace, walk))
    add(story::tour());
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
  if (lesson && (!options.scene.empty() || !options.follow.empty() || !options.set.empty() || !options.route.empty()))
    return base::Error{
        "-o FILE.html: the lesson says what each page shows; leave out --scene, --follow, --set and --route"};
  return {};
}

}  // namespace

int handout(const RenderOptions& options, const analysis::RankSource& ranks, std::vector<std::string>& problems) {
  const bool of_lesson = lessons::is_lesson(options.file);
  if (const auto done = check_options(options, of_lesson); !done) return refuse(done.error());
  const auto theme = chosen_theme(options, "light");
  if (!theme) return refuse(theme.error());
  document::View like;
  if (const auto good = apply_view_options(options, like); !good) return refuse(good.error());
  if (const auto done = check_writable(options.out); !done) return refuse(done.error());
  auto assets = render_assets(options);
  if (!assets) return refuse(assets.error());
  LessonStages stages(assets->folder, assets->words, std::move(assets->hardware), problems);
  stages.compare(ranks);
  Maker maker{stages, options.questions, options.notes};

  lessons::Lesson lesson;
  if (of_lesson) {
    auto read = lessons::load_lesson(options.file, assets->folder / "walks", &assets->words);
    if (!read) return refuse(read.error());
    lesson = *std::move(read);
  } else {
    like.file = options.file;
    const auto trace = stages.trace(options.file);
    if (!trace) return refuse(trace.error());
    const auto walk = story::chosen_walk(**trace, options.follow);
    if (!walk) return refuse("--follow " + walk.error());
    if (!options.scene.empty())
      if (const auto lacks = lacks_scene(*story::find_scene(options.scene), **trace, *walk)) return refuse(*lacks);
    lesson.file = options.file;
    lesson.title = options.file.filename().string();
    lesson.steps = steps_of(options, **trace, *walk, like);
  }

  for (std::size_t i = 0; i < lesson.steps.size(); ++i)
    if (const auto done = maker.add(lesson, i); !done) return refuse(done.error());
  std::ranges::move(maker.answers, std::back_inserter(maker.pages));

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
  if ((*studio)->lacks_cjk()) problems.push_back(draw::cjk_advice());
  if (const auto done =
          write_file(options.out, handout::html(lesson.title, options.language, maker.pages, assets->words));
      !done)
    return refuse(done.error());
  print_report(fmt::format("{} pages in {}\n", maker.pages.size(), options.out.string()));
  return 0;
}

}  // namespace warpwalk::verbs
