#include "core/trace/nsys/strings.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/trace/json/json_text.h"

namespace warpwalk::trace::nsys {
namespace {

constexpr std::string_view strings_table = "StringIds";

bool id_is_key(const Database& database) {
  return std::ranges::any_of(database.columns(strings_table),
                             [](const Database::Column& column) { return column.name == "id" && column.is_key; });
}

Statement find_statement(const Database& database, bool has_key) {
  const std::string sql =
      has_key ? "SELECT value FROM StringIds WHERE id = ?1" : "SELECT value FROM StringIds WHERE rowid = ?1";
  return {database, database.has_table(strings_table) ? sql : std::string()};
}

}  // namespace

Strings::Strings(const Database& database, Trace& trace, Problems& problems)
    : trace_(trace),
      problems_(problems),
      find_(find_statement(database, id_is_key(database))),
      has_key_(id_is_key(database)) {
  if (has_key_ || !find_) return;
  Statement rows(database, "SELECT id, rowid FROM StringIds");
  while (rows && rows.next()) rows_.try_emplace(rows.integer(0), rows.integer(1));
}

StringId Strings::text(const Statement& row, int column) {
  if (const auto text = row.text(column)) return intern(*text);
  const std::int64_t number = row.integer(column);
  if (number == absent) return 0;
  if (const auto known = by_number(number)) return *known;
  note_missing(number);
  return 0;
}

std::string_view Strings::peek(const Statement& row, int column) {
  if (const auto text = row.text(column)) return valid(*text);
  const std::int64_t number = row.integer(column);
  if (number == absent) return {};
  if (const auto known = known_.find(number); known != known_.end()) return trace_.text(known->second);
  if (const auto text = find(number)) return valid(*text);
  note_missing(number);
  return {};
}

void Strings::note_missing(std::int64_t number) {
  problems_.add(ProblemKind::missing_field, 0, [&] {
    return fmt::format("the name {} is not in the table StringIds; what has it is shown without a name", number);
  });
}

std::optional<StringId> Strings::by_number(std::int64_t number) {
  if (const auto known = known_.find(number); known != known_.end()) return known->second;
  const auto text = find(number);
  if (!text) return {};
  return known_[number] = intern(*text);
}

std::optional<std::string_view> Strings::find(std::int64_t number) {
  if (!find_) return {};
  std::int64_t row = number;
  if (!has_key_) {
    const auto found = rows_.find(number);
    if (found == rows_.end()) return {};
    row = found->second;
  }
  find_.reset();
  find_.bind(1, row);
  if (!find_.next()) return {};
  return find_.text(0);
}

StringId Strings::intern(std::string_view text) { return trace_.strings.intern(valid(text)); }

std::string_view Strings::valid(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return text;
  // decode() is for JSON strings, so backslashes go around it.
  repaired_.clear();
  std::string scratch;
  std::uint32_t irregular = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\\', at), text.size());
    repaired_ += decode({text.substr(at, end - at), false}, scratch, irregular);
    if (end != text.size()) repaired_.push_back('\\');
    at = end + 1;
  }
  if ((irregular & irregular_utf8) != 0)
    problems_.add(ProblemKind::invalid_utf8, 0, [&] {
      return fmt::format("{} has bytes that are not UTF-8; they are shown as U+FFFD", excerpt(repaired_));
    });
  return repaired_;
}

void Extra::add_key(std::string_view key) {
  if (!json_.empty()) json_ += ", ";
  append_quoted(json_, key);
  json_ += ": ";
}

void Extra::add(std::string_view key, std::int64_t value) {
  if (value == absent) return;
  add_key(key);
  json_ += std::to_string(value);
}

void Extra::add_text(std::string_view key, std::string_view value) {
  add_key(key);
  append_quoted(json_, value);
}

void Extra::add_json(std::string_view key, std::string_view value) {
  add_key(key);
  json_ += value;
}

}  // namespace warpwalk::trace::nsys
