#include "app/verbs/render.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/document/compiled_parts.h"
#include "app/document/view.h"
#include "app/draw/image.h"
#include "app/film/film.h"
#include "app/film/studio.h"
#include "app/lessons/lesson.h"
#include "app/shell/lecturer.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/load.h"
#include "app/verbs/common/load_ranks.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/moments.h"
#include "app/verbs/stages/kernel_history.h"
#include "core/analysis/compare/trace_comparison.h"
#include "core/analysis/predict/suggest.h"
#include "core/analysis/time/overview.h"
#include "core/run/launch/program_file.h"
#include "core/run/replay/compiled_modules.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/labs/labs.h"
#include "core/story/scene_list.h"
#include "core/story/stage/scene.h"
#include "core/story/transcript.h"
#include "core/words/crash/open_dump.h"

namespace warpwalk::verbs {
namespace {

struct Shot {
  const story::Scene* scene;
  story::Moment moment;
};

// Every beat of one scene, or of all scenes. The first route is the tour if the walk has one.
std::vector<Shot> all_beats(const trace::Trace& trace, const story::Walk& walk, const story::Scene* only,
                            bool first_route) {
  std::vector<Shot> shots;
  const auto add = [&](const story::Scene& scene) {
    for (const int beat : story::beats_of(scene, trace, walk, first_route))
      shots.push_back({&scene, {story::Moment::Kind::beat, beat, 1}});
  };
  if (only != nullptr)
    add(*only);
  else if (first_route && document::has_tour(trace, walk))
    add(story::tour());
  else
    for (const story::Scene& scene : story::scenes()) add(scene);
  return shots;
}

int list_scenes() {
  fmt::print("{}\n", story::tour().name);
  for (const std::vector<story::Scene>* list : {&story::scenes(), &story::labs()})
    for (const story::Scene& scene : *list) fmt::print("{}\n", scene.name);
  return 0;
}

std::string words_of(const std::vector<story::Stage>& stages) {
  std::string text;
  for (const story::Stage& stage : stages) text += story::everything_on(stage);
  return text;
}

// `picture` and `svg` draw the Nth stage.
base::Result<void> write_pictures(const std::vector<story::Stage>& stages, const RenderTarget& target,
                                  const std::filesystem::path& out,
                                  const std::function<draw::Image(std::size_t)>& picture,
                                  const std::function<std::string(std::size_t)>& svg) {
  const bool vector = target.kind == RenderTarget::Kind::svg;
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

/// Renders. Adds to `problems` the lines about the trace's lost data. `ranks`: the report is null for one trace.
int render(const RenderOptions& options, const analysis::RankSource& ranks, std::vector<std::string>& problems) {
  if (options.file.empty()) return refuse("render: no trace file given; write: warpwalk render FILE -o out.png");
  if (const auto program = run::program_file(options.file)) return refuse(*program);
  if (options.out.extension() == ".html") return handout(options, ranks, problems);
  if (lessons::is_lesson(options.file)) {
    if (options.out.empty() && !options.text)
      return refuse("render: no output given; add -o FOLDER, -o film.mp4 or -o handout.html");
    return render_lesson(options, problems);
  }
  if (options.out.empty() && !options.text)
    return refuse("render: no output given; add -o out.png, or -o FOLDER for every beat");
  const auto wanted = render_target(options);
  if (!wanted) return refuse(wanted.error());
  const RenderTarget& target = *wanted;
  auto studio_options = verbs::studio_options(options);
  if (!studio_options) return refuse(studio_options.error());
  document::View view;
  if (const auto good = apply_view_options(options, view); !good) return refuse(good.error());
  const story::Scene* scene = story::find_scene(options.scene);
  std::optional<story::Moment> moment;
  if (!options.at.empty()) moment = view.moment;

  const auto opened_assets = render_assets(options);
  if (!opened_assets) return refuse(opened_assets.error());
  const auto& [assets, narration, hardware] = *opened_assets;
  story::Predictions predictions;
  predictions.asking = options.questions || !options.answer.empty();
  for (const std::string& text : options.answer) {
    const auto answer = story::parse_answer(text);
    if (!answer) return refuse("--answer " + answer.error());
    predictions.answer_any(answer->key, answer->option);
  }

  std::shared_ptr<words::OpenDump> dump;
  if (words::is_core_dump_file(options.file)) {
    auto opened = words::open_dump(options.file);
    if (!opened) return refuse(opened.error());
    dump = *std::move(opened);
    if (scene == nullptr) scene = story::find_scene(document::crash_scene);
  }
  LoadedTrace loaded = dump ? LoadedTrace{} : load(options.file, 0);
  if (loaded.result.error) return refuse(*loaded.result.error);
  run::add_inlined_calls(loaded.result.trace, options.file);
  const trace::Trace& trace = loaded.result.trace;
  std::ranges::move(lost_data(options.file, loaded.result), std::back_inserter(problems));

  const std::shared_ptr<const analysis::RankReport> report =
      ranks.report != nullptr ? ranks.report : analysis::merged_report(trace, options.file);
  std::optional<analysis::TraceSummary> compared;
  std::optional<analysis::WorkProfile> work;
  std::optional<analysis::TraceComparison> comparison;
  if (!options.compare.empty()) {
    const LoadedTrace second = load(options.compare, 0);
    if (second.result.error) return refuse("--compare: " + *second.result.error);
    const std::string name = options.compare.filename().string();
    compared = analysis::overview_of(second.result.trace, name).summary;
    work = analysis::work_profile(trace, options.file.filename().string());
    comparison = analysis::compare_profiles(*work, analysis::work_profile(second.result.trace, name));
  }

  const auto chosen = story::chosen_walk(trace, options.follow);
  if (!chosen) return refuse("--follow " + chosen.error());
  const story::Walk& walk = *chosen;
  if (scene != nullptr)
    if (const auto lacks = lacks_scene(*scene, trace, walk)) return refuse(*lacks);

  std::vector<Shot> shots;
  const bool one_picture = !target.folder && !target.film() && !options.text;
  if (compared && scene == nullptr) {
    scene = story::find_scene(document::compare_scene);
    if (one_picture && !moment) moment = document::compare_moment();
  }
  if (one_picture || moment) {
    const story::Scene& shown = scene != nullptr ? *scene : story::scenes().front();
    const auto last = static_cast<std::int64_t>(shown.beats(trace, walk).size());
    shots.push_back({&shown, moment.value_or(story::Moment{story::Moment::Kind::beat, last, 1})});
  } else {
    shots = all_beats(trace, walk, scene, view.first_route);
  }
  // Made once: for a large trace it takes longer than a stage.
  std::optional<analysis::Overview> overview;
  compiled::Compiled made;
  if (std::ranges::any_of(shots, [](const Shot& shot) { return shot.scene->name == document::compare_scene; })) {
    made = document::compiled_beside(options.file);
    overview = analysis::overview_of(trace, options.file.filename().string(), document::parts_of_compiled(made));
    overview->predicted = analysis::predict_advice(trace, overview->advice, hardware.devices);
    if (!work) work = analysis::work_profile(trace, overview->summary.file);
  }
  const analysis::Overview* const whole = overview ? &*overview : nullptr;
  const analysis::TraceSummary* const other = compared ? &*compared : nullptr;

  // The input of a stage at a moment.
  const auto input_at = [&, &described = hardware](const story::Moment& at, const story::HistoryView& simulated,
                                                   const story::Predictions& said) {
    return story::SceneInput{.trace = trace,
                             .walk = walk,
                             .narration = narration,
                             .hardware = described,
                             .moment = at,
                             .controls = view.controls,
                             .naming = view.naming,
                             .history = simulated,
                             .predictions = said,
                             .overview = whole,
                             .compared = other,
                             .work = work ? &*work : nullptr,
                             .comparison = comparison ? &*comparison : nullptr,
                             .ranks = report.get(),
                             .rank = ranks.rank,
                             .dump = dump.get()};
  };
  if (moment)
    if (const auto stage = story::stage_at(*shots.front().scene, input_at(*moment, {}, {})); !stage)
      return refuse("--at " + stage.error());
  std::set<const story::Scene*> checked;
  for (const Shot& shot : shots)
    if (checked.insert(shot.scene).second)
      if (const auto error = story::unknown_setting(*shot.scene, input_at(shot.moment, {}, {})))
        return refuse("--set " + *error);
  if (const auto done = prepare_output(options, target); !done) return refuse(done.error());
  KernelHistory history;
  bool simulated = false, cycles = false;
  for (const Shot& shot : shots) {
    if (!story::uses_history(*shot.scene, trace, walk, shot.moment)) continue;
    simulated = true;
    cycles = cycles || story::needs_cycles(*shot.scene);
  }
  if (simulated)
    if (!simulate_followed(trace, walk, hardware, assets, cycles, history) ||
        !find_followed_number(trace, walk, view.controls, assets, history))
      return refuse(simulation_stopped);
  std::vector<story::Stage> stages;
  const auto shows_change = [&](const Shot& shot) {
    return simulate_changed(trace, walk, assets,
                            story::what_if_of(*shot.scene, trace, walk, shot.moment, view.controls), history);
  };
  for (const Shot& shot : shots) {
    if (!shows_change(shot)) return refuse(simulation_stopped);
    stages.push_back(*story::stage_at(*shot.scene, input_at(shot.moment, history.view, predictions)));
  }
  if (const auto done = check_answers(options.answer, stages); !done) return refuse(done.error());
  if (options.text) {
    std::string text;
    for (const story::Stage& stage : stages) text.append(text.empty() ? "" : "\n").append(story::transcript(stage));
    const auto done = write_text(options, text);
    return done ? 0 : refuse(done.error());
  }

  // The lecturer's page has words of the next beat too.
  if (!target.film() && !options.lecturer)
    studio_options->words = words_of(stages);  // the words of a film's motions are not known yet
  const auto opened = film::Studio::open(*std::move(studio_options));
  if (!opened) return refuse(opened.error());
  const film::Studio& studio = **opened;

  if (target.film()) {
    std::vector<film::BeatStage> beats;
    const auto add = [&](const Shot& shot, const story::Predictions& said) {
      beats.emplace_back([&, shot, said](double phase) -> base::Result<story::Stage> {
        story::Moment at = shot.moment;
        at.phase = phase;
        if (!shows_change(shot)) return base::Error{simulation_stopped};
        return story::stage_at(*shot.scene, input_at(at, history.view, said));
      });
    };
    for (std::size_t i = 0; i < shots.size(); ++i) {
      add(shots[i], predictions);
      // First the question, then its answer.
      if (const auto after = story::answered(stages[i].question, predictions)) add(shots[i], *after);
    }
    if (const auto done = film::write_film(beats, studio, {options.out, options.fps, options.frames, options.progress});
        !done)
      return refuse(done.error());
    if (studio.lacks_cjk()) problems.push_back(draw::cjk_advice());
    return 0;
  }
  std::vector<shell::LecturerPage> pages;
  if (options.lecturer)
    for (const Shot& shot : shots) {
      document::View shown = view;
      shown.file = options.file;
      shown.ranks = options.ranks;
      shown.rank = options.rank;
      shown.compare = options.compare;
      shown.scene = shot.scene->name;
      shown.moment = shot.moment;
      pages.push_back(shell::lecturer_page(shown, input_at(shot.moment, history.view, predictions), {}));
    }
  const auto picture = [&, &words = narration](std::size_t i) {
    return options.lecturer ? studio.image(pages[i], words) : studio.image(stages[i]);
  };
  const auto svg = [&, &words = narration](std::size_t i) {
    return options.lecturer ? studio.svg(pages[i], words) : studio.svg(stages[i]);
  };
  if (const auto done = write_pictures(stages, target, options.out, picture, svg); !done) return refuse(done.error());
  if (studio.lacks_cjk()) problems.push_back(draw::cjk_advice());
  return 0;
}

}  // namespace

int render(const RenderOptions& options) {
  if (options.list) return list_scenes();
  if (const std::string error = rank_without_ranks(options.rank, options.ranks); !error.empty()) return refuse(error);
  RenderOptions chosen = options;
  analysis::RankSource ranks;
  if (!options.ranks.empty()) {
    // Before long work: what does not depend on the traces.
    document::View view;
    if (const auto good = apply_view_options(options, view); !good) return refuse(good.error());
    if (options.out.empty() && !options.text)
      return refuse("render: no output given; add -o out.png, or -o FOLDER for every beat");
    auto source = load_ranks(options.ranks, options.rank, 0);
    if (!source) return refuse(source.error());
    ranks = *std::move(source);
    chosen.file = ranks.file;
    if (chosen.scene.empty() && ranks.report != nullptr) chosen.scene = document::ranks_scene;
  }
  std::vector<std::string> problems;
  const int status = render(chosen, ranks, problems);
  if (status == 2) return status;  // its line on stderr says why
  for (const std::string& problem : problems) print_message(problem);
  return status;
}

Verb add_render(CLI::App& app) {
  const auto options = std::make_shared<RenderOptions>();
  CLI::App* const verb =
      app.add_subcommand("render", "Render one moment, every beat into a folder, or a film, without a window");
  const auto files = std::make_shared<std::vector<std::filesystem::path>>();
  verb->add_option("FILE", *files,
                   "a torch.profiler or warpwalk trace, plain or gzip, a GPU core dump, or a lesson; a folder, or "
                   "several files: the "
                   "traces of the ranks of a run, compared in scene ranks");
  verb->add_option("--rank", options->rank,
                   "of several traces, the number of the rank whose trace is followed; default: the late one")
      ->check(whole_number(0, 1'000'000));
  verb->add_option("-o,--output", options->out,
                   "out.png or out.svg for one moment; a folder for every beat; out.mp4, .webm or .gif for a film; "
                   "out.html for a handout, a page for each beat");
  verb->add_option("--format", options->format, "format of the pictures in a folder: png or svg (default: png)");
  verb->add_option("--fps", options->fps, "frames per second of a film (default: 30)");
  verb->add_flag("--frames", options->frames, "write a film as numbered pictures into a folder, without ffmpeg");
  verb->add_flag("--progress", options->progress, "report a film's progress on stderr, one line per frame");
  verb->add_option("--compare", options->compare, "a second trace, for lab/overview: shows what differs");
  add_view_options(*verb, *options);
  verb->add_option("--size", options->size, "WIDTHxHEIGHT in pixels (default: 1920x1080)");
  verb->add_option("--theme", options->theme, "dark, light or high-contrast (default: dark; for a handout light)");
  verb->add_option("--route", options->route,
                   "the beats of a folder, a film or a text: first (the tour, or one idea each) or all (default: all)");
  verb->add_option("--language", options->language,
                   "language of the texts: a folder of assets/narration (default: en)");
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
  const auto moments = std::make_shared<MomentOptions>();
  add_moments(*verb, *moments);
  return {verb, [options, files, moments] {
            if (analysis::names_ranks(*files))
              options->ranks = *files;
            else if (!files->empty())
              options->file = files->front();
            return moments->chosen ? render_moments(*options, moments->target) : render(*options);
          }};
}

}  // namespace warpwalk::verbs
