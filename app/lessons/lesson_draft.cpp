#include "app/lessons/lesson_draft.h"

#include <algorithm>
#include <charconv>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace warpwalk::lessons {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(' ');
  if (from == std::string_view::npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(' ') - from + 1));
}

std::vector<std::string> options_of(std::string_view typed) {
  std::vector<std::string> options(1);
  for (std::size_t i = 0; i < typed.size(); ++i) {
    if (typed[i] == '\\' && i + 1 < typed.size())
      options.back().push_back(typed[++i]);
    else if (typed[i] == '|')
      options.emplace_back();
    else
      options.back().push_back(typed[i]);
  }
  for (std::string& option : options) option = trimmed(option);
  std::erase(options, "");
  return options;
}

std::string string_in(const rapidjson::Value& object, const char* key) {
  const auto found = object.FindMember(key);
  if (found == object.MemberEnd() || !found->value.IsString()) return {};
  return {found->value.GetString(), found->value.GetStringLength()};
}

}  // namespace

DraftQuestion draft_of(const std::optional<LessonQuestion>& question) {
  if (!question) return {};
  std::string options;
  for (const std::string& option : question->options) {
    if (!options.empty()) options += " | ";
    for (const char c : option) {
      if (c == '|' || c == '\\') options.push_back('\\');
      options.push_back(c);
    }
  }
  return {question->text, std::move(options), std::to_string(question->right + 1), question->why, question->shows};
}

base::Result<std::optional<LessonQuestion>> question_of(const DraftQuestion& typed) {
  if (typed.empty()) return std::optional<LessonQuestion>();
  LessonQuestion question = {typed.text, options_of(typed.options), 0, typed.why, typed.shows};
  if (question.text.empty()) return base::Error{"no_question_text"};
  if (question.options.size() < 2 || question.options.size() > story::max_options) return base::Error{"wrong_options"};
  const std::string right = trimmed(typed.right);
  const auto [end, error] = std::from_chars(right.data(), right.data() + right.size(), question.right);
  const bool number = error == std::errc() && end == right.data() + right.size();
  if (!number || question.right < 1 || question.right > question.options.size()) return base::Error{"wrong_right"};
  --question.right;
  return std::optional(std::move(question));
}

void LessonDraft::go(std::size_t step) { at_ = steps_.empty() ? 0 : std::min(step, steps_.size() - 1); }

void LessonDraft::add(DraftStep step) {
  step.id = next_id_++;
  step.view.moment.phase = 1;
  const std::size_t place = steps_.empty() ? 0 : at_ + 1;
  steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(place), std::move(step));
  at_ = place;
  changed();
}

void LessonDraft::remove() {
  if (steps_.empty()) return;
  const auto at = steps_.begin() + static_cast<std::ptrdiff_t>(at_);
  remember(Removed{id_before(at_), std::move(*at)});
  steps_.erase(at);
  go(at_);
  changed();
}

void LessonDraft::move(std::size_t from, std::size_t to) {
  if (from >= steps_.size() || to >= steps_.size() || from == to) return;
  remember(Moved{steps_[from].id, id_before(from)});
  const auto at = [&](std::size_t i) { return steps_.begin() + static_cast<std::ptrdiff_t>(i); };
  if (from < to)
    std::rotate(at(from), at(from + 1), at(to + 1));
  else
    std::rotate(at(to), at(from), at(from + 1));
  at_ = to;
  changed();
}

void LessonDraft::set_title(std::string title) {
  if (title == title_) return;
  title_ = std::move(title);
  changed();
}

void LessonDraft::set_note(std::string note) {
  if (steps_.empty() || steps_[at_].note == note) return;
  steps_[at_].note = std::move(note);
  changed();
}

void LessonDraft::set_question(DraftQuestion question) {
  if (steps_.empty() || steps_[at_].question == question) return;
  steps_[at_].question = std::move(question);
  changed();
}

void LessonDraft::replace(const Lesson& lesson) {
  if (!steps_.empty() || !title_.empty()) remember(Replaced{std::move(steps_), std::move(title_), file_, unsaved()});
  steps_.clear();
  for (const LessonStep& step : lesson.steps)
    steps_.push_back({step.view, "", step.note, draft_of(step.question), next_id_++});
  title_ = lesson.title;
  file_ = lesson.file;
  at_ = 0;
  changed();
  saved_ = revision_;
}

