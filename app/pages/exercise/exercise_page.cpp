#include "app/pages/exercise/exercise_page.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/pages/file_names.h"
#include "app/runs/compile_child.h"
#include "app/runs/run_outcome.h"
#include "core/platform/output_file.h"
#include "core/platform/read_file.h"
#include "core/run/exercise/attempt.h"

namespace warpwalk::pages {
namespace {

constexpr std::uint64_t max_work_bytes = std::uint64_t{64} << 20;
constexpr std::string_view exercise_lab = "lab/exercise";

/// The exercise that the open view of lab/exercise shows; none if another scene is open.
std::optional<std::size_t> chosen_by_view(const Opened& opened, std::size_t exercises) {
  if (opened.view.scene != exercise_lab) return {};
  const double value = opened.view.controls.get(exercise_lab, "exercise").value_or(0);
  if (value < 0 || value >= static_cast<double>(exercises)) return {};
  return static_cast<std::size_t>(value);
}

}  // namespace

std::filesystem::path ExercisePage::work_file(const run::Exercise& exercise) const {
  const std::filesystem::path& draft = context().environment.lesson_draft;
  return draft.empty() ? std::filesystem::path() : draft.parent_path() / "exercises" / (exercise.name + ".json");
}

void ExercisePage::load() {
  if (std::exchange(loaded_, true)) return;
  state_.in_browser = context().environment.in_browser;
  if (state_.in_browser) state_.language = run::DraftLanguage::ptx;
  state_.student.text = context().environment.student;
  std::vector<std::string> errors;
  for (run::Exercise& exercise : run::shipped_exercises(context().environment.assets, errors)) {
    OpenedExercise& one = state_.all.emplace_back(OpenedExercise{std::move(exercise), {}});
    const std::filesystem::path file = work_file(one.exercise);
    std::error_code ignored;
    if (file.empty() || !std::filesystem::exists(file, ignored)) continue;
    const auto text = platform::read_text_file(file, max_work_bytes);
    auto work =
        text ? run::parse_exercise_work(text->text) : base::Result<run::ExerciseWork>(base::Error{text.error()});
    if (work) {
      one.work = std::move(*work);
    } else {
      // It may be worth a look, and would be overwritten.
      std::filesystem::rename(file, file.string() + ".unreadable", ignored);
      state_.note = words().text("exercise", "unreadable", {{"file", file.string() + ".unreadable"}});
    }
  }
  if (!errors.empty()) state_.note = errors.front();
}

bool ExercisePage::open(Action) {
  program().end_presenting();
  load();
  if (const auto chosen = chosen_by_view(opened(), state_.all.size()); chosen && !job_.busy()) choose(*chosen);
  return true;
}

void ExercisePage::choose(std::size_t number) {
  if (job_.busy() || number >= state_.all.size()) return;
  if (!state_.listing && state_.open == number) return;
  keep();
  state_.open = state_.listed = number;
  state_.listing = state_.exporting = false;
  state_.note.clear();
  state_.outcome.reset();
  state_.first_row = 0;
  state_.side_top = 0;
  const OpenedExercise& one = state_.all[number];
  state_.source.set_text(one.work.source.empty() ? state_.starter_of(one.exercise) : one.work.source);
  state_.source.forget_undo();
  state_.source.go(0, false);
  state_.source.top = state_.source.left = 0;
  kept_revision_ = state_.source.revision();
  state_.memory.focus = "exercise.source";
}

void ExercisePage::start() {
  const gpu::Device* const device = context().environment.hardware.find("h200");
  OpenedExercise* const one = state_.opened();
  if (device == nullptr || one == nullptr || job_.busy()) return;
  state_.note.clear();
  state_.first_row = 0;
  run::GradeOptions options;
  options.how.device = *device;
  options.how.threads = context().environment.threads;
  options.how.compile_cuda = context().environment.compile_cuda;
  if (!context().environment.program.empty())
    options.how.compile_cuda = runs::compiler_in_child(context().environment.program);
  job_.start(one->exercise, state_.source.text(), std::move(options));
}

void ExercisePage::watch() {
  auto outcome = job_.poll();
  if (!outcome) return;
  if (outcome->grade.cancelled) {
    state_.note = words().text("kernel_lab", "cancelled");
    return;
  }
  OpenedExercise* const one = state_.opened();
  if (one == nullptr || one->exercise.name != outcome->exercise) return;
  if (outcome->error.empty()) {
    const run::Grade& grade = outcome->grade;
    const auto cycles = grade.figures.find("cycles");
    one->work.add({run::time_now(), grade.passed, grade.passed_criteria(), grade.verdicts.size(),
                   cycles == grade.figures.end() ? std::nullopt : std::optional(cycles->second), outcome->source});
    unsaved_ = true;
  }
  state_.outcome = std::move(*outcome);
}

std::string ExercisePage::work() const {
  return job_.busy() && !state_.listing ? state_.all[state_.open].exercise.title : std::string();
}

void ExercisePage::keep() {
  OpenedExercise* const one = state_.opened();
  if (one == nullptr || (!unsaved_ && kept_revision_ == state_.source.revision())) return;
  one->work.source = state_.source.text() == state_.starter_of(one->exercise) ? std::string() : state_.source.text();
  kept_revision_ = state_.source.revision();
  unsaved_ = false;
  const std::filesystem::path file = work_file(one->exercise);
  if (file.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  if (const auto done = platform::write_regular_file(file, run::text_of(one->work)); !done) state_.note = done.error();
}

void ExercisePage::export_attempt(bool as_text) {
  const OpenedExercise& one = *state_.opened();
  if (!state_.up_to_date()) {
    state_.note = words().text("exercise", "export.run_first");
    state_.memory.focus = "exercise.source";
    return;
  }
  run::Attempt attempt;
  attempt.exercise = one.exercise.name;
  attempt.student = state_.student.text;
  attempt.time = run::time_now();
  attempt.source = state_.source.text();
  state_.exporting = false;
  state_.memory.focus = "exercise.source";
  if (as_text) {
    state_.memory.copied = run::attempt_text(attempt);
    state_.note = words().text("exercise", "copied", {{"n", fmt::to_string(state_.memory.copied.size())}});
    return;
  }
  const std::filesystem::path file = free_file_name(
      context().environment.drafts, fmt::format("{}.{}", file_part(attempt.student), one.exercise.name), ".json");
  const auto done = platform::write_regular_file(file, run::attempt_json(attempt, state_.outcome->grade));
  std::error_code ignored;
  state_.note = done ? words().text("exercise", "exported",
                                    {{"file", std::filesystem::absolute(file, ignored).lexically_normal().string()}})
                     : done.error();
}

void ExercisePage::walk_run() {
  if (!state_.up_to_date() || !state_.outcome->grade.run) return;
  trace::ReadResult read;
  read.trace = state_.outcome->grade.run->trace();
  Back back = back_ ? *back_ : Back{opened().document, opened().view};
  document::View view;
  view.file = words().text("exercise", "walk_name", {{"exercise", state_.opened()->exercise.title}});
  view.scene = "schedulers";
  view.naming = opened().view.naming;
  view.first_route = opened().view.first_route;
  program().take(runs::unsaved_document(std::move(read), view.file), view);
  back_ = std::move(back);
  program().close_page();
  context().messages.hint(words().text("exercise", "back"));
}

bool ExercisePage::take_back() {
  if (!back_) return false;
  const Back back = *std::exchange(back_, {});
  if (back.document) program().restore(back.document, back.view);
  context().messages.clear();
  return true;
}

void ExercisePage::do_choice(const ExerciseChoice& choice) {
  using Kind = ExerciseChoice::Kind;
  OpenedExercise* const one = state_.opened();
  switch (choice.kind) {
    case Kind::none: break;
    case Kind::run: start(); break;
    case Kind::cancel: job_.cancel(); break;
    case Kind::hint:
      if (one->work.hints < one->exercise.hints.size()) {
        ++one->work.hints;
        unsaved_ = true;
      }
      break;
    case Kind::reset: state_.source.set_text(state_.starter_of(one->exercise)); break;
    case Kind::list:
      if (job_.busy()) break;
      keep();
      state_.listing = true;
      state_.memory.focus = "exercise.list";
      break;
    case Kind::open: choose(choice.number); break;
    case Kind::next:
      if (state_.has_next()) choose(state_.open + 1);
      break;
    case Kind::previous:
      if (state_.has_previous()) choose(state_.open - 1);
      break;
    case Kind::take_back: state_.source.set_text(one->work.attempts[choice.number].source); break;
    case Kind::ask_name:
      state_.exporting = !state_.exporting;
      state_.memory.focus = state_.exporting ? "exercise.name" : "exercise.source";
      break;
    case Kind::save: export_attempt(false); break;
    case Kind::copy: export_attempt(true); break;
    case Kind::language: {
      const bool starter = state_.source.text() == state_.starter_of(one->exercise);
      state_.language = state_.language == run::DraftLanguage::ptx ? run::DraftLanguage::cuda : run::DraftLanguage::ptx;
      if (starter)
        state_.source.set_text(state_.starter_of(one->exercise));
      else
        state_.note = words().text("exercise", "text_stays");
      break;
    }
    case Kind::walk: walk_run(); break;
    case Kind::look: {
      const std::string look = one->exercise.look;
      program().close_page();
      program().enter(look);
      break;
    }
  }
}

void ExercisePage::paint(draw::Ui& ui) {
  ExerciseProgress progress;
  progress.running = job_.busy();
  if (progress.running) {
    runs::LabStage stage = job_.stage();
    progress.what = std::move(stage.what);
    progress.share = stage.share;
    progress.seconds = stage.seconds;
  }
  const gpu::Device* const device = context().environment.hardware.find("h200");
  do_choice(exercise_view(ui, state_, progress, device == nullptr ? "" : device->name));
}

// Esc cancels a run or an export, goes back to the list, and then leaves the page.
bool ExercisePage::close() {
  if (job_.busy()) {
    job_.cancel();
    return false;
  }
  if (state_.exporting) {
    state_.exporting = false;
    state_.memory.focus = "exercise.source";
    return false;
  }
  keep();
  if (state_.listing) return true;
  state_.listing = true;
  state_.memory.focus = "exercise.list";
  return false;
}

void ExercisePage::report(Report& report) const {
  const bool open = !state_.listing && !state_.all.empty();
  report.text("exercise", open ? state_.all[state_.open].exercise.name : "");
  report.count("exercises", static_cast<std::int64_t>(state_.all.size()));
  report.text("exercise_note", state_.note);
  report.count("exercise_hints", open ? static_cast<std::int64_t>(state_.all[state_.open].work.hints) : 0);
  report.count("exercise_attempts", open ? static_cast<std::int64_t>(state_.all[state_.open].work.attempts.size()) : 0);
  report.count("exercise_criteria_passed",
               state_.up_to_date() ? static_cast<std::int64_t>(state_.outcome->grade.passed_criteria()) : -1);
  report.flag("exercise_passed", state_.passed());
  report.text("exercise_focus", shown() ? state_.memory.focus : "");
}

}  // namespace warpwalk::pages
