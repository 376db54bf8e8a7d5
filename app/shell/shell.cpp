#include "app/shell/shell.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "core/story/motion.h"
#include "core/story/pictures/panels.h"
#include "core/story/records/hardware.h"
#include "core/story/scenes.h"
#include "core/trace/problem.h"
#include "core/trace/snapshot/memory_snapshot.h"

namespace warpwalk::shell {
namespace {}  // namespace

std::string_view name_of(Sheet sheet) {
  switch (sheet) {
    case Sheet::none: return "";
    case Sheet::help: return "help";
    case Sheet::glossary: return "glossary";
    case Sheet::start: return "start";
    case Sheet::files: return "files";
    case Sheet::run: return "run";
    case Sheet::observe: return "observe";
    case Sheet::kernel: return "kernel";
    case Sheet::idle: return "idle";
    case Sheet::timeline: return "timeline";
    case Sheet::lesson: return "lesson";
  }
  return "";
}

Shell::Shell(story::Narration narration, story::Hardware hardware, Host host, Settings settings)
    : narration_(std::move(narration)),
      glossary_(narration_),
      hardware_(std::move(hardware)),
      host_(std::move(host)),
      settings_(std::move(settings)),
      run_job_(host_.program, narration_),
      cuda_(host_.program, narration_),
      sampler_(host_.nvml) {
  transport_.reduced_motion = settings_.reduced_motion;
  transport_.speed = settings_.speed;
  view_.naming = settings_.naming;
  predictions_.asking = settings_.questions;
}

const draw::Theme& Shell::theme() const {
  if (settings_.theme == draw::light_theme().name) return draw::light_theme();
  if (settings_.theme == draw::high_contrast_theme().name) return draw::high_contrast_theme();
  return draw::dark_theme();
}

void Shell::set_window_size(int width, int height) {
  settings_.window_width = width;
  settings_.window_height = height;
}

void Shell::open(const View& view) {
  note_ = {};
  if (lessons::is_lesson(view.file)) {
    auto [lesson, error] = lessons::load_lesson(view.file, host_.assets / "walks");
    if (error) {
      report_error(*error);
      return;
    }
    lesson_ = std::move(lesson);
    notes_ = true;  // the lesson's text; N hides it
    go_to_step(0, true);
    return;
  }
  lesson_.reset();
  wanted_ = view;
  loader_.open(view.file);
}

void Shell::take_document(std::shared_ptr<const document::Document> document) {
  View view = *wanted_;
  wanted_.reset();
  if (document->read.error) {
    report_error(*document->read.error);  // the open document stays open
    return;
  }
  document_ = std::move(document);
  predictions_.clear();
  lab_back_.reset();
  outline_ = {};
  idle_ = {};
  timeline_ = {};
  outline_.tab = panels::first_tab(document_->trace(), document_->outline);
  strip_ = {};
  // A memory snapshot has no op to walk through.
  if (view.scene == View().scene && document_->trace().op_order.empty() &&
      trace::has_memory_snapshot(document_->trace()))
    view.scene = "lab/allocator";
  take_view(view);
  if (view.scene == "lab/kernel" && !lesson_) open_lab();
  for (const trace::Problem& problem : document_->read.problems.rows())
    if (note_.text.empty() && trace::loses_data(problem.kind)) report_error(problem.message);
  // Shown once after the start: the three keys that lead to all others.
  if (note_.text.empty() && !greeted_) note_ = {narration_.text("hint", "first_keys")};
  greeted_ = true;

  if (document_->unsaved) return;
  std::error_code error;
  const std::string file = std::filesystem::absolute(view.file, error).lexically_normal().string();
  const std::string shipped = (std::filesystem::absolute(host_.assets, error).lexically_normal() / "").string();
  if (!host_.assets.empty() && file.starts_with(shipped)) return;  // they are listed anyway
  std::erase(settings_.recent, file);
  settings_.recent.insert(settings_.recent.begin(), file);
  if (settings_.recent.size() > max_recent_files) settings_.recent.resize(max_recent_files);
}

// The view on the document that is open.
void Shell::take_view(const View& view) {
  const trace::Trace& trace = document_->trace();
  auto [walk, error] = view.follow.empty() ? std::pair{story::default_walk(trace), std::optional<std::string>{}}
                                           : story::follow(trace, view.follow);
  walk_ = error ? story::default_walk(trace) : std::move(walk);
  show(view);
  if (error) {
    report_error(*error);
    view_.follow.clear();
  }
  const story::Scene* const scene = story::find_scene(view_.scene);
  if (const auto unknown = scene == nullptr ? std::nullopt : story::unknown_setting(*scene, input_at(view_.moment)))
    report_error(lesson_ ? fmt::format("{}: step {}: {}", lesson_->file.filename().string(), lesson_step_ + 1, *unknown)
                         : *unknown);
}

void Shell::show(const View& view) {
  view_ = view;
  if (transport_.reduced_motion) view_.moment.phase = 1;
  waited_ = 0;
}

void Shell::go(const View& view) {
  show(view);
  note_ = {};
}

// Messages are [note] of the narration.
void Shell::confirm(std::string_view key, const story::Narration::Values& values) {
  note_ = {narration_.text("note", key, values), panels::Note::Kind::done};
}

void Shell::fail(std::string_view key, const story::Narration::Values& values) {
  report_error(narration_.text("note", key, values));
}

void Shell::confirm_saved(const std::filesystem::path& file) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(file, ignored).lexically_normal();
  confirm("saved", {{"file", whole.filename().string()}, {"folder", whole.parent_path().string()}});
}

