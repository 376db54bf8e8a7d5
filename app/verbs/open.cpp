#include "app/verbs/open.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/answers/answer_log.h"
#include "app/document/document.h"
#include "app/draw/image.h"
#include "app/film/film_job.h"
#include "app/film/studio.h"
#include "app/verbs/answers.h"
#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/language.h"
#include "app/verbs/common/load_ranks.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/stages/kernel_history.h"
#include "app/window/window.h"
#include "core/compiled/open_compiled.h"
#include "core/platform/executable_path.h"
#include "core/platform/find_program.h"
#include "core/records/hardware.h"
#include "core/run/kernel_lab/source_file.h"
#include "core/run/launch/cycles.h"
#include "core/story/scene_list.h"
#include "core/trace/chrome/writer.h"

namespace warpwalk::verbs {
namespace {

// Writes the stage as `render` would, into the current folder.
base::Result<std::string> save_picture(const story::Stage& stage, const draw::Theme& theme, const document::View& view,
                                       shell::PictureFormat format) {
  const std::string source = view.file.filename().string();
  const std::string name = fmt::format("warpwalk-{}-{}", stage.scene, stage.beat);
  if (format == shell::PictureFormat::svg) {
    const auto svg = film::stage_svg(stage, theme, source);
    if (!svg) return svg;
    if (const auto done = write_file(name + ".svg", *svg); !done) return base::Error{done.error()};
    return name + ".svg";
  }
  film::Studio::Options options;
  options.theme = theme;
  options.source = source;
  const auto studio = film::Studio::open(options);
  if (!studio) return base::Error{studio.error()};
  if (const auto done = draw::write_png((*studio)->image(stage), name + ".png"); !done)
    return base::Error{done.error()};
  return name + ".png";
}

// Writes a walk that was run in the window into the current folder, under an unused name.
base::Result<std::string> save_walk(const trace::Trace& trace) {
  std::string name = "warpwalk-run.json.gz";
  std::error_code ignored;
  for (int n = 2; std::filesystem::exists(name, ignored); ++n) name = fmt::format("warpwalk-run-{}.json.gz", n);
  if (const auto done = trace::write_trace(trace, name); !done) return base::Error{done.error()};
  return name;
}

// Films the scene into the current folder; without ffmpeg, writes its frames into a folder.
base::Result<void> film_scene(film::FilmJob& job, const document::View& view, const draw::Theme& theme,
                              const std::string& language) {
  const bool film = platform::find_program("ffmpeg").has_value();
  const std::string out = fmt::format("warpwalk-{}{}", view.scene, film ? ".mp4" : "-frames");
  std::vector<std::string> arguments = {"render"};
  for (const std::filesystem::path& path : view.ranks) arguments.push_back(path.string());
  if (view.ranks.empty()) arguments.push_back(view.file.string());
  if (!view.ranks.empty() && view.rank != analysis::any_rank)
    arguments.insert(arguments.end(), {"--rank", std::to_string(view.rank)});
  arguments.insert(arguments.end(),
                   {"--scene", view.scene, "--theme", std::string(theme.name), "--names",
                    std::string(name_of(view.naming)), "--language", language, "-o", out, "--progress"});
  if (!film) arguments.emplace_back("--frames");
  if (!view.follow.empty()) arguments.insert(arguments.end(), {"--follow", view.follow});
  if (!view.compare.empty()) arguments.insert(arguments.end(), {"--compare", view.compare.string()});
  for (const auto& [name, setting] : view.controls.all())
    arguments.insert(arguments.end(), {"--set", story::setting_text(name, setting)});
  return job.start(std::move(arguments), out);
}

// Waits a moment for the end of reading, so that a file that cannot be opened needs no window. A large one is read
// further while the window shows its progress.
template <class Reading>
void wait_for_end(const Reading& reading) {
  constexpr auto patience = std::chrono::milliseconds(400), pause = std::chrono::milliseconds(2);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (reading() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(pause);
}

// The error of a file that cannot be opened; empty: it is open, or still being read.
std::string opening_error(shell::Shell& shell) {
  bool reading = true;
  wait_for_end([&] { return reading = shell.take_read(); });
  return reading || shell.opened().document != nullptr ? std::string() : shell.note().text;
}

// The same of the second trace. The window reads it once more.
std::string comparing_error(const std::filesystem::path& file) {
  document::Loader loader;
  std::shared_ptr<const document::Document> read;
  loader.open(file);
  wait_for_end([&] { return (read = loader.poll()) == nullptr; });
  return read == nullptr ? std::string() : read->read.error.value_or("");
}

/// Checks --gpu and --caches, which are the Kernel lab's. `in_lab`: it opens.
base::Result<void> check_lab_options(const OpenOptions& options, bool in_lab, const records::Hardware& hardware) {
  if (!options.gpu.empty() && hardware.find(options.gpu) == nullptr) {
    std::vector<std::string_view> known;
    for (const gpu::Device& device : hardware.devices) known.push_back(device.id);
    return base::Error{fmt::format("--gpu {}: unknown GPU; use one of {}", options.gpu, fmt::join(known, ", "))};
  }
  if (!options.caches.empty() && options.caches != run::name_of(gpu::CacheStart::cold) &&
      options.caches != run::name_of(gpu::CacheStart::warm))
    return base::Error{fmt::format("--caches {}: write cold or warm", options.caches)};
  if (in_lab || (options.gpu.empty() && options.caches.empty())) return {};
  return base::Error{fmt::format("--{}: is for the Kernel lab: warpwalk KERNEL.cu, or with --scene lab/kernel",
                                 options.gpu.empty() ? "caches" : "gpu")};
}

}  // namespace

int open(const OpenOptions& options) {
  const auto assets = find_assets();
  if (!assets) return refuse("the assets (narration, walks) were not found; set WARPWALK_ASSETS to their folder");
  const std::filesystem::path settings_path = shell::settings_file();
  std::error_code ignored;
  if (options.reset_settings) std::filesystem::remove(settings_path, ignored);
  auto [settings, settings_complaint] = shell::load_settings(settings_path);
  if (!options.language.empty()) settings.language = options.language;
  auto narration = load_words(*assets, settings.language);
  if (!narration && options.language.empty()) {  // a language of the settings that is no longer there
    settings_complaint = narration.error();
    settings.language = default_language;
    narration = load_words(*assets, settings.language);
  }
  if (!narration) return refuse(narration.error());
  if (const auto theme = chosen_theme(options, "dark"); !theme) return refuse(theme.error());
  if (options.scale != 0 && !(options.scale >= 0.5 && options.scale <= 8))
    return refuse(fmt::format("--scale {}: out of range; use 0.5 to 8", options.scale));
  document::View view;
  const std::vector<std::filesystem::path>& files = options.files;
  const std::filesystem::path default_walk = *assets / "walks" / "h200_relu_matmul_inside.json.gz";
  view.file = files.empty() ? default_walk : files.front();
  std::error_code not_there;
  for (const std::filesystem::path& file : files)
    if (!std::filesystem::exists(file, not_there))  // reported at once, not in an empty window
      return refuse(
          fmt::format("{}: there is no such file; give a trace or a verb (see warpwalk --help)", file.string()));
  const bool on_page =
      files.size() == 1 && (run::is_for_lab(files.front()) || compiled::is_compiled_output(files.front()));
  const std::filesystem::path page_file = on_page ? files.front() : std::filesystem::path();
  if (on_page) view.file = default_walk;  // the page opens above it
  if (const std::string error = rank_without_ranks(options.rank, files); !error.empty()) return refuse(error);
  if (!on_page && analysis::names_ranks(files)) {
    view.ranks = files;
    view.rank = options.rank;
  }
  if (!options.compare.empty()) {
    if (!std::filesystem::exists(options.compare, not_there))
      return refuse(fmt::format("--compare {}: there is no such file; give a second trace", options.compare.string()));
    if (const std::string error = comparing_error(options.compare); !error.empty())
      return refuse("--compare: " + error);
    view.compare = options.compare;
    view.scene = document::compare_scene;
    view.moment = document::compare_moment();
  }
  if (!options.scene.empty()) view.moment = document::View().moment;
  view.naming = settings.naming;
  view.first_route = settings.first_route;
  if (const auto good = apply_view_options(options, view); !good) return refuse(good.error());
  if (const auto good = check_view_beat(view); !good) return refuse(good.error());
  auto [hardware, hardware_error] = records::load_hardware(*assets / "devices");
  if (hardware_error) return refuse(*hardware_error);
  const bool in_lab = on_page || options.scene == "lab/kernel";
  if (const auto good = check_lab_options(options, in_lab, hardware); !good) return refuse(good.error());
  settings.naming = view.naming;
  if (!options.names.empty()) settings.own_naming = view.naming;
  if (!options.questions.empty() && options.questions != "on" && options.questions != "off")
    return refuse(fmt::format("--questions {}: not a choice; use on or off", options.questions));
  if (!options.questions.empty()) settings.questions = settings.own_questions = options.questions == "on";
  if (options.student.size() > 200) return refuse("--student: longer than 200 bytes; use a shorter name");
  if (!options.theme.empty()) settings.theme = options.theme;
  settings.first_route = view.first_route;
  film::FilmJob film;
  const std::string language = settings.language;
  shell::Host host;
  host.copy = window::copy_to_clipboard;
  host.choose_file = window::file_chooser();
  host.address = window::page_address();
  host.save_picture = save_picture;
  const bool starts_programs = !platform::executable_path().empty();  // a page in a browser does not
  host.start_film = [&](const document::View& what, const draw::Theme& theme) -> base::Result<void> {
    if (!starts_programs) return base::Error{"a browser cannot write films; use warpwalk on a desktop"};
    return film_scene(film, what, theme, language);
  };
  host.film_progress = [&] { return film.poll(); };
  host.cancel_film = [&] { film.cancel(); };
  host.assets = *assets;
  host.for_class = options.for_class;
  host.lab_gpu = options.gpu;
  host.lab_caches = options.caches;
  host.save_walk = save_walk;
  if (!settings_path.empty()) host.lesson_draft = settings_path.parent_path() / "lesson_draft.json";
  if (starts_programs) host.program = "/proc/self/exe";
  host.histories = history_options(*assets);
  const answers::AnswerLog log(options.answers.empty() ? answers_file() : options.answers, options.student,
                               options.rehearsal);
  host.kept_answers = log.file();
  host.class_answers = options.class_answers;
  host.student = options.student;
  host.in_browser = !starts_programs;
  host.compile_cuda = window::page_compiler();
  host.keep_answer = [&log](const answers::Answer& answer) { return log.add(answer); };
  std::ofstream states;
  if (const char* file = std::getenv("WARPWALK_STATE"); file != nullptr && *file != '\0') {
    states.open(file, std::ios::binary | std::ios::app);
    host.report = [&](const std::string& line) { states << line << std::endl; };
  }
  shell::Shell shell(*std::move(narration), std::move(hardware), std::move(host), settings);
  const bool no_place = options.scene.empty() && options.at.empty() && options.follow.empty() && options.set.empty() &&
                        options.compare.empty();
  const bool default_view = files.empty() && no_place;
  shell.open(view, {.place = no_place, .names = true});
  shell.presentation().set_full_screen(options.full_screen);
  const bool present = options.present || options.lecturer;
  shell.presentation().set_on(present);
  shell.presentation().set_lecturer(options.lecturer && !options.for_class);
  if (const std::string error = opening_error(shell); !error.empty()) return refuse(error);
  if (default_view && !present) shell.open_start_page();
  if (on_page)
    if (const std::string error = shell.open_on_page(page_file); !error.empty()) return refuse(error);
  if (settings_complaint && shell.note().kind != panels::Note::Kind::error) shell.report_error(*settings_complaint);
  window::Options window;
  window.scale = options.scale != 0 ? options.scale : settings.scale;
  window.presenting_scale = options.scale;
  if (settings.window_width > 0) {
    window.width = settings.window_width;
    window.height = settings.window_height;
  }
  shell::Settings kept = settings;
  window.after_frame = [&] {
    shell::Settings now = shell.settings();
    now.window_width =
        kept.window_width;  // the size is kept at the end, not with every pixel by which an edge is dragged
    now.window_height = kept.window_height;
    if (now == kept) return;
    kept = now;
    if (const auto done = shell::save_settings(kept, settings_path); !done) shell.report_error(done.error());
  };
  if (const auto done = window::run(window, shell); !done) return refuse(done.error());
  if (shell.settings() != kept) (void)shell::save_settings(shell.settings(), settings_path);
  // The file took long to read, and could not be opened in the end.
  const bool failed = shell.opened().document == nullptr && shell.note().kind == panels::Note::Kind::error;
  return failed ? refuse(shell.note().text) : 0;
}

Verb add_open(CLI::App& app) {
  const auto options = std::make_shared<OpenOptions>();
  app.add_option(
      "FILE", options->files,
      "a trace, a GPU core dump or a lesson to open in the window; CUDA C++ (.cu), PTX (.ptx), a launch file or "
      "a cubin, to open in the Kernel lab; a folder, or several files: the traces of the ranks of a run, "
      "compared; a file or folder of torch.compile or Triton; default: a walk that comes with warpwalk");
  app.add_option("--rank", options->rank, "of several traces, the number of the rank to open; default: the late one")
      ->check(whole_number(0, 1'000'000));
  app.add_option("--compare", options->compare, "a second trace: opens lab/overview with what differs");
  add_view_options(app, *options);
  app.add_option("--theme", options->theme, "dark, light or high-contrast");
  app.add_option("--route", options->route,
                 "the beats that the arrow keys step through: first (one idea each) or all; Shift+D changes it");
  app.add_option("--language", options->language,
                 "language of the texts: a folder of assets/narration; default: from the settings, else en");
  app.add_option("--gpu", options->gpu,
                 "in the Kernel lab, the GPU to simulate: a name in assets/devices; default: as the launch says");
  app.add_option("--caches", options->caches,
                 "in the Kernel lab, the caches when a launch starts, cold or warm; default: as the launch says");
  app.add_option("--questions", options->questions, "on or off: whether beats ask before they show the answer");
  app.add_option("--answers", options->answers,
                 "the file to which answers to questions are appended; default: answers.jsonl beside the settings");
  app.add_option("--student", options->student, "a name to record with the answers; default: none");
  app.add_option("--class-answers", options->class_answers,
                 "answers of a class, files or folders of them: Shift+H shows beside a question how often each option "
                 "was chosen")
      ->check(CLI::ExistingPath)
      ->allow_extra_args(false);
  app.add_flag("--rehearsal", options->rehearsal, "mark the answers as those of a rehearsal, which do not count");
  app.add_option("--scale", options->scale, "pixels per unit; default: depends on the screen");
  app.add_flag("--full-screen", options->full_screen, "fill the screen; F11 or Esc leaves it");
  app.add_flag("--present", options->present, "present: only the stage, with large type");
  app.add_flag("--lecturer", options->lecturer,
               "present, with a second window for the lecturer: note, question, clock and next beat");
  app.add_flag("--for-class", options->for_class,
               "without speaker's notes and without the lecturer's window, as pages that are given to a class");
  app.add_flag("--reset-settings", options->reset_settings, "delete the saved settings");
  return {&app, [options] { return open(*options); }};
}

}  // namespace warpwalk::verbs
