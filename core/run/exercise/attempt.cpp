#include "core/run/exercise/attempt.h"

#include <fmt/format.h>
#include <rapidjson/document.h>

#include "core/platform/packed_text.h"
#include "core/platform/read_file.h"
#include "core/run/exercise/grade_report.h"
#include "core/run/launch/json_fields.h"
#include "core/trace/json/json_text.h"

namespace warpwalk::run {
namespace {

constexpr std::string_view attempt_mark = "warpwalk_attempt", packed_name = "warpwalk-attempt";
constexpr std::uint64_t escaped_bytes = 6;  // JSON may need so many bytes for one

base::Result<void> read_export(std::string_view text, Attempt& attempt) {
  rapidjson::Document root;
  if (auto done = parse_json(text, root); !done) return done;
  if (!root.IsObject() || member(root, attempt_mark) == nullptr)
    return base::Error{
        fmt::format("is no attempt: it has no \"{}\"; export one from an exercise in the window", attempt_mark)};
  for (const auto& [name, out] : {std::pair{"exercise", &attempt.exercise},
                                  {"student", &attempt.student},
                                  {"time", &attempt.time},
                                  {"source", &attempt.source}}) {
    const Json* const value = member(root, name);
    if (value == nullptr) return base::Error{fmt::format("{}: is missing", name)};
    if (value->IsString() && value->GetStringLength() == 0) continue;  // each of them may be empty
    if (auto done = read_text(*value, name, *out); !done) return done;
  }
  return {};
}

/// The begin of an export: an object without its end.
std::string members_of(const Attempt& attempt) {
  std::string out = fmt::format("{{\n  \"{}\": 1", attempt_mark);
  for (const auto& [name, text] : {std::pair{"exercise", &attempt.exercise},
                                   {"student", &attempt.student},
                                   {"time", &attempt.time},
                                   {"source", &attempt.source}}) {
    out += fmt::format(",\n  \"{}\": ", name);
    trace::append_quoted(out, *text);
  }
  return out;
}

}  // namespace

base::Result<Attempt> read_attempt(const std::filesystem::path& file) {
  auto text = platform::read_text_file(file, escaped_bytes * max_draft_bytes);
  if (!text) return base::Error{text.error()};
  Attempt attempt;
  attempt.file = file;
  attempt.student = file.stem().string();
  if (file.extension() != ".json") {
    attempt.source = std::move(text->text);
    return attempt;
  }
  if (auto done = read_export(text->text, attempt); !done)
    return base::Error{fmt::format("{}: {}", file.string(), done.error())};
  return attempt;
}

std::optional<base::Result<Attempt>> find_attempt(std::string_view text) {
  const auto all = platform::packed_texts(text, packed_name, escaped_bytes * max_draft_bytes);
  if (all.empty()) return {};
  const base::Result<std::string>& packed = all.back();
  if (!packed) return base::Error{packed.error()};
  Attempt attempt;
  if (!read_export(*packed, attempt)) return base::Error{"it is damaged"};
  return attempt;
}

std::string attempt_text(const Attempt& attempt) {
  return platform::packed_text(packed_name, members_of(attempt) + "\n}\n");
}

std::string attempt_json(const Attempt& attempt, const Grade& grade) {
  return fmt::format("{},\n  \"grade\": {}\n}}\n", members_of(attempt), grade_json(grade));
}

}  // namespace warpwalk::run
