#include "app/pages/timeline/timeline_notes.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <tuple>

#include <fmt/format.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include "core/base/exact_json.h"
#include "core/base/text.h"
#include "core/platform/output_file.h"
#include "core/platform/read_file.h"

namespace warpwalk::pages {
namespace {

using rapidjson::Value;

constexpr std::uint64_t max_notes_bytes = std::uint64_t{64} << 20;

auto place_of_note(const TimelineNote& note) { return std::tie(note.from, note.to, note.slice); }

std::optional<std::string> text_member(const Value& object, const char* key) {
  const auto at = object.FindMember(key);
  if (at == object.MemberEnd() || !at->value.IsString()) return {};
  return base::one_line({at->value.GetString(), at->value.GetStringLength()});
}

std::optional<std::int64_t> time_member(const Value& object, const char* key) {
  const auto at = object.FindMember(key);
  if (at == object.MemberEnd() || !at->value.IsInt64()) return {};
  return at->value.GetInt64();
}

std::optional<TimelineNote> note_of_json(const Value& value) {
  if (!value.IsObject()) return {};
  const auto from = time_member(value, "from_ns"), to = time_member(value, "to_ns");
  const auto text = text_member(value, "text");
  if (!from || !to || *to < *from || !text || text->empty()) return {};
  return TimelineNote{*from, *to, text_member(value, "slice").value_or(""), *text};
}

}  // namespace

std::filesystem::path notes_file(const std::filesystem::path& trace) {
  std::filesystem::path file = trace;
  file += ".notes.json";
  return file;
}

std::string text_of_notes(const std::vector<TimelineNote>& notes) {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  const auto text = [&](const char* key, const std::string& value) {
    writer.Key(key);
    writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  };
  writer.StartObject();
  writer.Key("warpwalk_notes");
  writer.Int(1);
  writer.Key("notes");
  writer.StartArray();
  for (const TimelineNote& note : notes) {
    writer.StartObject();
    writer.Key("from_ns");
    writer.Int64(note.from);
    writer.Key("to_ns");
    writer.Int64(note.to);
    if (!note.slice.empty()) text("slice", note.slice);
    text("text", note.text);
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

base::Result<std::vector<TimelineNote>> notes_of_text(std::string_view text, std::string_view name) {
  const auto refused = [&](std::string_view problem) {
    return base::Error{fmt::format("{}: {}; repair or rename this file to keep notes", name, problem)};
  };
  rapidjson::Document document;
  if (const rapidjson::ParseResult parsed = base::parse_exact(text, document); !parsed)
    return refused(fmt::format("not JSON at byte {}", parsed.Offset()));
  if (!document.IsObject() || time_member(document, "warpwalk_notes") != 1)
    return refused("no notes of warpwalk (\"warpwalk_notes\": 1 is missing)");
  const auto listed = document.FindMember("notes");
  if (listed == document.MemberEnd() || !listed->value.IsArray()) return refused("\"notes\" is not a list");
  std::vector<TimelineNote> notes;
  for (const Value& value : listed->value.GetArray()) {
    const std::optional<TimelineNote> note = note_of_json(value);
    if (!note)
      return refused(fmt::format("note {} needs \"from_ns\", \"to_ns\" (ns, not before from_ns) and a \"text\"",
                                 notes.size() + 1));
    notes.push_back(*note);
  }
  std::ranges::stable_sort(notes, {}, [](const TimelineNote& note) { return std::tuple(note.from, note.to); });
  return notes;
}

base::Result<std::vector<TimelineNote>> read_notes(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::symlink_status(file, error))) return std::vector<TimelineNote>{};
  const base::Result<platform::Text> read = platform::read_text_file(file, max_notes_bytes);
  if (!read) return base::Error{read.error()};
  return notes_of_text(read->text, file.string());
}

base::Result<void> write_notes(const std::filesystem::path& file, const std::vector<TimelineNote>& notes) {
  return platform::write_regular_file(file, text_of_notes(notes));
}

bool set_note(std::vector<TimelineNote>& notes, TimelineNote note) {
  const auto at =
      std::ranges::find_if(notes, [&](const TimelineNote& one) { return place_of_note(one) == place_of_note(note); });
  if (note.text.empty()) {
    if (at == notes.end()) return false;
    notes.erase(at);
    return true;
  }
  if (at != notes.end()) {
    if (at->text == note.text) return false;
    at->text = std::move(note.text);
    return true;
  }
  const auto behind = std::ranges::upper_bound(notes, std::tuple(note.from, note.to), {},
                                               [](const TimelineNote& one) { return std::tuple(one.from, one.to); });
  notes.insert(behind, std::move(note));
  return true;
}

std::string note_on(const std::vector<TimelineNote>& notes, const TimelineNote& place) {
  const auto at =
      std::ranges::find_if(notes, [&](const TimelineNote& one) { return place_of_note(one) == place_of_note(place); });
  return at == notes.end() ? std::string() : at->text;
}

}  // namespace warpwalk::pages
