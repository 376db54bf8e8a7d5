// Composing a lesson in the window: its page, adding moments, saving, and the draft that is kept between two starts.
#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/document/folder_reader.h"
#include "app/lessons/lesson_writer.h"
#include "app/shell/shell.h"
#include "core/platform/output_file.h"
#include "core/platform/read_file.h"
#include "core/story/scenes.h"

namespace warpwalk::shell {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_draft_bytes = 8u << 20, max_lesson_bytes = 1u << 20;
constexpr std::string_view list_focus = "lesson.list";

bool is_within(const fs::path& file, const fs::path& folder) {
  return !folder.empty() && lessons::whole_path(file).string().starts_with((lessons::whole_path(folder) / "").string());
}

// "lesson.json", or the next name of this kind that is not taken.
fs::path unused_file(const fs::path& folder) {
  std::error_code error;
  fs::path file = folder / "lesson.json";
  for (int n = 2; fs::exists(file, error); ++n) file = folder / fmt::format("lesson-{}.json", n);
  return file;
}

std::string place_text(const View& view, const story::Narration& words) {
  const std::string scene = words.text(view.scene, "hardware");
  if (view.moment.kind == story::Moment::Kind::beat)
    return words.text("lesson_page", "beat", {{"scene", scene}, {"n", std::to_string(view.moment.value)}});
  return words.text("lesson_page", "moment", {{"scene", scene}, {"at", story::text_of(view.moment)}});
}

}  // namespace

// Restores the draft that was not saved when the program ended.
void Shell::find_lesson_draft() {
  if (std::exchange(draft_found_, true) || host_.lesson_draft.empty()) return;
  std::error_code error;
  if (!fs::exists(host_.lesson_draft, error)) return;
  const auto read = platform::read_text_file(host_.lesson_draft, max_draft_bytes);
  const auto* const text = std::get_if<platform::Text>(&read);
  if (auto draft = text == nullptr ? std::nullopt : lessons::LessonDraft::of_text(text->text)) {
    draft_ = std::move(*draft);
    draft_kept_ = draft_.revision();
    draft_lies_ = true;
    lesson_page_.said = narration_.text("lesson_page", "restored");
    return;
  }
  // It may be worth a look, and would be overwritten.
  const fs::path aside = host_.lesson_draft.string() + ".unreadable";
  fs::rename(host_.lesson_draft, aside, error);
  lesson_page_.said = narration_.text("lesson_page", "unreadable", {{"file", aside.string()}});
}

// Unsaved changes are written at once, because the program may end at any time.
void Shell::keep_lesson_draft() {
  const bool wanted = draft_.unsaved() && !(draft_.steps().empty() && draft_.title().empty());
  if (host_.lesson_draft.empty() || (wanted ? draft_lies_ && draft_kept_ == draft_.revision() : !draft_lies_)) return;
  std::error_code error;
  draft_lies_ = wanted;
  draft_kept_ = draft_.revision();
  if (!wanted) {
    fs::remove(host_.lesson_draft, error);
    return;
  }
  fs::create_directories(host_.lesson_draft.parent_path(), error);
  if (const auto problem = platform::write_regular_file(host_.lesson_draft, draft_.text()))
    lesson_page_.said = *problem;
}

void Shell::open_lesson_page() {
  find_lesson_draft();
  set_presenting(false);
  sheet_ = Sheet::lesson;
  lesson_page_.memory.focus = list_focus;
  lesson_page_.memory.focus_shown = true;
  if (lesson_ && !draft_.unsaved() && draft_.file() != lesson_->file) edit_open_lesson();
  show_fields();
}

// The moment that the window shows becomes a step.
void Shell::add_moment() {
  if (!document_ || !stage_) return;
  if (document_->unsaved) {
    fail("not_saved");
    lesson_page_.said = note_.text;
    return;
  }
  find_lesson_draft();
  lessons::DraftStep step = {view_, stage_->title, "", {}};
  step.view.file = lessons::whole_path(document_->file);
  draft_.add(std::move(step));
  lesson_page_.said =
      narration_.text("lesson_page", "added",
                      {{"step", std::to_string(draft_.at() + 1)}, {"steps", std::to_string(draft_.steps().size())}});
  note_ = {lesson_page_.said, panels::Note::Kind::done};
  show_fields();
}

pages::LessonPageContent Shell::lesson_page_content() const {
  pages::LessonPageContent content;
  for (const lessons::DraftStep& step : draft_.steps())
    content.steps.push_back({step.title, place_text(step.view, narration_), step.view.file.filename().string(),
                             !step.note.empty(), !step.question.empty()});
  content.at = draft_.at();
  content.unsaved = draft_.unsaved() && !draft_.steps().empty();
  content.can_undo = draft_.can_undo();
  if (lesson_ && (draft_.unsaved() || draft_.file() != lesson_->file)) content.open_lesson = lesson_->title;
  return content;
}

