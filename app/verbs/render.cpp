#include "app/verbs/render.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/document/view.h"
#include "app/draw/image.h"
#include "app/film/film.h"
#include "app/film/studio.h"
#include "app/lessons/lesson.h"
#include "app/shell/lecturer.h"
#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/kernel_history.h"
#include "app/verbs/common/language.h"
#include "app/verbs/common/load.h"
#include "app/verbs/common/picture_size.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/handout.h"
#include "app/verbs/render_lesson.h"
#include "core/platform/find_program.h"
#include "core/story/facts/analysis/overview.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/records/hardware.h"
#include "core/story/scene_list.h"
#include "core/story/stage/scene.h"
#include "core/story/transcript.h"

namespace warpwalk::verbs {
namespace {

struct Shot {
  const story::Scene* scene;
  story::Moment moment;
};

// Every beat of one scene, or of all scenes.
std::vector<Shot> all_beats(const trace::Trace& trace, const story::Walk& walk, const story::Scene* only,
                            bool first_route) {
  std::vector<Shot> shots;
  const auto add = [&](const story::Scene& scene) {
    const std::vector<int> first = story::first_route(scene, trace, walk);
    const auto beats = static_cast<int>(scene.beats(trace, walk).size());
    for (int b = 1; b <= beats; ++b)
      if (!first_route || std::ranges::find(first, b) != first.end())
        shots.push_back({&scene, {story::Moment::Kind::beat, b, 1}});
  };
  if (only != nullptr)
    add(*only);
  else
    for (const story::Scene& scene : story::scenes()) add(scene);
  return shots;
}

std::string scene_names() {
  std::string names;
  for (const std::vector<story::Scene>* list : {&story::scenes(), &story::labs()})
    for (const story::Scene& scene : *list) names.append(names.empty() ? "" : ", ").append(scene.name);
  return names;
}

int list_scenes() {
  for (const std::vector<story::Scene>* list : {&story::scenes(), &story::labs()})
    for (const story::Scene& scene : *list) fmt::print("{}\n", scene.name);
  return 0;
}

std::string words_of(const std::vector<story::Stage>& stages) {
  std::string text;
  for (const story::Stage& stage : stages) text += story::everything_on(stage);
  return text;
}

// The kind of output, derived from the output's name and the options.
struct Target {
  enum class Kind { text, png, svg, film } kind = Kind::png;
  bool folder = false;  // several files into a folder
};

base::Result<Target> target_of(const RenderOptions& options) {
  using Kind = Target::Kind;
  if (!options.format.empty() && options.format != "png" && options.format != "svg")
    return base::Error{fmt::format("--format {}: not a format; use png or svg", options.format)};
  if (options.text) return Target{Kind::text, false};
  if (options.out == "-")
    return base::Error{"-o -: pictures cannot be written to stdout; give a file, for example -o out.png, or a folder"};
  const std::string extension = options.out.extension().string();
  std::error_code not_there;
  const bool folder = extension.empty() || std::filesystem::is_directory(options.out, not_there);
  if (options.frames) {
    if (folder) return Target{Kind::film, true};
    return base::Error{fmt::format("-o {}: --frames writes numbered pictures; give a folder", options.out.string())};
  }
  if (film::is_film(options.out) && !folder) return Target{Kind::film, false};
  const bool one = extension == ".png" || extension == ".svg";
  if (one && !options.format.empty() && extension != "." + options.format)
    return base::Error{
        fmt::format("-o {}: does not match --format {}; leave out one of them", options.out.string(), options.format)};
  if (one) return Target{extension == ".svg" ? Kind::svg : Kind::png, false};
  if (folder) return Target{options.format == "svg" ? Kind::svg : Kind::png, true};
  return base::Error{
      fmt::format("-o {}: pictures are written as .png or .svg, films as .mp4, .webm or .gif; or give a folder "
                  "for every beat",
                  options.out.string())};
}

// `picture` and `svg` draw the Nth stage.
base::Result<void> write_pictures(const std::vector<story::Stage>& stages, const Target& target,
                                  const std::filesystem::path& out,
                                  const std::function<draw::Image(std::size_t)>& picture,
                                  const std::function<std::string(std::size_t)>& svg) {
  const bool vector = target.kind == Target::Kind::svg;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const story::Stage& stage = stages[i];
    std::string name = stage.scene;
    std::ranges::replace(name, '/', '-');  // of a lab
    const std::filesystem::path file = target.folder ? out / fmt::format("{:02}-{}-{:02}.{}", stage.scene_number, name,
                                                                         stage.beat, vector ? "svg" : "png")
                                                     : out;
    if (vector) {
      if (auto done = write_file(file, svg(i)); !done) return done;
    } else if (auto done = draw::write_png(picture(i), file); !done) {
      return done;
    }
  }
  print_report(fmt::format("{} {} in {}\n", stages.size(), stages.size() == 1 ? "picture" : "pictures", out.string()));
  return {};
}

// An answer is of use only if one of the stages asks for it.
base::Result<void> check_answers(const std::vector<std::string>& answers, const std::vector<story::Stage>& stages) {
  std::set<std::string> asked;
  for (const story::Stage& stage : stages)
    if (stage.question) asked.insert(stage.question->key);
  for (const std::string& text : answers) {
    const auto answer = story::parse_answer(text);
    if (!answer) return base::Error{"--answer " + answer.error()};
    if (!asked.contains(answer->key))
      return base::Error{
          fmt::format("--answer {}: no beat that is rendered asks this; {}", text,
                      asked.empty() ? "none asks anything" : fmt::format("asked: {}", fmt::join(asked, ", ")))};
    for (const story::Stage& stage : stages)
      if (stage.question && stage.question->key == answer->key && answer->option &&
          *answer->option >= stage.question->options.size())
        return base::Error{fmt::format("--answer {}: the options are 1 to {}", text, stage.question->options.size())};
  }
  return {};
}

/// Renders. Adds to `problems` the lines about the trace's lost data.
int render(const RenderOptions& options, std::vector<std::string>& problems) {
  if (options.list) return list_scenes();
  if (options.file.empty()) return refuse("render: no trace file given; write: warpwalk render FILE -o out.png");
  if (options.out.extension() == ".html") return handout(options);
  if (lessons::is_lesson(options.file)) {
    if (options.out.empty() && !options.text)
      return refuse("render: no output given; add -o FOLDER, -o film.mp4 or -o handout.html");
    return render_lesson(options);
  }
  if (options.notes) return refuse("--notes: belongs to a handout; write -o handout.html");
  if (options.out.empty() && !options.text)
    return refuse("render: no output given; add -o out.png, or -o FOLDER for every beat");
  const auto wanted = target_of(options);
  if (!wanted) return refuse(wanted.error());
  const Target& target = *wanted;
  const bool filming = target.kind == Target::Kind::film;
  if (options.lecturer && (filming || options.text || options.present))
    return refuse(fmt::format("--lecturer: is a picture of its own; leave out {}", filming        ? "the film"
                                                                                   : options.text ? "--text"
                                                                                                  : "--present"));
  if (filming && !options.at.empty())
    return refuse(fmt::format("--at {}: a film shows every beat; leave out --at", options.at));
  if (filming && (options.fps < 1 || options.fps > 120))
    return refuse(fmt::format("--fps {}: out of range; use 1 to 120", options.fps));
  if (filming && !target.folder && !platform::find_program("ffmpeg")) return refuse(film::no_ffmpeg);
  const auto size = parse_size(options.size);
  if (!size) return refuse(wrong_size(options.size));
  const auto theme = draw::theme_named(options.theme.empty() ? "dark" : options.theme);
  if (!theme) return refuse(fmt::format("--theme {}: not a theme; use dark, light or high-contrast", options.theme));
  if (options.scale != 0 && !(options.scale >= 0.5 && options.scale <= 8))
    return refuse(fmt::format("--scale {}: out of range; use 0.5 to 8", options.scale));
  const story::Scene* scene = nullptr;
  if (!options.scene.empty() && (scene = story::find_scene(options.scene)) == nullptr)
    return refuse(fmt::format("--scene {}: not a scene; use one of {}", options.scene, scene_names()));
  std::optional<story::Moment> moment;
  if (!options.at.empty()) {
    const auto parsed = story::parse_moment(options.at);
    if (!parsed) return refuse("--at " + parsed.error());
    moment = *parsed;
  }

  const auto assets = find_assets();
  if (!assets) return refuse("the assets (narration, walks) were not found; set WARPWALK_ASSETS to their folder");
  const auto words = load_words(*assets, options.language);
  if (!words) return refuse(words.error());
  const story::Narration& narration = *words;

  const auto [hardware, hardware_error] = story::load_hardware(*assets / "devices");
  if (hardware_error) return refuse(*hardware_error);
  story::Controls controls;
  for (const std::string& setting : options.set) {
    const auto set = story::parse_setting(setting);
    if (!set) return refuse("--set " + set.error());
    controls.set(set->name, set->value);
  }
  story::Predictions predictions;
  predictions.asking = options.questions || !options.answer.empty();
  for (const std::string& text : options.answer) {
    const auto answer = story::parse_answer(text);
    if (!answer) return refuse("--answer " + answer.error());
    predictions.answer_any(answer->key, answer->option);
  }
  if (options.route != "first" && options.route != "all")
    return refuse(fmt::format("--route {}: not a choice; use first or all", options.route));
  const auto naming = story::naming_named(options.names);
  if (!naming) return refuse(fmt::format("--names {}: not a choice; use hardware, company or both", options.names));

  const LoadedTrace loaded = load(options.file, 0);
  if (loaded.result.error) return refuse(*loaded.result.error);
  const trace::Trace& trace = loaded.result.trace;
  for (const trace::Problem& problem : loaded.result.problems.rows())
    if (trace::loses_data(problem.kind))
      problems.push_back(fmt::format("{}: {} ({}): {}", options.file.filename().string(), trace::name_of(problem.kind),
                                     problem.count, problem.message));

  std::optional<story::TraceSummary> compared;
  if (!options.compare.empty()) {
    const LoadedTrace second = load(options.compare, 0);
    if (second.result.error) return refuse("--compare: " + *second.result.error);
    compared = story::overview_of(second.result.trace, options.compare.filename().string()).summary;
  }

  story::Walk walk;
  if (options.follow.empty()) {
    walk = story::default_walk(trace);
  } else {
    auto followed = story::follow(trace, options.follow);
    if (!followed) return refuse("--follow " + followed.error());
    walk = *std::move(followed);
    if (const auto error = story::element_error(trace, walk)) return refuse("--follow " + *error);
  }

  std::vector<Shot> shots;
  const bool one_picture = !target.folder && (target.kind == Target::Kind::png || target.kind == Target::Kind::svg);
  if (compared && scene == nullptr) {
    scene = story::find_scene(document::compare_scene);
    if (one_picture && !moment) moment = document::compare_moment;
  }
  if (one_picture || moment) {
    const story::Scene& shown = scene != nullptr ? *scene : story::scenes().front();
    const auto last = static_cast<std::int64_t>(shown.beats(trace, walk).size());
    shots.push_back({&shown, moment.value_or(story::Moment{story::Moment::Kind::beat, last, 1})});
  } else {
    shots = all_beats(trace, walk, scene, options.route == "first");
  }
  // Made once: for a large trace it takes longer than a stage.
  std::optional<story::Overview> overview;
  if (std::ranges::any_of(shots, [](const Shot& shot) { return shot.scene->name == document::compare_scene; }))
    overview = story::overview_of(trace, options.file.filename().string());
  const story::Overview* const whole = overview ? &*overview : nullptr;
  const story::TraceSummary* const other = compared ? &*compared : nullptr;

  // The input of a stage at a moment.
  const auto input_at = [&, &described = hardware](const story::Moment& at, const story::HistoryView& simulated,
                                                   const story::Predictions& said) {
    return story::SceneInput{.trace = trace,
                             .walk = walk,
                             .narration = narration,
                             .hardware = described,
                             .moment = at,
                             .controls = controls,
                             .naming = *naming,
                             .history = simulated,
                             .predictions = said,
                             .overview = whole,
                             .compared = other};
  };
  if (moment)
    if (const auto stage = story::stage_at(*shots.front().scene, input_at(*moment, {}, {})); !stage)
      return refuse("--at " + stage.error());
  std::set<const story::Scene*> checked;
  for (const Shot& shot : shots)
    if (checked.insert(shot.scene).second)
      if (const auto error = story::unknown_setting(*shot.scene, input_at(shot.moment, {}, {})))
        return refuse("--set " + *error);
  if (target.folder) {
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    if (error)
      return refuse(fmt::format("{}: the folder cannot be created: {}", options.out.string(), error.message()));
  } else if (!options.out.empty()) {
    if (const auto done = check_writable(options.out); !done) return refuse(done.error());
  }
  KernelHistory history;
  bool simulated = false, cycles = false;
  for (const Shot& shot : shots) {
    if (!story::uses_history(*shot.scene, trace, walk, shot.moment)) continue;
    simulated = true;
    cycles = cycles || shot.scene->name == "map" || shot.scene->stop != nullptr;
  }
  if (simulated)
    if (!simulate_followed(trace, walk, hardware, *assets, cycles, history) ||
        !find_followed_number(trace, walk, controls, *assets, history))
      return refuse("stopped before the end; nothing was written");
  std::vector<story::Stage> stages;
  const auto shows_change = [&](const Shot& shot) {
    return simulate_changed(trace, walk, *assets, story::what_if_of(*shot.scene, trace, walk, shot.moment, controls),
                            history);
  };
  for (const Shot& shot : shots) {
    if (!shows_change(shot)) return refuse("stopped before the end; nothing was written");
    stages.push_back(*story::stage_at(*shot.scene, input_at(shot.moment, history.view, predictions)));
  }
  if (const auto done = check_answers(options.answer, stages); !done) return refuse(done.error());
  if (options.text) {
    std::string text;
    for (const story::Stage& stage : stages) text.append(text.empty() ? "" : "\n").append(story::transcript(stage));
    if (options.out.empty())
      print_report(text);
    else if (const auto done = write_file(options.out, text); !done)
      return refuse(done.error());
    return 0;
  }

  film::Studio::Options studio_options;
  studio_options.theme = *theme;
  studio_options.width = size->width;
  studio_options.height = size->height;
  studio_options.presented = options.present;
  studio_options.scale = options.scale;
  studio_options.source = options.file.filename().string();
  // The lecturer's page has words of the next beat too.
  if (!filming && !options.lecturer)
    studio_options.words = words_of(stages);  // the words of a film's motions are not known yet
  const auto opened = film::Studio::open(std::move(studio_options));
  if (!opened) return refuse(opened.error());
  const film::Studio& studio = **opened;

  if (filming) {
    std::vector<film::BeatStage> beats;
    const auto add = [&](const Shot& shot, const story::Predictions& said) {
      beats.emplace_back([&, shot, said](double phase) {
        story::Moment at = shot.moment;
        at.phase = phase;
        shows_change(shot);
        return *story::stage_at(*shot.scene, input_at(at, history.view, said));
      });
    };
    for (std::size_t i = 0; i < shots.size(); ++i) {
      add(shots[i], predictions);
      if (!stages[i].question || !stages[i].question->asked()) continue;
      // First the question, then its answer.
      story::Predictions shown = predictions;
      shown.skip(stages[i].question->key, stages[i].question->about);
      add(shots[i], shown);
    }
    if (const auto done = film::write_film(beats, studio, {options.out, options.fps, options.frames, options.progress});
        !done)
      return refuse(done.error());
    return 0;
  }
  std::vector<shell::LecturerPage> pages;
  if (options.lecturer)
    for (const Shot& shot : shots) {
      document::View view;
      view.file = options.file;
      view.compare = options.compare;
      view.follow = options.follow;
      view.scene = shot.scene->name;
      view.moment = shot.moment;
      view.controls = controls;
      view.naming = *naming;
      pages.push_back(shell::lecturer_page(view, input_at(shot.moment, history.view, predictions), {}));
    }
  const auto picture = [&, &words = narration](std::size_t i) {
    return options.lecturer ? studio.image(pages[i], words) : studio.image(stages[i]);
  };
  const auto svg = [&, &words = narration](std::size_t i) {
    return options.lecturer ? studio.svg(pages[i], words) : studio.svg(stages[i]);
  };
  if (const auto done = write_pictures(stages, target, options.out, picture, svg); !done) return refuse(done.error());
  return 0;
}

}  // namespace

