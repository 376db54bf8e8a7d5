#include "core/run/exercise/roster.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "core/platform/read_file.h"
#include "core/run/exercise/class_folder.h"

namespace warpwalk::run {
namespace {

constexpr std::uint64_t most_bytes = 16 << 20;

// The cells of CSV (RFC 4180), by row. The separator is the comma or the semicolon, whichever the first line has more
// of.
std::vector<std::vector<std::string>> cells_of(std::string_view text) {
  const std::string_view head = text.substr(0, text.find('\n'));
  const char separator = std::ranges::count(head, ';') > std::ranges::count(head, ',') ? ';' : ',';
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
      rows.back().back() += text[++i];
    else if (c == '"' && (quoted || rows.back().back().empty()))
      quoted = !quoted;
    else if (!quoted && c == separator)
      rows.back().emplace_back();
    else if (!quoted && c == '\n')
      rows.push_back({""});
    else
      rows.back().back() += c;
  }
  return rows;
}

std::string lowered(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// The words of a name, in lower case; bytes beyond ASCII are letters.
std::vector<std::string> name_words(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : lowered(name)) {
    if (static_cast<unsigned char>(c) >= 0x80 || std::isalnum(static_cast<unsigned char>(c)) != 0)
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += word;
  return out;
}

// Whether two names are of one person: the same words in any order, or, as Canvas writes them, the same letters with
// the last name first.
bool same_name(std::string_view a, std::string_view b) {
  std::vector<std::string> first = name_words(a), second = name_words(b);
  if (first.empty() || second.empty()) return false;
  const auto as_canvas = [](std::vector<std::string> words) {
    std::ranges::rotate(words, words.end() - 1);
    return joined(words);
  };
  if (joined(first) == joined(second) || as_canvas(first) == joined(second) || as_canvas(second) == joined(first))
    return true;
  std::ranges::sort(first);
  std::ranges::sort(second);
  return first == second;
}

std::string number_of(std::string_view id) {
  constexpr std::string_view participant = "participant ";
  return std::string(lowered(id).starts_with(participant) ? id.substr(participant.size()) : id);
}

std::string_view trimmed_cell(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

base::Result<std::vector<RosterRow>> read_roster(const std::filesystem::path& file) {
  auto read = platform::read_text_file(file, most_bytes);
  if (!read) return base::Error{read.error()};
  const auto text = source_text(read->text);
  if (!text) return base::Error{fmt::format("{}: {}", file.string(), text.error())};
  const auto rows = cells_of(*text);
  std::vector<std::string> head;
  for (const std::string& cell : rows.front()) head.push_back(lowered(trimmed_cell(cell)));
  const auto column = [&](std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
      if (const auto at = std::ranges::find(head, name); at != head.end())
        return static_cast<std::size_t>(at - head.begin());
    return head.size();
  };
  const std::size_t name = column({"full name", "student", "name", "student name"}),
                    first = column({"first name", "firstname", "given name"}),
                    last = column({"last name", "lastname", "surname", "family name"}),
                    id = column({"identifier", "id", "user id", "student id", "id number"});
  const std::array<std::pair<std::size_t, std::string RosterRow::*>, 5> others = {
      {{column({"email address", "email"}), &RosterRow::email},
       {column({"last modified (grade)"}), &RosterRow::modified},
       {column({"sis user id"}), &RosterRow::sis_user},
       {column({"sis login id"}), &RosterRow::sis_login},
       {column({"section"}), &RosterRow::section}}};
  if (name == head.size() && (first == head.size() || last == head.size()))
    return base::Error{fmt::format(
        "{}: line 1 has no column of names; expected \"Full name\", \"Student\", \"Name\", or \"First name\" and "
        "\"Last name\"",
        file.string())};
  // Only Moodle's and Canvas' lists have the numbers of their files; another list has numbers of its own.
  const bool platforms =
      column({"identifier"}) != head.size() || column({"sis user id", "sis login id"}) != head.size();
  std::vector<RosterRow> roster;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto cell = [&](std::size_t at) { return at < rows[i].size() ? rows[i][at] : std::string(); };
    RosterRow row;
    row.name = name != head.size() ? cell(name) : cell(first) + " " + cell(last);
    row.id = number_of(cell(id));
    row.id_is_platforms = platforms;
    for (const auto& [at, member] : others) row.*member = cell(at);
    // Canvas' second row has the points of each assignment, its last one a student for tests.
    const std::vector<std::string> words = name_words(row.name);
    if (words.empty() || joined(words) == "pointspossible" || row.name == "Student, Test") continue;
    roster.push_back(std::move(row));
  }
  return roster;
}

const RosterRow* find_student(const std::vector<RosterRow>& roster, const Attempt& attempt) {
  if (!attempt.id.empty()) {
    const std::string number = number_of(attempt.id);
    const auto at =
        std::ranges::find_if(roster, [&](const RosterRow& row) { return row.id_is_platforms && row.id == number; });
    if (at != roster.end()) return &*at;
  }
  const RosterRow* found = nullptr;
  for (const RosterRow& row : roster)
    if (same_name(row.name, attempt.student)) {
      if (found != nullptr) return nullptr;
      found = &row;
    }
  return found;
}

void take_roster(const std::vector<RosterRow>& roster, std::vector<Attempt>& attempts) {
  std::vector<const RosterRow*> seen;
  for (Attempt& attempt : attempts) {
    const RosterRow* const row = find_student(roster, attempt);
    if (row == nullptr) continue;
    attempt.student = row->name;
    if (attempt.id.empty()) attempt.id = row->id;  // the platform's own number stays
    seen.push_back(row);
  }
  for (const RosterRow& row : roster) {
    if (std::ranges::find(seen, &row) != seen.end()) continue;
    Attempt& missing = attempts.emplace_back();
    missing.student = row.name;
    missing.id = row.id;
    missing.trouble = "Nothing was handed in.";
  }
}

}  // namespace warpwalk::run
