#include "app/shell/session/settings.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include "core/platform/output_file.h"
#include "core/platform/read_file.h"

namespace warpwalk::shell {
namespace {

// Takes the valid members of an object, and remembers the first one that is invalid.
class Taker {
 public:
  Taker(const rapidjson::Value& object, std::string_view file_name) : object_(object), file_(file_name) {}

  template <class Accept>
  void text(const char* key, const char* wanted, Accept accept) {
    take(key, wanted, [&](const rapidjson::Value& v) { return v.IsString() && accept(std::string(v.GetString())); });
  }
  void flag(const char* key, bool& out) {
    take(key, "true or false", [&](const rapidjson::Value& v) {
      if (v.IsBool()) out = v.GetBool();
      return v.IsBool();
    });
  }
  void number(const char* key, double least, double limit, double& out) {
    take(key, fmt::format("a number from {:g} to {:g}", least, limit), [&](const rapidjson::Value& v) {
      const bool right = v.IsNumber() && v.GetDouble() >= least && v.GetDouble() <= limit;
      // rapidjson reads short decimals exactly, longer ones only nearly, so that they would change when written again.
      if (right) out = std::round(v.GetDouble() * 1e6) / 1e6;
      return right;
    });
  }
  template <class Use>
  void texts(const char* key, Use use) {
    take(key, "a list of strings", [&](const rapidjson::Value& v) {
      if (!v.IsArray()) return false;
      for (const auto& item : v.GetArray()) {
        if (!item.IsString()) return false;
        use(std::string(item.GetString()));
      }
      return true;
    });
  }
  /// `use` returns false for an item that is wrong; the others are used nevertheless.
  template <class Use>
  void items(const char* key, const char* wanted, Use use) {
    take(key, wanted, [&](const rapidjson::Value& v) {
      bool right = v.IsArray();
      if (right)
        for (const auto& item : v.GetArray()) right = use(item) && right;
      return right;
    });
  }
  const std::optional<std::string>& complaint() const { return complaint_; }

 private:
  template <class Accept>
  void take(const char* key, std::string_view wanted, Accept accept) {
    const auto at = object_.FindMember(key);
    if (at == object_.MemberEnd() || accept(at->value) || complaint_) return;
    complaint_ =
        fmt::format("{}: \"{}\" is not {}; the default is used (--reset-settings resets them)", file_, key, wanted);
  }

