#include "app/pages/lesson/lesson_page.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/document/folder_reader.h"
#include "app/lessons/lesson_writer.h"
#include "core/base/result.h"
#include "core/platform/output_file.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/scene_list.h"

namespace warpwalk::pages {
namespace {

namespace fs = std::filesystem;
using lessons::DraftStep;
using lessons::LessonDraft;
using lessons::whole_path;

constexpr std::uint64_t max_lesson_bytes = 1u << 20;
constexpr std::string_view list_focus = "lesson.list";

bool is_within(const fs::path& file, const fs::path& folder) {
  return !folder.empty() && whole_path(file).string().starts_with((whole_path(folder) / "").string());
}

// "lesson.json", or the next name of this kind that is not taken.
fs::path unused_file(const fs::path& folder) {
  std::error_code error;
  fs::path file = folder / "lesson.json";
  for (int n = 2; fs::exists(file, error); ++n) file = folder / fmt::format("lesson-{}.json", n);
  return file;
}

std::string place_text(const document::View& view, const story::Narration& words) {
  const std::string scene = words.text(view.scene, "hardware");
  if (view.moment.kind == story::Moment::Kind::beat)
    return words.text("lesson_page", "beat", {{"scene", scene}, {"n", std::to_string(view.moment.value)}});
  return words.text("lesson_page", "moment", {{"scene", scene}, {"at", story::text_of(view.moment)}});
}

LessonPageContent content_of(const LessonDraft& draft, const Opened& opened, const story::Narration& words) {
  LessonPageContent content;
  for (const DraftStep& step : draft.steps())
    content.steps.push_back({step.title, place_text(step.view, words), step.view.file.filename().string(),
                             !step.note.empty(), !step.question.empty()});
  content.at = draft.at();
  content.unsaved = draft.unsaved() && !draft.steps().empty();
  content.can_undo = draft.can_undo();
  const auto& lesson = opened.lesson;
  if (lesson && (draft.unsaved() || draft.file() != lesson->file)) content.open_lesson = lesson->title;
  return content;
}

// A step of the open document gets the title of its stage; one in each frame.
void name_next_step(LessonDraft& draft, const Context& context) {
  const Opened& opened = context.opened;
  const story::Narration& words = context.environment.words;
  if (!opened.document) return;
  for (std::size_t i = 0; i < draft.steps().size(); ++i) {
    const document::View& view = draft.steps()[i].view;
    if (!draft.steps()[i].title.empty() || whole_path(view.file) != whole_path(opened.document->file)) continue;
    const trace::Trace& trace = opened.document->trace();
    const auto walk = story::chosen_walk(trace, view.follow);
    if (!walk) return draft.name(i, place_text(view, words));
    const story::SceneInput input = {.trace = trace,
                                     .walk = *walk,
                                     .narration = words,
                                     .hardware = context.environment.hardware,
                                     .moment = view.moment,
                                     .controls = view.controls,
                                     .naming = view.naming};
    const auto stage = story::stage_at(*story::find_scene(view.scene), input);
    draft.name(i, stage ? stage->title : place_text(view, words));
    return;
  }
}

}  // namespace

void LessonPage::say(std::string_view key, const story::Narration::Values& values) {
  state_.said = words().text("lesson_page", key, values);
}

// Restores the draft that was not saved when the program ended.
void LessonPage::find_kept() {
  auto found = kept_.find();
  if (!found) return say("unreadable", {{"file", found.error()}});
  if (!*found) return;
  draft_ = **std::move(found);
  say("restored");
}

void LessonPage::keep() {
  if (const auto done = kept_.keep(draft_); !done) state_.said = done.error();
}

bool LessonPage::open(Action by) {
  if (by == Action::add_moment) {
    add_moment();
    return false;
  }
  open_page();
  return true;
}

void LessonPage::open_page() {
  find_kept();
  program().end_presenting();
  state_.memory.focus = list_focus;
  state_.memory.focus_shown = true;
  if (opened().lesson && !draft_.unsaved() && draft_.file() != opened().lesson->file) edit_open_lesson();
  show_fields();
}

// The moment that the window shows becomes a step.
void LessonPage::add_moment() {
  if (!opened().document || !opened().stage) return;
  if (opened().document->unsaved) {
    context().messages.fail("not_saved");
    state_.said = context().messages.note().text;
    return;
  }
  find_kept();
  DraftStep step = {document::named(opened().view, *opened().stage), opened().stage->title, "", {}};
  step.view.file = whole_path(opened().document->file);
  draft_.add(std::move(step));
  say("added", {{"step", std::to_string(draft_.at() + 1)}, {"steps", std::to_string(draft_.steps().size())}});
  context().messages.done(state_.said);
  show_fields();
}

// The fields show the current step.
void LessonPage::show_fields() {
  LessonPageFields& fields = state_.fields;
  const DraftStep step = draft_.steps().empty() ? DraftStep() : draft_.steps()[draft_.at()];
  fields.title = {draft_.title()};
  fields.note = {step.note};
  fields.question = {step.question.text};
  fields.options = {step.question.options};
  fields.right = {step.question.right};
  fields.why = {step.question.why};
  if (!fields.file.text.empty() && draft_.file().empty()) return;
  // A lesson that comes with the program is saved as the person's own.
  const fs::path& assets = context().environment.assets;
  const auto& lesson = opened().lesson;
  const fs::path home = document::expanded_path("~");
  const bool shipped = is_within(draft_.file(), assets);
  const fs::path beside = lesson && !is_within(lesson->file, assets) ? whole_path(lesson->file).parent_path() : home;
  const fs::path file = draft_.file().empty() ? unused_file(beside) : shipped ? unused_file(home) : draft_.file();
  fields.file = {whole_path(file).string()};
}

void LessonPage::take_fields() {
  const LessonPageFields& fields = state_.fields;
  draft_.set_title(fields.title.text);
  draft_.set_note(fields.note.text);
  const bool shows = !draft_.steps().empty() && draft_.steps()[draft_.at()].question.shows;
  const std::vector<std::string> wrong =
      draft_.steps().empty() ? std::vector<std::string>() : draft_.steps()[draft_.at()].question.wrong;
  draft_.set_question({fields.question.text, fields.options.text, fields.right.text, fields.why.text, shows, wrong});
}

void LessonPage::edit_open_lesson() {
  if (!opened().lesson) return;
  draft_.replace(*opened().lesson);
  draft_.go(opened().lesson_step);
  say("editing", {{"title", opened().lesson->title}});
}

// To the current step in the window. The page can be opened again, and is where it was.
void LessonPage::show_step() {
  if (draft_.steps().empty()) return;
  program().close_page();
  program().show(draft_.steps()[draft_.at()].view);
}

void LessonPage::save() {
  const std::string typed = state_.fields.file.text;
  if (typed.empty()) return say("no_file");
  const fs::path walks = context().environment.assets / "walks";
  fs::path file = whole_path(document::expanded_path(typed));
  if (!file.has_extension()) file += ".json";
  const auto made = lessons::lesson_of(draft_, file);
  if (const auto* const wrong = std::get_if<1>(&made)) {
    draft_.go(wrong->first);
    show_fields();
    return say(wrong->second,
               {{"step", std::to_string(wrong->first + 1)}, {"most", std::to_string(story::max_options)}});
  }
  std::error_code error;
  if (file != draft_.file() && file != overwritten_ && fs::exists(file, error)) {
    overwritten_ = file;
    return say("exists", {{"file", file.string()}});
  }
  const std::string text = lessons::text_of(std::get<lessons::Lesson>(made), walks);
  if (text.size() > max_lesson_bytes) return say("too_large");
  if (const auto done = platform::write_regular_file(file, text); !done) {
    state_.said = done.error();
    return;
  }
  overwritten_.clear();
  draft_.saved_to(file);
  state_.fields.file = {file.string()};
  if (const auto read = lessons::load_lesson(file, walks))
    say("saved", {{"file", file.string()}});
  else  // a trace is gone: the lesson is safe, and says what it lacks
    say("saved_incomplete", {{"problem", read.error()}});
  program().add_recent(file);
}

void LessonPage::paint(draw::Ui& ui) {
  name_next_step(draft_, context());
  const LessonPageFields before = state_.fields;
  const LessonPageChoice choice = lesson_view(ui, state_, content_of(draft_, opened(), words()));
  take_fields();
  if (!(state_.fields == before)) {
    state_.said.clear();
    overwritten_.clear();
  }
  choose(choice);
}

void LessonPage::choose(const LessonPageChoice& choice) {
  using Kind = LessonPageChoice::Kind;
  if (choice.kind == Kind::none) return;
  if (choice.kind != Kind::select) state_.said.clear();
  switch (choice.kind) {
    case Kind::none: break;
    case Kind::select: draft_.go(choice.step); break;
    case Kind::move: draft_.move(choice.step, choice.to); break;
    case Kind::remove:
      if (draft_.steps().empty()) break;
      draft_.remove();
      say("removed");
      break;
    case Kind::undo: draft_.undo(); break;
    case Kind::show: show_step(); break;
    case Kind::add: add_moment(); break;
    case Kind::save: save(); return;
    case Kind::fresh:
      draft_.replace({});
      state_.fields.file = {};
      break;
    case Kind::open: edit_open_lesson(); break;
  }
  show_fields();
}

void LessonPage::report(Report& report) const {
  report.count("draft_steps", static_cast<std::int64_t>(draft_.steps().size()));
  report.count("draft_at", draft_.steps().empty() ? 0 : static_cast<std::int64_t>(draft_.at() + 1));
  report.flag("draft_unsaved", draft_.unsaved());
  report.text("draft_said", state_.said);
  report.text("draft_focus", shown() ? state_.memory.focus : "");
}

}  // namespace warpwalk::pages