std::string Shell::title() const {
  if (!document_) return narration_.text("window", "title.empty");
  if (document_->unsaved && !document_->trace().records.expression.empty())
    return narration_.text("window", "title.unsaved", {{"expression", document_->trace().records.expression}});
  return narration_.text("window", "title", {{"file", document_->file.filename().string()}});
}

void Shell::follow(const std::string& what) {
  if (what.empty()) return;
  auto [walk, error] = story::follow(document_->trace(), what);
  if (error) {
    report_error(*error);
    return;
  }
  // The same beat of the new walk, if it has it.
  std::string key;
  const story::Scene* const scene = story::find_scene(view_.scene);
  if (scene != nullptr && stage_) {
    const std::vector<story::Beat> beats = scene->beats(document_->trace(), walk_);
    if (const auto at = static_cast<std::size_t>(stage_->beat); at >= 1 && at <= beats.size()) key = beats[at - 1].key;
  }
  walk_ = std::move(walk);
  View view = view_;
  view.follow = what;
  view.moment = {story::Moment::Kind::beat, 1, 1};
  if (!key.empty()) {
    const std::vector<story::Beat> beats = scene->beats(document_->trace(), walk_);
    const auto same = std::ranges::find(beats, key, &story::Beat::key);
    if (same != beats.end()) view.moment.value = same - beats.begin() + 1;
  }
  view.controls = {};  // they were set for what was followed before
  go(view);
}

bool Shell::moving() const {
  return transport_.playing || (document_ && view_.moment.kind == story::Moment::Kind::beat && view_.moment.phase < 1);
}

void Shell::advance(double seconds) {
  if (!document_ || view_.moment.kind != story::Moment::Kind::beat) return;
  if (view_.moment.phase < 1) {
    const double length = stage_ ? stage_->motion_seconds : story::usual_motion_seconds;
    view_.moment.phase =
        transport_.reduced_motion ? 1 : std::min(1.0, view_.moment.phase + seconds * transport_.speed / length);
    return;
  }
  if (!transport_.playing || loader_.busy() || asks()) return;
  waited_ += seconds * transport_.speed;
  if (stage_ && waited_ < story::pause_seconds_of(*stage_)) return;
  const View before = view_;
  const std::size_t step_before = lesson_step_;
  step(1);
  if (view_.scene == before.scene && view_.moment.value == before.moment.value && lesson_step_ == step_before)
    transport_.playing = false;
}

// Next and back: through the steps of the open lesson, or else through the beats of all scenes.
void Shell::step(std::int64_t steps) {
  if (!lesson_) {
    go(document::stepped(view_, steps, document_->trace(), walk_));
    return;
  }
  const auto last = static_cast<std::int64_t>(lesson_->steps.size()) - 1;
  const std::int64_t to = std::clamp<std::int64_t>(static_cast<std::int64_t>(lesson_step_) + steps, 0, last);
  if (to != static_cast<std::int64_t>(lesson_step_)) go_to_step(static_cast<std::size_t>(to), steps > 0);
}