  const rapidjson::Value& object_;
  std::string_view file_;
  std::optional<std::string> complaint_;
};

std::string whole_name(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::absolute(file, error).lexically_normal().string();
}

// {"file": ..., "step": 14}; steps count from 1 there.
std::optional<KeptLesson> kept_lesson(const rapidjson::Value& from) {
  if (!from.IsObject()) return {};
  const auto file = from.FindMember("file"), step = from.FindMember("step");
  if (file == from.MemberEnd() || !file->value.IsString() || *file->value.GetString() == 0) return {};
  if (step == from.MemberEnd() || !step->value.IsUint() || step->value.GetUint() < 2) return {};
  return KeptLesson{file->value.GetString(), step->value.GetUint() - 1};
}

}  // namespace

void Settings::add_recent(const std::filesystem::path& file) {
  const std::string whole = whole_name(file);
  std::erase(recent, whole);
  recent.insert(recent.begin(), whole);
  if (recent.size() > max_recent_files) recent.resize(max_recent_files);
}

void Settings::keep_step(const std::filesystem::path& lesson, std::size_t step) {
  std::string file = whole_name(lesson);
  if (!lessons.empty() && lessons.front().file == file && lessons.front().step == step) return;
  std::erase_if(lessons, [&](const KeptLesson& kept) { return kept.file == file; });
  if (step == 0) return;
  lessons.insert(lessons.begin(), {std::move(file), step});
  if (lessons.size() > max_kept_lessons) lessons.resize(max_kept_lessons);
}

std::size_t Settings::kept_step(const std::filesystem::path& lesson) const {
  const auto kept = std::ranges::find(lessons, whole_name(lesson), &KeptLesson::file);
  return kept == lessons.end() ? 0 : kept->step;
}

story::Naming naming_of(const Settings& settings, bool own) {
  if (!own) return settings.naming;
  const story::Naming of_walks = settings.naming == story::Naming::both ? story::Naming::hardware : settings.naming;
  return settings.own_naming.value_or(of_walks);
}

const draw::Theme& theme_of(const Settings& settings) {
  if (settings.theme == draw::light_theme().name) return draw::light_theme();
  if (settings.theme == draw::high_contrast_theme().name) return draw::high_contrast_theme();
  return draw::dark_theme();
}

std::filesystem::path settings_file() {
  const auto named = [](const char* variable) -> std::filesystem::path {
    const char* value = std::getenv(variable);
    return value == nullptr ? "" : value;
  };
  if (const std::filesystem::path config = named("XDG_CONFIG_HOME"); config.is_absolute())
    return config / "warpwalk" / "settings.json";
  if (const std::filesystem::path home = named("HOME"); home.is_absolute())
    return home / ".config" / "warpwalk" / "settings.json";
  return {};
}

std::pair<Settings, std::optional<std::string>> parse_settings(std::string_view text, std::string_view file_name) {
  Settings settings;
  rapidjson::Document document;
  // Iterative, so that a damaged file with deep nesting cannot overflow the stack.
  document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (document.HasParseError())
    return {settings, fmt::format("{}: byte {}: {} The defaults are used (--reset-settings resets them)", file_name,
                                  document.GetErrorOffset(), rapidjson::GetParseError_En(document.GetParseError()))};
  if (!document.IsObject())
    return {settings,
            fmt::format("{}: not a JSON object; the defaults are used (--reset-settings resets them)", file_name)};
  Taker taker(document, file_name);
  taker.text("theme", "dark, light or high-contrast", [&](const std::string& name) {
    if (draw::theme_named(name)) settings.theme = name;
    return draw::theme_named(name).has_value();
  });
  taker.text("names", "hardware, company or both", [&](const std::string& name) {
    const auto naming = story::naming_named(name);
    settings.naming = naming.value_or(settings.naming);
    return naming.has_value();
  });
  taker.text("own_names", "hardware, company or both", [&](const std::string& name) {
    settings.own_naming = story::naming_named(name);
    return settings.own_naming.has_value();
  });
  taker.text("language", "a language's name", [&](const std::string& name) {
    const bool right = !name.empty() && name.find('/') == std::string::npos && !name.starts_with('.');
    if (right) settings.language = name;
    return right;
  });
  taker.flag("reduced_motion", settings.reduced_motion);
  taker.flag("questions", settings.questions);
  taker.flag("own_questions", settings.own_questions);
  taker.flag("first_route", settings.first_route);
  taker.flag("panels", settings.panels);
  taker.flag("own_panels", settings.own_panels);
  taker.number("speed", 0.25, 4, settings.speed);
  taker.number("scale", 0.5, 8, settings.scale);
  double width = 0, height = 0;
  taker.number("window_width", 200, 20000, width);
  taker.number("window_height", 200, 20000, height);
  if (width > 0 && height > 0) {
    settings.window_width = static_cast<int>(width);
    settings.window_height = static_cast<int>(height);
  }
  taker.texts("recent", [&](std::string file) {
    if (settings.recent.size() < max_recent_files) settings.recent.push_back(std::move(file));
  });
  std::size_t next = 0;
  taker.texts("bookmarks", [&](std::string command) {
    if (next < bookmark_count) settings.bookmarks[next++] = std::move(command);
  });
  taker.items("lessons", "a list of lessons with their steps", [&](const rapidjson::Value& item) {
    std::optional<KeptLesson> kept = kept_lesson(item);
    if (kept && settings.lessons.size() < max_kept_lessons) settings.lessons.push_back(*std::move(kept));
    return kept.has_value();
  });
  return {settings, taker.complaint()};
}

std::pair<Settings, std::optional<std::string>> load_settings(const std::filesystem::path& file) {
  std::error_code error;
  if (file.empty() || !std::filesystem::exists(file, error)) return {};
  constexpr std::uintmax_t limit = 1u << 20;
  const auto read = platform::read_text_file(file, limit);
  if (!read) return {{}, fmt::format("{}; the defaults are used (--reset-settings resets them)", read.error())};
  auto settings = parse_settings(read->text, file.string());
  if (settings.second) {
    const std::string kept = file.string() + ".unreadable";
    if (platform::write_regular_file(kept, read->text))
      *settings.second += fmt::format("; the file was kept as {}", kept);
  }
  return settings;
}

std::string text_of(const Settings& settings) {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  const auto text = [&](std::string_view value) {
    writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  };
  writer.StartObject();
  writer.Key("theme");
  text(settings.theme);
  writer.Key("names");
  text(name_of(settings.naming));
  if (settings.own_naming) {
    writer.Key("own_names");
    text(name_of(*settings.own_naming));
  }
  writer.Key("language");
  text(settings.language);
  writer.Key("reduced_motion");
  writer.Bool(settings.reduced_motion);
  writer.Key("questions");
  writer.Bool(settings.questions);
  writer.Key("own_questions");
  writer.Bool(settings.own_questions);
  writer.Key("first_route");
  writer.Bool(settings.first_route);
  writer.Key("panels");
  writer.Bool(settings.panels);
  writer.Key("own_panels");
  writer.Bool(settings.own_panels);
  writer.Key("speed");
  writer.Double(settings.speed);
  if (settings.scale > 0) {
    writer.Key("scale");
    writer.Double(settings.scale);
  }
  if (settings.window_width > 0) {
    writer.Key("window_width");
    writer.Int(settings.window_width);
    writer.Key("window_height");
    writer.Int(settings.window_height);
  }
  writer.Key("recent");
  writer.StartArray();
  for (const std::string& file : settings.recent) text(file);
  writer.EndArray();
  writer.Key("bookmarks");
  writer.StartArray();
  for (const std::string& command : settings.bookmarks) text(command);
  writer.EndArray();
  writer.Key("lessons");
  writer.StartArray();
  for (const KeptLesson& kept : settings.lessons) {
    writer.StartObject();
    writer.Key("file");
    text(kept.file);
    writer.Key("step");
    writer.Uint64(kept.step + 1);
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

base::Result<void> save_settings(const Settings& settings, const std::filesystem::path& file) {
  if (file.empty()) return base::Error{"the settings cannot be saved: neither XDG_CONFIG_HOME nor HOME is set"};
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error)
    return base::Error{
        fmt::format("{}: the settings cannot be saved: {}", file.parent_path().string(), error.message())};
  if (const auto done = platform::write_regular_file(file, text_of(settings)); !done)
    return base::Error{fmt::format("{}; the settings cannot be saved", done.error())};
  return {};
}

}  // namespace warpwalk::shell