// The fields show the current step.
void Shell::show_fields() {
  pages::LessonPageFields& fields = lesson_page_.fields;
  const lessons::DraftStep step = draft_.steps().empty() ? lessons::DraftStep() : draft_.steps()[draft_.at()];
  fields.title = {draft_.title()};
  fields.note = {step.note};
  fields.question = {step.question.text};
  fields.options = {step.question.options};
  fields.right = {step.question.right};
  fields.why = {step.question.why};
  if (!fields.file.text.empty() && draft_.file().empty()) return;
  // A lesson that comes with the program is saved as the person's own.
  const fs::path home = document::expanded_path("~");
  const bool shipped = is_within(draft_.file(), host_.assets);
  const fs::path beside =
      lesson_ && !is_within(lesson_->file, host_.assets) ? lessons::whole_path(lesson_->file).parent_path() : home;
  const fs::path file = draft_.file().empty() ? unused_file(beside) : shipped ? unused_file(home) : draft_.file();
  fields.file = {lessons::whole_path(file).string()};
}

void Shell::take_fields() {
  const pages::LessonPageFields& fields = lesson_page_.fields;
  draft_.set_title(fields.title.text);
  draft_.set_note(fields.note.text);
  const bool shows = !draft_.steps().empty() && draft_.steps()[draft_.at()].question.shows;
  draft_.set_question({fields.question.text, fields.options.text, fields.right.text, fields.why.text, shows});
}

// Steps of the open document get the titles of their stages, one in each frame.
void Shell::name_steps() {
  if (!document_) return;
  for (std::size_t i = 0; i < draft_.steps().size(); ++i) {
    const View& view = draft_.steps()[i].view;
    if (!draft_.steps()[i].title.empty() || lessons::whole_path(view.file) != lessons::whole_path(document_->file)) continue;
    const trace::Trace& trace = document_->trace();
    auto [walk, unknown] = view.follow.empty() ? std::pair{story::default_walk(trace), std::optional<std::string>{}}
                                               : story::follow(trace, view.follow);
    const story::SceneInput input = {trace, walk, narration_, hardware_, view.moment, view.controls, view.naming};
    const auto [stage, error] = story::stage_at(*story::find_scene(view.scene), input);
    draft_.name(i, unknown || error ? place_text(view, narration_) : stage.title);
    return;
  }
}

void Shell::edit_open_lesson() {
  if (!lesson_) return;
  draft_.replace(*lesson_);
  draft_.go(lesson_step_);
  lesson_page_.said = narration_.text("lesson_page", "editing", {{"title", lesson_->title}});
}

// To the current step in the window. The page can be opened again, and is where it was.
void Shell::show_draft_step() {
  if (draft_.steps().empty()) return;
  sheet_ = Sheet::none;
  View view = draft_.steps()[draft_.at()].view;
  lesson_.reset();
  if (document_ && !loader_.busy() && lessons::whole_path(document_->file) == lessons::whole_path(view.file)) {
    view.file = document_->file;
    note_ = {};
    take_view(view);
  } else {
    open(view);
  }
}

void Shell::save_lesson() {
  const auto say = [&](std::string_view key, const story::Narration::Values& values = {}) {
    lesson_page_.said = narration_.text("lesson_page", key, values);
  };
  const std::string typed = lesson_page_.fields.file.text;
  if (typed.empty()) return say("no_file");
  fs::path file = lessons::whole_path(document::expanded_path(typed));
  if (!file.has_extension()) file += ".json";
  const auto made = draft_.lesson(file);
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
  const std::string text = lessons::text_of(std::get<lessons::Lesson>(made), host_.assets / "walks");
  if (text.size() > max_lesson_bytes) return say("too_large");
  if (const auto problem = platform::write_regular_file(file, text)) {
    lesson_page_.said = *problem;
    return;
  }
  overwritten_.clear();
  draft_.saved_to(file);
  lesson_page_.fields.file = {file.string()};
  const auto [read, unreadable] = lessons::load_lesson(file, host_.assets / "walks");
  if (unreadable)  // a trace is gone: the lesson is safe, and says what it lacks
    say("saved_incomplete", {{"problem", *unreadable}});
  else
    say("saved", {{"file", file.string()}});
  std::erase(settings_.recent, file.string());
  settings_.recent.insert(settings_.recent.begin(), file.string());
  if (settings_.recent.size() > max_recent_files) settings_.recent.resize(max_recent_files);
}

void Shell::paint_lesson_page(draw::Ui& ui) {
  name_steps();
  const pages::LessonPageFields before = lesson_page_.fields;
  const pages::LessonPageChoice choice = pages::lesson_view(ui, lesson_page_, lesson_page_content());
  take_fields();
  if (!(lesson_page_.fields == before)) {
    lesson_page_.said.clear();
    overwritten_.clear();
  }
  using Kind = pages::LessonPageChoice::Kind;
  if (choice.kind == Kind::none) return;
  if (choice.kind != Kind::select) lesson_page_.said.clear();
  switch (choice.kind) {
    case Kind::none: break;
    case Kind::select: draft_.go(choice.step); break;
    case Kind::move: draft_.move(choice.step, choice.to); break;
    case Kind::remove:
      if (draft_.steps().empty()) break;
      draft_.remove();
      lesson_page_.said = narration_.text("lesson_page", "removed");
      break;
    case Kind::undo: draft_.undo(); break;
    case Kind::show: show_draft_step(); break;
    case Kind::add: add_moment(); break;
    case Kind::save: save_lesson(); return;
    case Kind::fresh:
      draft_.replace({});
      lesson_page_.fields.file = {};
      break;
    case Kind::open: edit_open_lesson(); break;
  }
  show_fields();
}

}  // namespace warpwalk::shell
