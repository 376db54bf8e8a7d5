// A lesson as pictures, a film or a text.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/draw/image.h"
#include "app/film/film.h"
#include "app/film/studio.h"
#include "app/lessons/lesson.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/render.h"
#include "app/verbs/stages/lesson_stages.h"
#include "core/story/transcript.h"

namespace warpwalk::verbs {
namespace {

// A step with what the person has said to its question: before the answer, then after it.
struct Shown {
  std::size_t step = 0;
  bool answer = false;
  story::Predictions said;
  story::Stage stage;
};

base::Result<std::vector<Shown>> shown_steps(LessonStages& stages, const lessons::Lesson& lesson, bool questions) {
  std::vector<Shown> all;
  for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
    auto shown = stages.shown(lesson, step, questions);
    if (!shown) return base::Error{shown.error()};
    for (LessonStages::Shown& one : *shown)
      all.push_back({step, &one != &shown->front(), std::move(one.said), std::move(one.stage)});
  }
  return all;
}

// What a lesson's target is, if the options fit it.
base::Result<RenderTarget> lesson_target_of(const RenderOptions& options) {
  if (!options.scene.empty() || !options.at.empty() || !options.follow.empty() || !options.set.empty() ||
      !options.compare.empty() || !options.answer.empty() || !options.route.empty())
    return base::Error{
        "the lesson says what each picture shows; leave out --scene, --at, --follow, --set, --route, --compare and "
        "--answer"};
  const auto target = render_target(options);
  if (target && !target->folder && !target->film() && !options.text)
    return base::Error{
        fmt::format("-o {}: a lesson has several steps; give a folder, a film (.mp4, .webm, .gif) or out.html",
                    options.out.string())};
  return target;
}

std::string file_name(const Shown& shown, bool svg) {
  std::string scene = shown.stage.scene;
  std::ranges::replace(scene, '/', '-');  // of a lab
  return fmt::format("{:02}-{}-{:02}{}.{}", shown.step + 1, scene, shown.stage.beat, shown.answer ? "-answer" : "",
                     svg ? "svg" : "png");
}

}  // namespace

int render_lesson(const RenderOptions& options, std::vector<std::string>& problems) {
  const auto target = lesson_target_of(options);
  if (!target) return refuse(target.error());
  auto studio_options = verbs::studio_options(options);
  if (!studio_options) return refuse(studio_options.error());
  auto assets = render_assets(options);
  if (!assets) return refuse(assets.error());
  const story::Narration& words = assets->words;
  const auto lesson = lessons::load_lesson(options.file, assets->folder / "walks", &words);
  if (!lesson) return refuse(lesson.error());
  LessonStages stages(assets->folder, words, std::move(assets->hardware), problems);
  const auto shown = shown_steps(stages, *lesson, options.questions);
  if (!shown) return refuse(shown.error());
  if (options.text) {
    std::string text;
    for (const Shown& one : *shown) text.append(text.empty() ? "" : "\n").append(story::transcript(one.stage));
    const auto done = write_text(options, text);
    return done ? 0 : refuse(done.error());
  }
  if (const auto done = prepare_output(options, *target); !done) return refuse(done.error());
  const auto opened = film::Studio::open(*std::move(studio_options));
  if (!opened) return refuse(opened.error());
  const film::Studio& studio = **opened;
  if (target->film()) {
    std::vector<film::BeatStage> beats;
    for (const Shown& one : *shown)
      beats.emplace_back([&](double phase) { return stages.stage(*lesson, one.step, one.said, phase); });
    const auto done = film::write_film(beats, studio, {options.out, options.fps, options.frames, options.progress});
    if (studio.lacks_cjk()) problems.push_back(draw::cjk_advice());
    return done ? 0 : refuse(done.error());
  }
  const bool svg = target->kind == RenderTarget::Kind::svg;
  std::size_t pictures = 0;
  for (const Shown& one : *shown) {
    if (options.lecturer && one.answer) continue;  // the lecturer's page has question and answer
    std::optional<shell::LecturerPage> page;
    if (options.lecturer) {
      auto made = stages.page(*lesson, one.step, one.said);
      if (!made) return refuse(made.error());
      page = *std::move(made);
    }
    const std::filesystem::path file = options.out / file_name(one, svg);
    const auto done = svg ? write_file(file, page ? studio.svg(*page, words) : studio.svg(one.stage))
                          : draw::write_png(page ? studio.image(*page, words) : studio.image(one.stage), file);
    if (!done) return refuse(done.error());
    ++pictures;
  }
  if (studio.lacks_cjk()) problems.push_back(draw::cjk_advice());
  print_report(fmt::format("{} {} in {}\n", pictures, pictures == 1 ? "picture" : "pictures", options.out.string()));
  return 0;
}

}  // namespace warpwalk::verbs
