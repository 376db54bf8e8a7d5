#include "app/lessons/lesson_draft_text.h"

#include <utility>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace warpwalk::lessons {
namespace {

using DraftWriter = rapidjson::Writer<rapidjson::StringBuffer>;

std::string text_in(const rapidjson::Value& object, const char* key) {
  const auto found = object.FindMember(key);
  if (found == object.MemberEnd() || !found->value.IsString()) return {};
  return {found->value.GetString(), found->value.GetStringLength()};
}

bool flag_in(const rapidjson::Value& object, const char* key) {
  const auto found = object.FindMember(key);
  return found != object.MemberEnd() && found->value.IsTrue();
}

// Empty texts are left out.
void write_text(DraftWriter& writer, const char* key, const std::string& value) {
  if (value.empty()) return;
  writer.Key(key);
  writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
}

void write_flag(DraftWriter& writer, const char* key, bool value) {
  if (!value) return;
  writer.Key(key);
  writer.Bool(true);
}

void write_question(DraftWriter& writer, const DraftQuestion& question) {
  writer.StartObject();
  write_text(writer, "text", question.text);
  writer.Key("options");
  writer.StartArray();
  for (const DraftOption& option : question.options) {
    writer.StartObject();
    write_text(writer, "text", option.text);
    write_text(writer, "wrong", option.wrong);
    writer.EndObject();
  }
  writer.EndArray();
  if (question.right) {
    writer.Key("right");
    writer.Uint64(*question.right);
  }
  write_text(writer, "why", question.why);
  write_flag(writer, "shows", question.shows);
  write_text(writer, "id", question.id);
  writer.EndObject();
}

DraftQuestion question_in(const rapidjson::Value& step) {
  const auto found = step.FindMember("question");
  if (found == step.MemberEnd() || !found->value.IsObject()) return {};
  const rapidjson::Value& from = found->value;
  DraftQuestion question;
  question.text = text_in(from, "text");
  if (const auto options = from.FindMember("options"); options != from.MemberEnd() && options->value.IsArray())
    for (const auto& option : options->value.GetArray())
      if (option.IsObject() && question.options.size() < story::max_options)
        question.options.push_back({text_in(option, "text"), text_in(option, "wrong")});
  if (const auto right = from.FindMember("right"); right != from.MemberEnd() && right->value.IsUint())
    question.right = right->value.GetUint();
  question.why = text_in(from, "why");
  question.shows = flag_in(from, "shows");
  if (std::string id = text_in(from, "id"); is_question_id(id)) question.id = std::move(id);
  return question;
}

}  // namespace

std::string text_of(const LessonDraft& draft) {
  rapidjson::StringBuffer buffer;
  DraftWriter writer(buffer);
  writer.StartObject();
  writer.Key("warpwalk_lesson_draft");
  writer.Int(1);
  write_text(writer, "title", draft.title());
  write_text(writer, "target", draft.content().target);
  write_text(writer, "file", draft.file().string());
  writer.Key("steps");
  writer.StartArray();
  for (const DraftStep& step : draft.steps()) {
    writer.StartObject();
    write_text(writer, "view", document::link_of(step.view));
    write_text(writer, "title", step.title);
    write_text(writer, "text", step.text);
    write_text(writer, "note", step.note);
    write_text(writer, "minutes", step.minutes);
    write_flag(writer, "is_slide", step.is_slide);
    write_text(writer, "slide_title", step.slide.title);
    write_text(writer, "slide_text", step.slide.text);
    write_text(writer, "picture", step.picture);
    if (!(step.question == DraftQuestion())) {
      writer.Key("question");
      write_question(writer, step.question);
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
  content.title = text_in(document, "title");
  content.target = text_in(document, "target");
  content.file = text_in(document, "file");
  const auto steps = document.FindMember("steps");
  if (steps == document.MemberEnd() || !steps->value.IsArray()) return {};
  for (const auto& from : steps->value.GetArray()) {
    if (!from.IsObject()) continue;
    const std::optional<document::View> view = document::view_of_link(text_in(from, "view"));
    DraftStep step;
    step.is_slide = flag_in(from, "is_slide");
    if (!view && !step.is_slide) continue;  // a slide may have no trace
    if (view) step.view = *view;
    step.title = text_in(from, "title");
    step.text = text_in(from, "text");
    step.note = text_in(from, "note");
    step.minutes = text_in(from, "minutes");
    step.question = question_in(from);
    step.slide = {text_in(from, "slide_title"), text_in(from, "slide_text")};
    step.picture = text_in(from, "picture");
    content.steps.push_back(std::move(step));
  }
  return LessonDraft(std::move(content));
}

}  // namespace warpwalk::lessons
