#include "app/lessons/lesson_draft_text.h"

#include <utility>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace warpwalk::lessons {
namespace {

std::string string_in(const rapidjson::Value& object, const char* key) {
  const auto found = object.FindMember(key);
  if (found == object.MemberEnd() || !found->value.IsString()) return {};
  return {found->value.GetString(), found->value.GetStringLength()};
}

}  // namespace

std::string text_of(const LessonDraft& draft) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  const auto text = [&](const char* key, const std::string& value) {
    writer.Key(key);
    writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  };
  writer.StartObject();
  writer.Key("warpwalk_lesson_draft");
  writer.Int(1);
  text("title", draft.title());
  text("file", draft.file().string());
  writer.Key("steps");
  writer.StartArray();
  for (const DraftStep& step : draft.steps()) {
    writer.StartObject();
    text("view", document::link_of(step.view));
    text("title", step.title);
    text("note", step.note);
    if (!step.text.empty()) text("text", step.text);
    text("question", step.question.text);
    text("options", step.question.options);
    text("right", step.question.right);
    text("why", step.question.why);
    if (!step.question.wrong.empty()) {
      writer.Key("wrong");
      writer.StartArray();
      for (const std::string& reason : step.question.wrong)
        writer.String(reason.data(), static_cast<rapidjson::SizeType>(reason.size()));
      writer.EndArray();
    }
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

std::optional<LessonDraft> draft_of_text(std::string_view text) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (document.HasParseError() || !document.IsObject() || !document.HasMember("warpwalk_lesson_draft")) return {};
  DraftContent content;
  content.title = string_in(document, "title");
  content.file = string_in(document, "file");
  const auto steps = document.FindMember("steps");
  if (steps == document.MemberEnd() || !steps->value.IsArray()) return {};
  for (const auto& from : steps->value.GetArray()) {
    if (!from.IsObject()) continue;
    const std::optional<document::View> view = document::view_of_link(string_in(from, "view"));
    if (!view) continue;
    const auto shows = from.FindMember("shows");
    const bool shown = shows != from.MemberEnd() && shows->value.IsTrue();
    std::vector<std::string> wrong;
    if (const auto reasons = from.FindMember("wrong"); reasons != from.MemberEnd() && reasons->value.IsArray())
      for (const auto& reason : reasons->value.GetArray())
        if (reason.IsString()) wrong.emplace_back(reason.GetString(), reason.GetStringLength());
    content.steps.push_back({*view,
                             string_in(from, "title"),
                             string_in(from, "note"),
                             {string_in(from, "question"), string_in(from, "options"), string_in(from, "right"),
                              string_in(from, "why"), shown, std::move(wrong)},
                             0,
                             string_in(from, "text")});
  }
  return LessonDraft(std::move(content));
}

}  // namespace warpwalk::lessons
