#include "core/words/lesson_texts.h"

#include <map>

#include <fmt/format.h>

namespace warpwalk::words {
namespace {

std::string text_in(const rapidjson::Value& object, const char* key) {
  const auto found = object.FindMember(key);
  return found != object.MemberEnd() && found->value.IsString() ? found->value.GetString() : std::string();
}

// The texts of one step or question.
class LessonPart {
 public:
  LessonPart(rapidjson::Value& object, const std::string& section, const LessonTextVisitor& visit)
      : object_(object), section_(section), visit_(visit) {}

  void text(const char* name, const std::string& key) {
    if (const auto found = object_.FindMember(name); found != object_.MemberEnd()) visit_text(key, found->value);
  }
  void list(const char* name, std::string_view key) {
    const auto found = object_.FindMember(name);
    if (found == object_.MemberEnd() || !found->value.IsArray()) return;
    for (rapidjson::SizeType i = 0; i < found->value.Size(); ++i)
      visit_text(fmt::format("{}.{}", key, i + 1), found->value[i]);
  }

 private:
  void visit_text(const std::string& key, rapidjson::Value& text) {
    if (text.IsString() && text.GetStringLength() > 0) visit_(section_, key, text);
  }

  rapidjson::Value& object_;
  const std::string& section_;
  const LessonTextVisitor& visit_;
};

}  // namespace

void visit_lesson_texts(rapidjson::Document& lesson, std::string_view name, const LessonTextVisitor& visit) {
  if (!lesson.IsObject()) return;
  const std::string section = fmt::format("lesson.{}", name);
  LessonPart(lesson, section, visit).text("title", "title");
  const auto steps = lesson.FindMember("steps");
  if (steps == lesson.MemberEnd() || !steps->value.IsArray()) return;
  std::map<std::string, int> seen;
  for (rapidjson::Value& step : steps->value.GetArray()) {
    if (!step.IsObject()) continue;
    const auto slide = step.FindMember("slide");
    const bool has_slide = slide != step.MemberEnd() && slide->value.IsObject();
    std::string place = has_slide ? fmt::format("{}.slide", section)
                                  : fmt::format("{}.{}.{}", section, text_in(step, "scene"), text_in(step, "at"));
    if (const int times = ++seen[place]; times > 1) place += fmt::format("#{}", times);
    if (has_slide) {
      LessonPart words(slide->value, place, visit);
      words.text("title", "slide.title");
      words.text("text", "slide.text");
    }
    LessonPart texts(step, place, visit);
    texts.text("text", "text");
    texts.text("note", "note");
    const auto question = step.FindMember("question");
    if (question == step.MemberEnd() || !question->value.IsObject()) continue;
    LessonPart asked(question->value, place, visit);
    asked.text("text", "question");
    asked.list("options", "option");
    asked.text("why", "why");
    asked.list("wrong", "wrong");
  }
}

}  // namespace warpwalk::words