void Shell::go_to_step(std::size_t step, bool moving) {
  lesson_step_ = step;
  View view = lesson_->steps[step].view;
  if (view.moment.kind == story::Moment::Kind::beat) view.moment.phase = moving ? 0 : 1;
  if (document_ && !loader_.busy() && document_->file == view.file) {
    note_ = {};
    take_view(view);
    return;
  }
  wanted_ = view;
  loader_.open(view.file);
}

// The second trace of the view: it is read in the background, and only its summary is kept.
void Shell::watch_compared() {
  if (std::shared_ptr<const document::Document> ready = compare_loader_.poll()) {
    if (ready->read.error) {
      report_error(*ready->read.error);
      view_.compare.clear();
    } else {
      compared_ = std::make_shared<const story::TraceSummary>(ready->overview.summary);
    }
  }
  if (view_.compare == compared_file_) return;
  compare_loader_.cancel();
  compared_.reset();
  compared_file_ = view_.compare;
  if (!view_.compare.empty()) compare_loader_.open(view_.compare);
}

void Shell::watch_film() {
  if (!filming_) return;
  const FilmProgress progress = host_.film_progress();
  film_share_ = progress.share;
  if (!progress.done) return;
  filming_ = false;
  if (!progress.file.empty())
    confirm_saved(progress.file);
  else if (progress.cancelled)
    confirm("film_cancelled");
  else if (!progress.error.empty())
    report_error(progress.error);
  else
    fail("film_failed");
}

story::SceneInput Shell::input_at(const story::Moment& moment) const {
  return {document_->trace(), walk_, narration_,        hardware_, moment,       view_.controls,
          view_.naming,       {},    histories_.view(), {},        predictions_, &document_->overview,
          compared_.get()};
}

// The history of a kernel is built as soon as it is followed, so that it is ready when a scene needs it.
void Shell::want_history() {
  if (!host_.histories) return;
  const story::SliceId kernel = document_ ? walk_.kernel : story::no_slice;
  const bool any = kernel != story::no_slice && document_->trace().slices.kind[kernel] == trace::SliceKind::kernel;
  std::optional<gpu::Device> device;
  if (any) device = story::simulated_device(document_->trace(), walk_, hardware_);
  if (!device) {
    histories_.want_none();
    return;
  }
  run::HistoryOptions options = *host_.histories;
  options.device = std::move(*device);
  histories_.want(document_, kernel, options);
  if (const story::Scene* const scene = story::find_scene(view_.scene))
    histories_.want_changed(story::what_if_of(*scene, document_->trace(), walk_, view_.moment, view_.controls));
}

// Also if the history has changed since the stage was made: the worker may end between two frames.
bool Shell::waits_for_history() const {
  return stage_ && stage_uses_history_ && (histories_.busy() || !(stage_history_ == histories_.view()));
}

std::int64_t Shell::moment_in_trace() const {
  if (view_.moment.kind == story::Moment::Kind::time) return view_.moment.value;
  const story::Scene* scene = story::find_scene(view_.scene);
  const std::vector<story::Beat> beats = scene->beats(document_->trace(), walk_);
  const auto last = static_cast<std::int64_t>(beats.size());
  return beats[static_cast<std::size_t>(std::clamp<std::int64_t>(view_.moment.value, 1, last)) - 1].anchor;
}

const std::string& Shell::speaker_note() const {
  if (lesson_ && !lesson_->steps[lesson_step_].note.empty()) return lesson_->steps[lesson_step_].note;
  return stage_->note;
}

namespace {

bool same_beat(const View& a, const View& b) {
  return a.scene == b.scene && a.moment.kind == b.moment.kind && a.moment.value == b.moment.value;
}

}  // namespace