void LessonDraft::remember(Done done) {
  undo_.push_back(std::move(done));
  if (undo_.size() > max_undo) undo_.erase(undo_.begin());
}

// The place behind the step with this id: the first one for 0, the end if the step is gone.
std::size_t LessonDraft::place_after(std::uint64_t id) const {
  if (id == 0) return 0;
  const auto found = std::ranges::find(steps_, id, &DraftStep::id);
  return static_cast<std::size_t>(found - steps_.begin()) + (found == steps_.end() ? 0 : 1);
}

void LessonDraft::undo() {
  if (undo_.empty()) return;
  Done done = std::move(undo_.back());
  undo_.pop_back();
  if (auto* const replaced = std::get_if<Replaced>(&done)) {
    steps_ = std::move(replaced->steps);
    title_ = std::move(replaced->title);
    file_ = std::move(replaced->file);
    at_ = 0;
    changed();
    saved_ = replaced->unsaved ? revision_ - 1 : revision_;
    return;
  }
  if (auto* const removed = std::get_if<Removed>(&done)) {
    at_ = place_after(removed->after);
    steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(at_), std::move(removed->step));
  } else {
    const Moved& moved = std::get<Moved>(done);
    const auto found = std::ranges::find(steps_, moved.id, &DraftStep::id);
    if (found == steps_.end()) return;
    DraftStep step = std::move(*found);
    steps_.erase(found);
    at_ = place_after(moved.after);
    steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(at_), std::move(step));
  }
  changed();
}

void LessonDraft::saved_to(std::filesystem::path file) {
  file_ = std::move(file);
  saved_ = revision_;
}

std::variant<Lesson, std::pair<std::size_t, std::string>> LessonDraft::lesson(const std::filesystem::path& file) const {
  if (steps_.empty()) return std::pair<std::size_t, std::string>{0, "no_steps"};
  Lesson lesson{file, title_.empty() ? file.stem().string() : title_, {}};
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    auto question = question_of(steps_[i].question);
    if (!question) return std::pair{i, question.error()};
    lesson.steps.push_back({steps_[i].view, steps_[i].note, *std::move(question)});
  }
  return lesson;
}

std::string LessonDraft::text() const {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  const auto text = [&](const char* key, const std::string& value) {
    writer.Key(key);
    writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  };
  writer.StartObject();
  writer.Key("warpwalk_lesson_draft");
  writer.Int(1);
  text("title", title_);
  text("file", file_.string());
  writer.Key("steps");
  writer.StartArray();
  for (const DraftStep& step : steps_) {
    writer.StartObject();
    text("view", document::link_of(step.view));
    text("title", step.title);
    text("note", step.note);
    text("question", step.question.text);
    text("options", step.question.options);
    text("right", step.question.right);
    text("why", step.question.why);
    if (step.question.shows) {
      writer.Key("shows");
      writer.Bool(true);
    }
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

std::optional<LessonDraft> LessonDraft::of_text(std::string_view text) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (document.HasParseError() || !document.IsObject() || !document.HasMember("warpwalk_lesson_draft")) return {};
  LessonDraft draft;
  draft.title_ = string_in(document, "title");
  draft.file_ = string_in(document, "file");
  const auto steps = document.FindMember("steps");
  if (steps == document.MemberEnd() || !steps->value.IsArray()) return {};
  for (const auto& from : steps->value.GetArray()) {
    if (!from.IsObject()) continue;
    const std::optional<document::View> view = document::view_of_link(string_in(from, "view"));
    if (!view) continue;
    const auto shows = from.FindMember("shows");
    const bool shown = shows != from.MemberEnd() && shows->value.IsTrue();
    draft.steps_.push_back({*view,
                            string_in(from, "title"),
                            string_in(from, "note"),
                            {string_in(from, "question"), string_in(from, "options"), string_in(from, "right"),
                             string_in(from, "why"), shown},
                            draft.next_id_++});
  }
  draft.go(draft.steps_.size());
  draft.changed();
  return draft;
}

}  // namespace warpwalk::lessons
