#include "app/lessons/lesson_draft.h"

#include <algorithm>
#include <charconv>
#include <string_view>

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

constexpr std::size_t max_undo = 100;

template <class Done>
void remember_for_undo(std::vector<Done>& undo, Done done) {
  undo.push_back(std::move(done));
  if (undo.size() > max_undo) undo.erase(undo.begin());
}

std::uint64_t id_before(const std::vector<DraftStep>& steps, std::size_t step) {
  return step == 0 ? 0 : steps[step - 1].id;
}

// The place behind the step with this id: the first one for 0, the end if the step is gone.
std::size_t place_after(const std::vector<DraftStep>& steps, std::uint64_t id) {
  if (id == 0) return 0;
  const auto found = std::ranges::find(steps, id, &DraftStep::id);
  return static_cast<std::size_t>(found - steps.begin()) + (found == steps.end() ? 0 : 1);
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
  return {question->text, std::move(options), std::to_string(question->right + 1),
          question->why,  question->shows,    question->wrong};
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
  if (typed.wrong.size() == question.options.size()) question.wrong = typed.wrong;
  return std::optional(std::move(question));
}

LessonDraft::LessonDraft(DraftContent content) : content_(std::move(content)), revision_(1) {
  for (DraftStep& step : content_.steps) step.id = next_id_++;
  go(content_.steps.size());
}

void LessonDraft::go(std::size_t step) { at_ = content_.steps.empty() ? 0 : std::min(step, content_.steps.size() - 1); }

void LessonDraft::add(DraftStep step) {
  step.id = next_id_++;
  step.view.moment.phase = 1;
  const std::size_t place = content_.steps.empty() ? 0 : at_ + 1;
  content_.steps.insert(content_.steps.begin() + static_cast<std::ptrdiff_t>(place), std::move(step));
  at_ = place;
  ++revision_;
}

void LessonDraft::remove() {
  if (content_.steps.empty()) return;
  const auto at = content_.steps.begin() + static_cast<std::ptrdiff_t>(at_);
  remember_for_undo(undo_, Done(Removed{id_before(content_.steps, at_), std::move(*at)}));
  content_.steps.erase(at);
  go(at_);
  ++revision_;
}

void LessonDraft::move(std::size_t from, std::size_t to) {
  if (from >= content_.steps.size() || to >= content_.steps.size() || from == to) return;
  remember_for_undo(undo_, Done(Moved{content_.steps[from].id, id_before(content_.steps, from)}));
  const auto at = [&](std::size_t i) { return content_.steps.begin() + static_cast<std::ptrdiff_t>(i); };
  if (from < to)
    std::rotate(at(from), at(from + 1), at(to + 1));
  else
    std::rotate(at(to), at(from), at(from + 1));
  at_ = to;
  ++revision_;
}

void LessonDraft::set_title(std::string title) {
  if (title == content_.title) return;
  content_.title = std::move(title);
  ++revision_;
}

void LessonDraft::set_note(std::string note) {
  if (content_.steps.empty() || content_.steps[at_].note == note) return;
  content_.steps[at_].note = std::move(note);
  ++revision_;
}

void LessonDraft::set_question(DraftQuestion question) {
  if (content_.steps.empty() || content_.steps[at_].question == question) return;
  content_.steps[at_].question = std::move(question);
  ++revision_;
}

void LessonDraft::replace(const Lesson& lesson) {
  if (!content_.steps.empty() || !content_.title.empty())
    remember_for_undo(undo_, Done(Replaced{std::move(content_), unsaved()}));
  content_ = {{}, lesson.title, lesson.file};
  for (const LessonStep& step : lesson.steps)
    content_.steps.push_back({step.view, "", step.note, draft_of(step.question), next_id_++, step.text});
  at_ = 0;
  ++revision_;
  saved_ = revision_;
}

void LessonDraft::undo() {
  if (undo_.empty()) return;
  Done done = std::move(undo_.back());
  undo_.pop_back();
  if (auto* const replaced = std::get_if<Replaced>(&done)) {
    content_ = std::move(replaced->content);
    at_ = 0;
    ++revision_;
    saved_ = replaced->unsaved ? revision_ - 1 : revision_;
    return;
  }
  if (auto* const removed = std::get_if<Removed>(&done)) {
    at_ = place_after(content_.steps, removed->after);
    content_.steps.insert(content_.steps.begin() + static_cast<std::ptrdiff_t>(at_), std::move(removed->step));
  } else {
    const Moved& moved = std::get<Moved>(done);
    const auto found = std::ranges::find(content_.steps, moved.id, &DraftStep::id);
    if (found == content_.steps.end()) return;
    DraftStep step = std::move(*found);
    content_.steps.erase(found);
    at_ = place_after(content_.steps, moved.after);
    content_.steps.insert(content_.steps.begin() + static_cast<std::ptrdiff_t>(at_), std::move(step));
  }
  ++revision_;
}

void LessonDraft::saved_to(std::filesystem::path file) {
  content_.file = std::move(file);
  saved_ = revision_;
}

std::variant<Lesson, std::pair<std::size_t, std::string>> lesson_of(const LessonDraft& draft,
                                                                    const std::filesystem::path& file) {
  const std::vector<DraftStep>& steps = draft.steps();
  if (steps.empty()) return std::pair<std::size_t, std::string>{0, "no_steps"};
  Lesson lesson{file, draft.title().empty() ? file.stem().string() : draft.title(), {}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    auto question = question_of(steps[i].question);
    if (!question) return std::pair{i, question.error()};
    lesson.steps.push_back({steps[i].view, steps[i].note, *std::move(question), steps[i].text});
  }
  return lesson;
}

}  // namespace warpwalk::lessons
