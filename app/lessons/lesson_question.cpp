#include "app/lessons/lesson_question.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/story/facts/words/ask.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::lessons {
namespace {

// Leaves the frame of the picture: what a teacher asks about may be anywhere in it.
void hide_step(story::Stage& stage) {
  stage.sentence.clear();
  stage.facts.clear();
  stage.missing.clear();
  stage.number.reset();
  const auto* const held = std::get_if<std::shared_ptr<const story::Panels>>(&stage.picture);
  if (held == nullptr) {
    stage.picture = {};
    return;
  }
  auto left = std::make_shared<story::Panels>(**held);
  story::hide_values(*left);
  stage.picture = std::shared_ptr<const story::Panels>(std::move(left));
}

}  // namespace

base::Result<LessonQuestion> read_lesson_question(const rapidjson::Value& from) {
  constexpr const char* form =
      R"(write {"text": ..., "options": [..., ...], "right": 2, "why": ..., "wrong": [..., ...]})";
  if (!from.IsObject()) return base::Error{fmt::format("\"question\" is not an object; {}", form)};
  LessonQuestion question;
  for (const auto& member : from.GetObject()) {
    const std::string_view key = member.name.GetString();
    const rapidjson::Value& value = member.value;
    if ((key == "text" || key == "why") && value.IsString()) {
      (key == "text" ? question.text : question.why) = value.GetString();
    } else if (key == "options" && value.IsArray()) {
      for (const auto& option : value.GetArray()) {
        if (!option.IsString()) return base::Error{"\"question\": an option is not a string"};
        question.options.emplace_back(option.GetString());
      }
    } else if (key == "wrong" && value.IsArray()) {
      for (const auto& reason : value.GetArray()) {
        if (!reason.IsString()) return base::Error{"\"question\": a reason of \"wrong\" is not a string"};
        question.wrong.emplace_back(reason.GetString());
      }
    } else if (key == "right" && value.IsUint()) {
      question.right = value.GetUint();
    } else if (key == "id" && value.IsString()) {
      question.id = {value.GetString(), value.GetStringLength()};
      if (!is_question_id(question.id))
        return base::Error{"\"question\": \"id\" is not 1 to 40 letters, digits, \"-\" and \"_\""};
    } else if (key == "shows" && value.IsBool()) {
      question.shows = value.GetBool();
    } else {
      return base::Error{fmt::format("\"question\": \"{}\" is not one of its keys, or not of its type; {}", key, form)};
    }
  }
  if (question.text.empty()) return base::Error{fmt::format("\"question\" has no text; {}", form)};
  if (question.options.size() < 2 || question.options.size() > story::max_options)
    return base::Error{
        fmt::format("\"question\" has {} options; give 2 to {}", question.options.size(), story::max_options)};
  if (question.right < 1 || question.right > question.options.size())
    return base::Error{fmt::format("\"question\": \"right\" is {}; give the number of an option, 1 to {}",
                                   question.right, question.options.size())};
  if (!question.wrong.empty() && question.wrong.size() != question.options.size())
    return base::Error{
        fmt::format("\"question\": \"wrong\" has {} reasons for {} options; that of the right one is \"\"",
                    question.wrong.size(), question.options.size())};
  --question.right;
  return question;
}

bool is_question_id(std::string_view text) {
  constexpr std::size_t longest = 40;
  const auto may_be_in_id = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, may_be_in_id);
}

std::string question_key(const LessonQuestion& question, std::size_t step) {
  return question.id.empty() ? fmt::format("lesson.{}", step + 1) : fmt::format("lesson.{}", question.id);
}

void add_lesson_question(const LessonQuestion& question, const std::string& lesson, std::size_t step,
                         const story::Narration& narration, const story::Predictions& said, story::Stage& stage) {
  if (!said.asking) return;
  story::Question posed;
  posed.key = question_key(question, step);
  posed.about = lesson;
  posed.text = question.text;
  posed.options = question.options;
  story::take_answer(narration, said, question.right, posed);
  if (posed.asked()) {  // as scenes ask: the question is the title, and leaves room for its options
    stage.title = question.text;
    stage.controls.clear();
    if (!posed.tried.empty() && !question.wrong.empty()) posed.why = question.wrong[posed.tried.back()];
    if (!question.shows) hide_step(stage);
  } else {
    posed.why = question.why;
  }
  stage.question = std::move(posed);
}

}  // namespace warpwalk::lessons
