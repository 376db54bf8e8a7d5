#include "app/verbs/render_lesson.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/draw/image.h"
#include "app/film/film.h"
#include "app/film/studio.h"
#include "app/lessons/lesson.h"
#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/language.h"
#include "app/verbs/common/lesson_stages.h"
#include "app/verbs/common/picture_size.h"
#include "app/verbs/common/terminal.h"
#include "core/platform/find_program.h"
#include "core/story/records/hardware.h"
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
    story::Predictions said;
    said.asking = questions;
    auto stage = stages.stage(lesson, step, said);
    if (!stage) return base::Error{stage.error()};
    all.push_back({step, false, said, *std::move(stage)});
    const std::optional<story::Question>& asked = all.back().stage.question;
    if (!asked || !asked->asked()) continue;
    said.skip(asked->key, asked->about);
    stage = stages.stage(lesson, step, said);
    if (!stage) return base::Error{stage.error()};
    all.push_back({step, true, said, *std::move(stage)});
  }
  return all;
}

base::Result<void> check(const RenderOptions& options, bool film, bool folder) {
  if (!options.scene.empty() || !options.at.empty() || !options.follow.empty() || !options.set.empty() ||
      !options.compare.empty() || !options.answer.empty())
    return base::Error{
        "the lesson says what each picture shows; leave out --scene, --at, --follow, --set, --compare and --answer"};
  if (!options.text && !film && !folder)
    return base::Error{
        fmt::format("-o {}: a lesson has several steps; give a folder, a film (.mp4, .webm, .gif) or "
                    "out.html",
                    options.out.string())};
  if (options.notes) return base::Error{"--notes: belongs to a handout; write -o handout.html"};
  if (options.lecturer && (film || options.text || options.present))
    return base::Error{"--lecturer: is a picture of its own; leave out the film, --text and --present"};
  if (film && (options.fps < 1 || options.fps > 120))
    return base::Error{fmt::format("--fps {}: out of range; use 1 to 120", options.fps)};
  if (!options.format.empty() && options.format != "png" && options.format != "svg")
    return base::Error{fmt::format("--format {}: not a format; use png or svg", options.format)};
  if (options.scale != 0 && !(options.scale >= 0.5 && options.scale <= 8))
    return base::Error{fmt::format("--scale {}: out of range; use 0.5 to 8", options.scale)};
  if (film && !folder && !platform::find_program("ffmpeg")) return base::Error{std::string(film::no_ffmpeg)};
  return {};
}

std::string file_name(const Shown& shown, bool svg) {
  std::string scene = shown.stage.scene;
  std::ranges::replace(scene, '/', '-');  // of a lab
  return fmt::format("{:02}-{}-{:02}{}.{}", shown.step + 1, scene, shown.stage.beat, shown.answer ? "-answer" : "",
                     svg ? "svg" : "png");
}

}  // namespace

int render_lesson(const RenderOptions& options) {
  std::error_code not_there;
  const bool folder =
      options.frames || options.out.extension().empty() || std::filesystem::is_directory(options.out, not_there);
  const bool film = options.frames || (!folder && film::is_film(options.out));
  if (const auto done = check(options, film, folder); !done) return refuse(done.error());
  const auto size = parse_size(options.size);
  if (!size) return refuse(wrong_size(options.size));
  const auto theme = draw::theme_named(options.theme.empty() ? "dark" : options.theme);
  if (!theme) return refuse(fmt::format("--theme {}: not a theme; use dark, light or high-contrast", options.theme));
  const auto assets = find_assets();
  if (!assets) return refuse("the assets (narration, walks) were not found; set WARPWALK_ASSETS to their folder");
  const auto words = load_words(*assets, options.language);
  if (!words) return refuse(words.error());
  auto [hardware, hardware_error] = story::load_hardware(*assets / "devices");
  if (hardware_error) return refuse(*hardware_error);
  const auto lesson = lessons::load_lesson(options.file, *assets / "walks");
  if (!lesson) return refuse(lesson.error());
  LessonStages stages(*assets, *words, std::move(hardware));
  const auto shown = shown_steps(stages, *lesson, options.questions);
  if (!shown) return refuse(shown.error());
  if (options.text) {
    std::string text;
    for (const Shown& one : *shown) text.append(text.empty() ? "" : "\n").append(story::transcript(one.stage));
    if (options.out.empty())
      print_report(text);
    else if (const auto done = write_file(options.out, text); !done)
      return refuse(done.error());
    return 0;
  }
  if (folder) {
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    if (error)
      return refuse(fmt::format("{}: the folder cannot be created: {}", options.out.string(), error.message()));
  } else if (const auto done = check_writable(options.out); !done) {
    return refuse(done.error());
  }
  film::Studio::Options studio_options;
  studio_options.theme = *theme;
  studio_options.width = size->width;
  studio_options.height = size->height;
  studio_options.presented = options.present;
  studio_options.scale = options.scale;
  studio_options.source = options.file.filename().string();
  const auto opened = film::Studio::open(std::move(studio_options));
  if (!opened) return refuse(opened.error());
  const film::Studio& studio = **opened;
  if (film) {
    std::vector<film::BeatStage> beats;
    for (const Shown& one : *shown)
      beats.emplace_back([&](double phase) {
        auto stage = stages.stage(*lesson, one.step, one.said, phase);
        return stage ? *std::move(stage) : one.stage;
      });
    const auto done = film::write_film(beats, studio, {options.out, options.fps, options.frames, options.progress});
    return done ? 0 : refuse(done.error());
  }
  const bool svg = options.format == "svg";
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
    const auto done = svg ? write_file(file, page ? studio.svg(*page, *words) : studio.svg(one.stage))
                          : draw::write_png(page ? studio.image(*page, *words) : studio.image(one.stage), file);
    if (!done) return refuse(done.error());
    ++pictures;
  }
  print_report(fmt::format("{} {} in {}\n", pictures, pictures == 1 ? "picture" : "pictures", options.out.string()));
  return 0;
}

}  // namespace warpwalk::verbs