void Shell::find_stage() {
  const story::Scene* scene = story::find_scene(view_.scene);
  if (scene == nullptr) scene = &story::scenes().front();
  const story::HistoryView history = histories_.view();
  if (stage_ && stage_document_ == document_ && stage_view_ == view_ && stage_walk_ == walk_ &&
      stage_step_ == lesson_step_ && stage_predictions_ == predictions_ && stage_compared_ == compared_ &&
      (!stage_uses_history_ || stage_history_ == history))
    return;
  auto [stage, error] = story::stage_at(*scene, input_at(view_.moment));
  if (error) {  // a link to a beat that this trace does not have: show the last one
    report_error(*error);
    const auto beats = static_cast<std::int64_t>(scene->beats(document_->trace(), walk_).size());
    view_.moment = {story::Moment::Kind::beat, beats, 1};
    stage = story::stage_at(*scene, input_at(view_.moment)).first;
  }
  stage_ = std::move(stage);
  if (lesson_ && lesson_->steps[lesson_step_].question && same_beat(view_, lesson_->steps[lesson_step_].view))
    lessons::add_lesson_question(*lesson_->steps[lesson_step_].question, lesson_->file.filename().string(), lesson_step_,
                        narration_, predictions_, *stage_);
  stage_step_ = lesson_step_;
  stage_view_ = view_;
  stage_walk_ = walk_;
  stage_document_ = document_;
  stage_history_ = history;
  stage_predictions_ = predictions_;
  stage_compared_ = compared_;
  stage_uses_history_ = story::uses_history(*scene, document_->trace(), walk_, view_.moment);
}

