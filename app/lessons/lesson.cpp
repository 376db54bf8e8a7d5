#include "app/lessons/lesson.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <system_error>

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include "app/document/view_options.h"
#include "core/base/text.h"
#include "core/platform/read_file.h"
#include "core/story/scene_list.h"
#include "core/words/lesson_texts.h"

namespace warpwalk::lessons {
namespace {

constexpr std::uint64_t most_bytes = 1u << 20;

std::filesystem::path resolved(const std::string& name, const std::filesystem::path& lesson,
                               const std::filesystem::path& walks) {
  std::error_code error;
  for (const std::filesystem::path& candidate : {lesson.parent_path() / name, walks / name})
    if (std::filesystem::exists(candidate, error)) return candidate.lexically_normal();
  return {};
}

// Returns what is wrong with the step; none if it was read.
std::optional<std::string> read_step(const rapidjson::Value& from, const std::filesystem::path& lesson,
                                     const std::filesystem::path& walks, LessonStep& step) {
  if (!from.IsObject()) return "not an object; write {\"scene\": ..., \"at\": ..., \"note\": ...}";
  for (const auto& member : from.GetObject()) {
    const std::string_view key = member.name.GetString();
    const rapidjson::Value& value = member.value;
    if (key == "set") {
      if (!value.IsObject()) return "\"set\" is not an object; write {\"sm.registers\": 64}";
      for (const auto& one : value.GetObject()) {
        const std::string_view name = one.name.GetString();
        const bool text = story::is_text_control(name);
        if (text ? !one.value.IsString() : !one.value.IsNumber())
          return fmt::format("\"set\": \"{}\" is not a {}", name, text ? "string" : "number");
        // The length counts: a JSON string may contain a 0.
        const std::string setting = story::setting_text(
            name, text ? story::Setting(std::string(one.value.GetString(), one.value.GetStringLength()))
                       : story::Setting(one.value.GetDouble()));
        if (const auto set = document::set_view_option(step.view, key, setting); !set) return set.error();
      }
      continue;
    }
    if (key == "question") {
      auto question = read_lesson_question(value);
      if (!question) return question.error();
      step.question = *std::move(question);
      continue;
    }
    if (key == "slide") {
      auto slide = read_lesson_slide(value);
      if (!slide) return slide.error();
      step.slide = *std::move(slide);
      continue;
    }
    if (key == "minutes") {
      if (!value.IsNumber() || !(value.GetDouble() >= 0 && value.GetDouble() <= max_minutes))
        return fmt::format("\"minutes\" is not a number from 0 to {}", max_minutes);
      step.minutes = value.GetDouble();
      continue;
    }
    if (!value.IsString()) return fmt::format("\"{}\" is not a string", key);
    const std::string text = value.GetString();
    if (key == "file") {
      step.view.file = resolved(text, lesson, walks);
      if (step.view.file.empty())
        return fmt::format("the file {} is neither beside the lesson nor in {}", text, walks.string());
    } else if (document::is_view_option(key)) {
      if (const auto set = document::set_view_option(step.view, key, text); !set)
        return fmt::format("\"{}\": {}", key, set.error());
    } else if (key == "note") {
      step.note = text;
    } else if (key == "text") {
      step.text = text;
    } else if (key == "title") {
      step.title = text;
    } else if (key == "picture") {
      const std::filesystem::path picture = (lesson.parent_path() / text).lexically_normal();
      auto photo = read_photo(picture);
      if (!photo) return "\"picture\": " + photo.error();
      step.picture = {picture, *std::move(photo)};
    } else {
      return fmt::format(
          "\"{}\" is not a key of a step; the keys are file, scene, at, follow, set, names, title, text, note, "
          "minutes, "
          "question, slide and picture",
          key);
    }
  }
  if (step.is_slide()) {
    for (const char* const key : {"scene", "at", "follow", "set", "names"})
      if (from.HasMember(key))
        return fmt::format("\"{}\" does not go with \"{}\"; a step shows a scene, or a slide or picture of your own",
                           key, step.slide ? "slide" : "picture");
    return {};
  }
  if (auto unknown = story::unknown_beat(*story::find_scene(step.view.scene), step.view.moment)) return unknown;
  return {};
}

// The lessons of the assets are beside their walks.
bool is_shipped(const std::filesystem::path& lesson, const std::filesystem::path& walks) {
  std::error_code error;
  return std::filesystem::equivalent(lesson.parent_path(), walks.parent_path() / "lessons", error);
}

void translate(rapidjson::Document& lesson, std::string_view name, const story::Narration& words) {
  const auto translated = [&](const std::string& section, const std::string& key, rapidjson::Value& text) {
    if (!words.has(section, key)) return;
    const std::string translated_text = words.text(section, key);
    text.SetString(translated_text.c_str(), static_cast<rapidjson::SizeType>(translated_text.size()),
                   lesson.GetAllocator());
  };
  words::visit_lesson_texts(lesson, name, translated);
}

}  // namespace

void place_slides(std::vector<LessonStep>& steps) {
  const auto has_scene = [](const LessonStep& step) { return !step.is_slide(); };
  const auto first = std::ranges::find_if(steps, has_scene);
  document::View before;
  if (first != steps.end())
    before = first->view;
  else
    for (const LessonStep& step : steps)  // slides alone
      if (before.file.empty()) before.file = step.view.file;
  for (LessonStep& step : steps) {
    if (step.is_slide()) step.view = before;
    before = step.view;
  }
}

bool is_lesson(const std::filesystem::path& file) {
  if (!platform::check_regular_file(file)) return false;
  std::string begin(most_bytes, '\0');  // a file that is too long for a lesson is still called one
  std::ifstream in(file, std::ios::binary);
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(in.gcount()));
  return begin.find("\"warpwalk_lesson\"") != std::string::npos;
}

