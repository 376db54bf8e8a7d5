#include "app/verbs/debug/completions.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/verbs/debug/command_words.h"

namespace warpwalk::verbs {
namespace {

constexpr std::size_t most_completions = 500;
constexpr std::string_view info_words[] = {"warps", "breakpoints", "registers", "args", "blocks",  "barriers",
                                           "line",  "locals",      "tiles",     "nan",  "outside", "stores"};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '%' || c == '.' || c == '-';
}

std::vector<std::string> break_places(const debug::Session& session) {
  std::vector<std::string> places = session.code().functions();
  for (const std::string& file : session.code().files())
    places.push_back(file.substr(file.find_last_of('/') + 1) + ":");
  return places;
}

std::vector<std::string> finding_names() {
  std::vector<std::string> names = {"all"};
  for (int i = 0; i <= static_cast<int>(gpu::FindingKind::unsupported); ++i)
    names.emplace_back(gpu::name_of(static_cast<gpu::FindingKind>(i)));
  return names;
}

}  // namespace

DebugCompletions complete_line(debug::Session& session, std::string_view line, const debug::Focus& focus,
                               std::size_t frame) {
  DebugCompletions made;
  made.start = line.size();
  while (made.start > 0 && is_word(line[made.start - 1])) --made.start;
  const std::string_view begun = line.substr(made.start);
  std::string_view before = line.substr(0, made.start);
  const bool first = without_blanks(before).empty();
  const DebugCommand* const command = first ? nullptr : debug_command(take_word(before));
  const bool second = command != nullptr && before.empty();
  const auto add = [&](std::string_view word, bool is_command) {
    if (word.starts_with(begun) && made.words.size() < most_completions)
      made.words.push_back({std::string(word), is_command});
  };
  if (first)
    for (const DebugCommand& known : debug_commands()) add(known.word, true);
  std::vector<std::string> names;
  if (second && command->word == "info")
    names.assign(std::begin(info_words), std::end(info_words));
  else if (second && command->word == "break")
    names = break_places(session);
  else if (second && command->word == "catch")
    names = finding_names();
  else
    names = session.names(focus, frame);
  for (const std::string& name : names)
    if (std::ranges::find(made.words, name, &DebugCompletion::text) == made.words.end()) add(name, false);
  return made;
}

}  // namespace warpwalk::verbs