std::string Shell::state_line() const {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  const auto text = [&](const char* key, std::string_view value) {
    writer.Key(key);
    writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  };
  const auto number = [&](const char* key, double value) {
    writer.Key(key);
    writer.Double(value);
  };
  const auto count = [&](const char* key, std::int64_t value) {
    writer.Key(key);
    writer.Int64(value);
  };
  const auto flag = [&](const char* key, bool value) {
    writer.Key(key);
    writer.Bool(value);
  };
  writer.StartObject();
  text("file", document_ ? view_.file.string() : "");
  text("compare", compared_ ? compared_file_.string() : "");
  text("window", title());
  text("follow", view_.follow);
  text("scene", stage_ ? stage_->scene : "");
  text("title", stage_ ? stage_->title : "");
  count("beat", stage_ ? stage_->beat : 0);
  count("beats", stage_ ? stage_->beats : 0);
  text("at", story::text_of(view_.moment));
  text("note", note_.text);
  text("note_kind", note_.kind == panels::Note::Kind::error  ? "error"
                    : note_.kind == panels::Note::Kind::done ? "done"
                                                             : "hint");
  text("sheet", name_of(sheet_));
  text("folder", files_.folder ? files_.folder->folder.string() : "");
  text("run", run_form_.expression.text);
  text("run_on", pages::run_place_name(run_form_.on));
  text("run_said", run_outcome_.summary);
  text("no_cuda", cuda_.found().why);
  const pages::LabVersion& version = lab_.versions[lab_.active];
  text("lab_file", version.opened.source.empty() ? "" : version.opened.file_name());
  text("lab_focus", sheet_ == Sheet::kernel ? lab_.memory.focus : "");
  text("lab_note", lab_.note);
  text("lab_said", version.messages.empty() ? "" : version.messages.front().with_place());
  count("lab_bytes", static_cast<std::int64_t>(version.source.text().size()));
  count("lab_findings", version.up_to_date() ? static_cast<std::int64_t>(version.run->findings.size()) : -1);
  flag("lab_compare", lab_.compare);
  count("draft_steps", static_cast<std::int64_t>(draft_.steps().size()));
  count("draft_at", draft_.steps().empty() ? 0 : static_cast<std::int64_t>(draft_.at() + 1));
  flag("draft_unsaved", draft_.unsaved());
  text("draft_said", lesson_page_.said);
  text("draft_focus", sheet_ == Sheet::lesson ? lesson_page_.memory.focus : "");
  text("theme", theme().name);
  text("names", story::name_of(view_.naming));
  text("search", outline_.search.text);
  text("focus", memory_.focus_shown ? memory_.focus : "");
  text("lesson", lesson_ ? lesson_->title : "");
  count("lesson_step", lesson_ ? static_cast<std::int64_t>(lesson_step_ + 1) : 0);
  const bool asked = stage_ && stage_->question;
  text("question", asked ? stage_->question->key : "");
  text("question_state", asked ? story::name_of(stage_->question->state) : "");
  count("question_option",
        asked && stage_->question->chosen ? static_cast<std::int64_t>(*stage_->question->chosen) + 1 : 0);
  flag("questions", predictions_.asking);
  count("rows", static_cast<std::int64_t>(outline_.rows.size()));
  number("speed", transport_.speed);
  flag("moving", moving());
  flag("busy", busy());
  flag("playing", transport_.playing);
  flag("typing", outline_.typing || memory_.takes_text);
  flag("presenting", presenting_);
  flag("full_screen", full_screen_);
  flag("lecturer", lecturer_);
  text("lecturer_shows", lecturer_ ? lecturer_page_.title : "");
  flag("blank", blank_);
  flag("notes", notes_);
  writer.Key("controls");
  writer.StartObject();
  for (const auto& [name, setting] : view_.controls.all())
    if (const auto* const value = std::get_if<double>(&setting))
      number(name.c_str(), *value);
    else
      text(name.c_str(), std::get<std::string>(setting));
  writer.EndObject();
  writer.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

void Shell::frame(draw::Canvas& canvas, const draw::Input& input) {
  if (!input.dropped.empty()) {
    View view;
    view.file = input.dropped.front();
    view.naming = view_.naming;
    open(view);
  }
  if (std::shared_ptr<const document::Document> ready = loader_.poll()) take_document(std::move(ready));
  if (document_) watch_compared();
  watch_film();
  watch_run();
  watch_lab();
  watch_folder();
  // A sheet takes the keys; the frame below it gets none.
  const Sheet over = sheet_;
  keys(input);
  watch_gpus();
  advance(input.seconds);

  draw::Input quiet = input;
  if (over != Sheet::none || sheet_ != Sheet::none) {
    quiet.keys.clear();
    quiet.mouse = {-1, -1};
    quiet.mouse_down = quiet.mouse_pressed = quiet.mouse_released = false;
    quiet.wheel = 0;
  }
  // While the keys are used, a pointer that does not move is ignored.
  const bool hand = input.mouse_pressed || input.mouse_down || input.mouse_released || input.wheel != 0;
  if (hand) parked_ = {-1, -1};
  // When a presentation begins, the pointer may rest on the picture: it is ignored until it moves.
  const bool begins = presenting_ && !presented_;
  presented_ = presenting_;
  if ((!input.keys.empty() || begins) && !hand) parked_ = input.mouse;
  if (parked_.x == input.mouse.x && parked_.y == input.mouse.y) quiet.mouse = {-1, -1};
  draw::Ui ui(canvas, quiet, memory_, narration_);
  want_history();
  if (document_) {
    find_stage();
    watch_question();
    if (presenting_)
      paint_presenting(ui);
    else if (sheet_ != Sheet::timeline)  // its page covers everything
      paint_walk(ui);
  } else {
    paint_waiting(ui);
  }
  ui.finish();
  if (sheet_ != Sheet::none) {
    // The sheet does not get the keys that opened it.
    draw::Input fresh = input;
    if (over != sheet_) fresh.keys.clear();
    draw::UiMemory own;
    draw::Ui above(canvas, fresh,
                   sheet_ == Sheet::run        ? run_panel_.memory
                   : sheet_ == Sheet::kernel   ? lab_.memory
                   : sheet_ == Sheet::lesson   ? lesson_page_.memory
                   : sheet_ == Sheet::timeline ? timeline_.memory
                                               : own,
                   narration_);
    paint_sheet(above);
    above.finish();
  }
  for (std::string* const copied :
       {&memory_.copied, &run_panel_.memory.copied, &lab_.memory.copied, &lesson_page_.memory.copied})
    if (!copied->empty()) {
      if (host_.copy) host_.copy(*copied);
      copied->clear();
    }
  // After everything that may have changed the lesson, as the window may be closed before the next frame.
  keep_lesson_draft();
  if (host_.report) {
    std::string line = state_line();
    if (line != reported_) host_.report(line);
    reported_ = std::move(line);
  }
}

}  // namespace warpwalk::shell