base::Result<Lesson> parse_lesson(std::string_view text, const std::filesystem::path& file,
                                  const std::filesystem::path& walks, const story::Narration* words) {
  Lesson lesson;
  lesson.file = file;
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  const auto wrong = [&](std::string_view what) {
    return base::Error{base::one_line(fmt::format("{}: {}", file.string(), what))};
  };
  if (document.HasParseError())
    return wrong(
        fmt::format("byte {}: {}", document.GetErrorOffset(), rapidjson::GetParseError_En(document.GetParseError())));
  if (!document.IsObject() || !document.HasMember("warpwalk_lesson"))
    return wrong("not a lesson; a lesson begins with {\"warpwalk_lesson\": 1, \"title\": ..., \"steps\": [...]}");
  if (!document["warpwalk_lesson"].IsInt() || document["warpwalk_lesson"].GetInt() != 1)
    return wrong("\"warpwalk_lesson\" must be 1, the only version");
  if (words != nullptr && is_shipped(file, walks)) translate(document, file.stem().string(), *words);
  if (const auto title = document.FindMember("title"); title != document.MemberEnd() && title->value.IsString())
    lesson.title = title->value.GetString();
  else
    lesson.title = file.stem().string();
  const auto steps = document.FindMember("steps");
  if (steps == document.MemberEnd() || !steps->value.IsArray() || steps->value.Empty())
    return wrong("no steps; write \"steps\": [{\"file\": ..., \"scene\": ..., \"at\": ..., \"note\": ...}]");
  std::map<std::string, std::size_t> asked;  // questions by their keys, with their steps
  for (const auto& from : steps->value.GetArray()) {
    LessonStep step;
    if (const auto error = read_step(from, file, walks, step))
      return wrong(fmt::format("step {}: {}", lesson.steps.size() + 1, *error));
    if (step.view.file.empty() && !lesson.steps.empty()) step.view.file = lesson.steps.back().view.file;
    if (step.view.file.empty() && !step.is_slide())
      return wrong(fmt::format("step {}: no \"file\"; give the trace to start with", lesson.steps.size() + 1));
    if (step.question) {
      std::string key = question_key(*step.question, lesson.steps.size());
      const auto [at, is_new] = asked.emplace(std::move(key), lesson.steps.size());
      if (!is_new)
        return wrong(
            fmt::format("step {}: the question of step {} has the same \"id\"; saved answers would be mixed: "
                        "give this one an \"id\" of its own",
                        lesson.steps.size() + 1, at->second + 1));
    }
    lesson.steps.push_back(std::move(step));
  }
  if (lesson.steps.back().view.file.empty())
    return wrong("no step has a \"file\"; give one step the trace that the lesson is about");
  place_slides(lesson.steps);
  return lesson;
}

base::Result<Lesson> load_lesson(const std::filesystem::path& file, const std::filesystem::path& walks,
                                 const story::Narration* words) {
  const auto read = platform::read_text_file(file, most_bytes);
  if (!read) return base::Error{fmt::format("{}; a lesson is a text file of at most 1 MiB", read.error())};
  return parse_lesson(read->text, file, walks, words);
}

}  // namespace warpwalk::lessons
