#include "app/pages/lesson/lesson_page.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/document/folder_reader.h"
#include "app/lessons/lesson_writer.h"
#include "app/pages/file_names.h"
#include "core/base/result.h"
#include "core/platform/output_file.h"
#include "core/story/scene_list.h"

namespace warpwalk::pages {
namespace {

namespace fs = std::filesystem;
using lessons::DraftQuestion;
using lessons::DraftStep;
using lessons::LessonDraft;
using lessons::whole_path;

constexpr std::uint64_t max_lesson_bytes = 1u << 20;
constexpr std::string_view list_focus = "lesson.list";

bool is_within(const fs::path& file, const fs::path& folder) {
  return !folder.empty() && whole_path(file).string().starts_with((whole_path(folder) / "").string());
}

std::string place_text(const document::View& view, const story::Narration& words) {
  const std::string scene = words.text(view.scene, "hardware");
  if (view.moment.kind == story::Moment::Kind::beat)
    return words.text("lesson_page", "beat", {{"scene", scene}, {"n", std::to_string(view.moment.value)}});
  return words.text("lesson_page", "moment", {{"scene", scene}, {"at", story::text_of(view.moment)}});
}

// A sum of minutes: "18", "2.5".
std::string sum_text(double minutes) { return base::with_marks(fmt::format("{:g}", minutes)); }

// The end of what differs from the text before: there the caret goes when a change is undone.
std::size_t end_of_change(const std::string& before, const std::string& now) {
  std::size_t same = 0;
  while (same < std::min(before.size(), now.size()) && before[before.size() - 1 - same] == now[now.size() - 1 - same])
    ++same;
  return now.size() - same;
}

void put(draw::TextField& field, const std::string& text) {
  if (field.text == text) return;
  const std::size_t caret = end_of_change(field.text, text);
  field.text = text;
  field.caret = field.anchor = caret;
}

void put(draw::TextEditor& editor, const std::string& text) {
  if (editor.text() == text) return;
  const std::size_t caret = end_of_change(editor.text(), text);
  editor.set_text(text);
  editor.forget_undo();  // the draft has the history
  editor.go(caret, false);
}

DraftQuestion question_in(const LessonPageFields& fields, const DraftQuestion& before) {
  DraftQuestion question;
  question.text = fields.question.text();
  question.right = fields.right;
  question.why = fields.why.text;
  question.shows = fields.shows;
  question.id = before.id;
  std::size_t options = fields.options.size();
  while (options > 0 && fields.options[options - 1].text.empty() && fields.wrong[options - 1].text.empty()) --options;
  for (std::size_t i = 0; i < options; ++i) question.options.push_back({fields.options[i].text, fields.wrong[i].text});
  return question;
}

// The name of a step that has one of its own, for the list.
std::string own_title(const DraftStep& step) {
  if (!step.title.empty() || !step.is_slide) return step.title;
  if (!step.slide.title.empty()) return step.slide.title;
  if (!step.slide.text.empty()) return step.slide.text.substr(0, step.slide.text.find('\n'));
  return fs::path(step.picture).filename().string();
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
  DraftStep step;
  step.view = document::named(opened().view, *opened().stage);
  step.view.file = whole_path(opened().document->file);
  draft_.add(std::move(step));
  say("added", {{"step", std::to_string(draft_.at() + 1)}, {"steps", std::to_string(draft_.steps().size())}});
  context().messages.done(state_.said);
  show_fields();
}

void LessonPage::add_slide() {
  DraftStep step;
  step.is_slide = true;
  if (opened().document && !opened().document->unsaved)
    step.view.file = whole_path(opened().document->file);
  else if (draft_.step() != nullptr)
    step.view.file = draft_.step()->view.file;
  draft_.add(std::move(step));
  state_.card = LessonCard::picture;
  state_.memory.focus = "lesson.slide_title";
  state_.memory.focus_shown = true;
}

// A lesson that comes with the program is saved as the person's own.
fs::path LessonPage::suggested_file() const {
  const fs::path& assets = context().environment.assets;
  const auto& lesson = opened().lesson;
  const fs::path home = document::expanded_path("~");
  const fs::path beside = lesson && !is_within(lesson->file, assets) ? whole_path(lesson->file).parent_path() : home;
  if (draft_.file().empty()) return free_file_name(beside, "lesson", ".json");
  return is_within(draft_.file(), assets) ? free_file_name(home, "lesson", ".json") : draft_.file();
}

// To which pictures are relative.
fs::path LessonPage::folder() const {
  const fs::path typed = document::expanded_path(state_.fields.target.text);
  return typed.empty() ? draft_.file().parent_path() : whole_path(typed).parent_path();
}

// The fields show the current step.
void LessonPage::show_fields() {
  LessonPageFields& fields = state_.fields;
  const DraftStep step = draft_.step() == nullptr ? DraftStep() : *draft_.step();
  put(fields.title, draft_.title());
  put(fields.step_title, step.title);
  put(fields.minutes, step.minutes);
  put(fields.text, step.text);
  put(fields.note, step.note);
  put(fields.question, step.question.text);
  for (std::size_t i = 0; i < fields.options.size(); ++i) {
    const bool typed = i < step.question.options.size();
    put(fields.options[i], typed ? step.question.options[i].text : "");
    put(fields.wrong[i], typed ? step.question.options[i].wrong : "");
  }
  fields.right = step.question.right;
  put(fields.why, step.question.why);
  fields.shows = step.question.shows;
  put(fields.slide_title, step.slide.title);
  put(fields.slide_text, step.slide.text);
  put(fields.picture, step.picture);
  suggested_ = whole_path(suggested_file()).string();
  put(fields.target, draft_.content().target.empty() ? suggested_ : draft_.content().target);
}

void LessonPage::take_fields(const std::string& group) {
  const LessonPageFields& fields = state_.fields;
  DraftStep step = draft_.step() == nullptr ? DraftStep() : *draft_.step();
  step.title = fields.step_title.text;
  step.minutes = fields.minutes.text;
  step.text = fields.text.text();
  step.note = fields.note.text();
  step.question = question_in(fields, step.question);
  step.slide = {fields.slide_title.text, fields.slide_text.text()};
  step.picture = fields.picture.text;
  const bool typed = fields.target.text != suggested_;
  const std::uint64_t before = draft_.revision();
  draft_.type(fields.title.text, typed ? fields.target.text : "", step, group);
  if (draft_.revision() == before) return;
  state_.said.clear();
  overwritten_.clear();
}

// Changes with the same group are undone together: the characters of a word in one field.
std::string LessonPage::group_of(const draw::Input& input) {
  bool erases = false;
  for (const draw::KeyPress& press : input.keys) {
    const bool character = press.key == draw::Key::character && !press.control;
    erases = press.key == draw::Key::backspace || press.key == draw::Key::del;
    if (!character && !erases) ++words_typed_;
  }
  if (input.mouse_pressed) ++words_typed_;
  return fmt::format("{}{}{}", state_.memory.focus, erases ? '-' : '+', words_typed_);
}

LessonPageContent LessonPage::made_content(const draw::Canvas& canvas) {
  LessonPageContent content;
  double until = 0, all = 0;
  const fs::path folder = this->folder();
  for (const DraftStep& step : draft_.steps()) {
    const story::Stage* const stage = stages_.stage_of(step, folder);
    std::string title = own_title(step);
    if (title.empty() && stage != nullptr && !step.is_slide) title = stage->title;
    content.steps.push_back({std::move(title), step.is_slide ? "" : place_text(step.view, words()),
                             step.is_slide ? "" : step.view.file.filename().string(), !step.note.empty(),
                             !step.question.empty(), step.is_slide, step.minutes, stage,
                             stages_.picture_of(step, canvas)});
    all += lessons::minutes_of(step.minutes).value_or(0);
    if (content.steps.size() == draft_.at() + 1) until = all;
  }
  content.at = draft_.at();
  content.unsaved = draft_.unsaved() && !draft_.steps().empty();
  content.can_undo = draft_.can_undo();
  content.can_redo = draft_.can_redo();
  if (all > 0) {
    content.minutes_until = sum_text(until);
    content.minutes_all = sum_text(all);
  }
  if (draft_.step() != nullptr) {
    if (const StepStages::Scene* const scene = stages_.scene_of(*draft_.step()))
      content.scene_question = scene->question;
    content.picture_problem = stages_.problem_of(*draft_.step());
  }
  const auto& lesson = opened().lesson;
  if (lesson && (draft_.unsaved() || draft_.file() != lesson->file)) content.open_lesson = lesson->title;
  return content;
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
  const std::string typed = state_.fields.target.text;
  if (typed.empty()) return say("no_file");
  const fs::path walks = context().environment.assets / "walks";
  fs::path file = whole_path(document::expanded_path(typed));
  if (!file.has_extension()) file += ".json";
  const auto made = lessons::lesson_of(draft_, file);
  if (const auto* const wrong = std::get_if<1>(&made)) {
    draft_.go(wrong->step);
    show_fields();
    return say(wrong->key, {{"step", std::to_string(wrong->step + 1)},
                            {"most", std::to_string(story::max_options)},
                            {"minutes", std::to_string(lessons::max_minutes)},
                            {"detail", wrong->detail}});
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
  stages_.forget_pictures();
  show_fields();
  if (const auto read = lessons::load_lesson(file, walks))
    say("saved", {{"file", file.string()}});
  else  // a trace is gone: the lesson is safe, and says what it lacks
    say("saved_incomplete", {{"problem", read.error()}});
  program().add_recent(file);
}

void LessonPage::paint(draw::Ui& ui) {
  stages_.go_on(draft_.steps());
  content_ = made_content(ui.canvas());
  const std::string group = group_of(ui.input());
  const LessonPageChoice choice = lesson_view(ui, state_, content_);
  take_fields(group);
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
    case Kind::duplicate: draft_.duplicate(); break;
    case Kind::undo: draft_.undo(); break;
    case Kind::redo: draft_.redo(); break;
    case Kind::show: show_step(); break;
    case Kind::add: add_moment(); break;
    case Kind::add_slide: add_slide(); break;
    case Kind::save: save(); return;
    case Kind::fresh: draft_.replace({}); break;
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
