// A question as it is typed, and the minutes of a step.
#include <algorithm>
#include <charconv>
#include <string_view>

#include "app/lessons/lesson_draft.h"

namespace warpwalk::lessons {
namespace {

std::string trimmed(std::string_view text) {
  constexpr std::string_view spaces = " \t\n";
  const std::size_t from = text.find_first_not_of(spaces);
  if (from == std::string_view::npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(spaces) - from + 1));
}

}  // namespace

bool DraftQuestion::empty() const {
  return text.empty() && why.empty() &&
         std::ranges::all_of(options, [](const DraftOption& one) { return one.text.empty() && one.wrong.empty(); });
}

DraftQuestion draft_of(const std::optional<LessonQuestion>& question, std::size_t step) {
  if (!question) return {};
  DraftQuestion draft;
  draft.text = question->text;
  for (std::size_t i = 0; i < question->options.size(); ++i)
    draft.options.push_back({question->options[i], question->wrong.empty() ? "" : question->wrong[i]});
  draft.right = question->right;
  draft.why = question->why;
  draft.shows = question->shows;
  draft.id = question->id.empty() ? std::to_string(step + 1) : question->id;
  return draft;
}

base::Result<std::optional<LessonQuestion>> question_of(const DraftQuestion& typed) {
  if (typed.empty()) return std::optional<LessonQuestion>();
  LessonQuestion question;
  question.text = typed.text;
  question.why = typed.why;
  question.shows = typed.shows;
  question.id = typed.id;
  std::optional<std::size_t> right;
  for (std::size_t i = 0; i < typed.options.size(); ++i) {
    std::string option = trimmed(typed.options[i].text);
    if (option.empty()) continue;
    if (typed.right == i) right = question.options.size();
    question.options.push_back(std::move(option));
    question.wrong.push_back(typed.right == i ? "" : typed.options[i].wrong);
  }
  if (std::ranges::all_of(question.wrong, &std::string::empty)) question.wrong.clear();
  if (question.text.empty()) return base::Error{"no_question_text"};
  if (question.options.size() < 2 || question.options.size() > story::max_options) return base::Error{"wrong_options"};
  if (!right) return base::Error{"wrong_right"};
  question.right = *right;
  return std::optional(std::move(question));
}

std::optional<double> minutes_of(const std::string& typed) {
  std::string text = trimmed(typed);
  if (text.empty()) return 0;
  std::ranges::replace(text, ',', '.');  // as in German
  double minutes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), minutes);
  if (error != std::errc() || end != text.data() + text.size() || !(minutes >= 0 && minutes <= max_minutes)) return {};
  return minutes;
}

}  // namespace warpwalk::lessons