int render(const RenderOptions& options) {
  std::vector<std::string> problems;
  const int status = render(options, problems);
  if (status == 2) return status;  // its line on stderr says why
  for (const std::string& problem : problems) print_message(problem);
  return status;
}

Verb add_render(CLI::App& app) {
  const auto options = std::make_shared<RenderOptions>();
  CLI::App* const verb =
      app.add_subcommand("render", "Render one moment, every beat into a folder, or a film, without a window");
  verb->add_option("FILE", options->file, "a torch.profiler or warpwalk trace, plain or gzip, or a lesson");
  verb->add_option("-o,--output", options->out,
                   "out.png or out.svg for one moment; a folder for every beat; out.mp4, .webm or .gif for a film; "
                   "out.html for a handout, a page for each beat");
  verb->add_option("--format", options->format, "format of the pictures in a folder: png or svg (default: png)");
  verb->add_option("--fps", options->fps, "frames per second of a film (default: 30)");
  verb->add_flag("--frames", options->frames, "write a film as numbered pictures into a folder, without ffmpeg");
  verb->add_flag("--progress", options->progress, "report a film's progress on stderr, one line per frame");
  verb->add_option("--compare", options->compare, "a second trace, for lab/overview: shows what differs");
  verb->add_option("--scene", options->scene, "the name of the scene (see --list)");
  verb->add_option("--at", options->at, "b3 (beat), 12.5us (time since the trace's start) or c1500 (kernel cycle)");
  verb->add_option("--follow", options->follow,
                   "op:N, kernel:N or launch:N, N from 0; default: the op with the most GPU time; and a number of its "
                   "result: element:ROW,COLUMN, alone or after op:N/");
  verb->add_option("--size", options->size, "WIDTHxHEIGHT in pixels (default: 1920x1080)");
  verb->add_option("--theme", options->theme, "dark, light or high-contrast (default: dark; for a handout light)");
  verb->add_option("--names", options->names, "names of the GPU's parts: hardware, company or both");
  verb->add_option("--route", options->route,
                   "the beats of a folder, a film or a text: first (one idea each) or all (default: all)");
  verb->add_option("--language", options->language,
                   "language of the texts: a folder of assets/narration (default: en)");
  verb->add_option("--set", options->set, "SCENE.CONTROL=VALUE: set a control of a scene, for example sm.registers=64")
      ->allow_extra_args(false);
  verb->add_flag("--questions", options->questions, "show the beats' questions, before the answers");
  verb->add_option("--answer", options->answer,
                   "KEY=N or KEY=skip: answer a question with its Nth option, for example schedulers.pick=2")
      ->allow_extra_args(false);
  verb->add_option("--scale", options->scale, "pixels per unit; default: depends on the size");
  verb->add_flag("--present", options->present, "the stage alone in large type, as it is projected while presenting");
  verb->add_flag("--lecturer", options->lecturer,
                 "the page of the lecturer's window: note, question with its answer, next beat");
  verb->add_flag("--notes", options->notes, "print the speaker's notes in a handout");
  verb->add_flag("--text", options->text, "write the sentences and facts instead of pictures");
  verb->add_flag("--list", options->list, "list the names of all scenes, one per line");
  return {verb, [options] { return render(*options); }};
}

}  // namespace warpwalk::verbs
