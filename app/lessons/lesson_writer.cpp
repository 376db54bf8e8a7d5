#include "app/lessons/lesson_writer.h"

#include <cmath>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace warpwalk::lessons {
namespace {

namespace fs = std::filesystem;

std::string json_string(std::string_view text) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  return {buffer.GetString(), buffer.GetSize()};
}

std::string member(std::string_view key, std::string_view text) {
  return fmt::format("\"{}\": {}", key, json_string(text));
}

std::string settings_text(const story::Controls& controls) {
  std::vector<std::string> settings;
  for (const auto& [name, setting] : controls.all()) {
    const auto* const text = std::get_if<std::string>(&setting);
    settings.push_back(fmt::format("{}: {}", json_string(name),
                                   text != nullptr ? json_string(*text) : number_text(std::get<double>(setting))));
  }
  return fmt::format("\"set\": {{{}}}", fmt::join(settings, ", "));
}

std::string question_text(const LessonQuestion& question) {
  std::vector<std::string> options;
  for (const std::string& option : question.options) options.push_back(json_string(option));
  std::string text = fmt::format("\"question\": {{{},\n                  \"options\": [{}], \"right\": {}",
                                 member("text", question.text), fmt::join(options, ", "), question.right + 1);
  if (!question.why.empty()) text += ",\n                  " + member("why", question.why);
  if (!question.wrong.empty()) {
    std::vector<std::string> reasons;
    for (const std::string& reason : question.wrong) reasons.push_back(json_string(reason));
    text += fmt::format(",\n                  \"wrong\": [{}]", fmt::join(reasons, ", "));
  }
  if (!question.id.empty()) text += ",\n                  " + member("id", question.id);
  if (question.shows) text += ",\n                  \"shows\": true";
  return text + "}";
}

// A step on several lines, as people write lessons. `file` is left out if it is that of the step before.
std::string step_text(const LessonStep& step, const std::string& file, const std::string& picture) {
  const document::View& view = step.view;
  std::vector<std::string> place;
  if (!file.empty()) place.push_back(member("file", file));
  if (step.slide)
    place.push_back(
        fmt::format("\"slide\": {{{}, {}}}", member("title", step.slide->title), member("text", step.slide->text)));
  if (step.picture) place.push_back(member("picture", picture));
  if (!step.is_slide()) {
    place.push_back(member("scene", view.scene));
    place.push_back(member("at", story::text_of(view.moment)));
    if (!view.follow.empty()) place.push_back(member("follow", view.follow));
    if (view.naming != story::Naming::both) place.push_back(member("names", story::name_of(view.naming)));
    if (!view.controls.all().empty()) place.push_back(settings_text(view.controls));
  }
  if (step.minutes > 0) place.push_back(fmt::format("\"minutes\": {}", number_text(step.minutes)));
  std::string text = fmt::format("    {{{}", fmt::join(place, ", "));
  if (!step.title.empty()) text += ",\n     " + member("title", step.title);
  if (!step.text.empty()) text += ",\n     " + member("text", step.text);
  if (!step.note.empty()) text += ",\n     " + member("note", step.note);
  if (step.question) text += ",\n     " + question_text(*step.question);
  return text + "}";
}

}  // namespace

std::string number_text(double value) {
  const bool integer = value == std::floor(value) && std::abs(value) < 1e15;
  return integer ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

fs::path whole_path(const fs::path& file) {
  std::error_code error;
  return fs::absolute(file, error).lexically_normal();
}

std::string name_in_lesson(const fs::path& trace, const fs::path& lesson, const fs::path& walks) {
  const fs::path file = whole_path(trace), folder = whole_path(lesson).parent_path();
  std::error_code error;
  // A file beside the lesson takes precedence over a recorded walk of the same name.
  if (file.parent_path() == whole_path(walks) && !fs::exists(folder / file.filename(), error))
    return file.filename().string();
  const fs::path relative = file.lexically_relative(folder);
  // Folders that are links make ".." lead elsewhere.
  const bool shared = !folder.relative_path().empty() && !file.relative_path().empty() &&
                      *folder.relative_path().begin() == *file.relative_path().begin();
  if (shared && !relative.empty() && fs::equivalent(folder / relative, file, error)) return relative.string();
  return file.string();
}

std::string text_of(const Lesson& lesson, const fs::path& walks) {
  std::vector<std::string> steps;
  fs::path before;
  for (const LessonStep& step : lesson.steps) {
    const fs::path file = whole_path(step.view.file);
    const std::string picture =
        step.picture ? name_in_lesson(step.picture->file, lesson.file, lesson.file.parent_path()) : "";
    steps.push_back(step_text(step, file == before ? "" : name_in_lesson(file, lesson.file, walks), picture));
    before = file;
  }
  return fmt::format("{{\n  \"warpwalk_lesson\": 1,\n  {},\n  \"steps\": [\n{}\n  ]\n}}\n",
                     member("title", lesson.title), fmt::join(steps, ",\n"));
}

}  // namespace warpwalk::lessons
