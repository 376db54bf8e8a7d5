#include "core/run/kernel_lab/launch_statement.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "core/run/kernel_lab/diagnostic.h"

namespace warpwalk::run {
namespace {

/// The first word of the statement in a line; empty for arguments, comments and empty lines.
std::string_view statement_word(std::string_view line) {
  const std::string_view statement = trimmed(line.substr(0, line.find('#')));
  if (statement.find(':') != std::string_view::npos) return {};
  return statement.substr(0, statement.find_first_of(" \t"));
}

std::string_view value_in(std::string_view line, std::string_view word) {
  return trimmed(trimmed(line.substr(0, line.find('#'))).substr(word.size()));
}

/// Calls `take` with the start and the text of each line until it returns true.
template <class Take>
void each_launch_line(std::string_view text, const Take& take) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (take(at, line)) return;
    at += line.size() + 1;
  }
}

}  // namespace

std::string statement_value(std::string_view launch, std::string_view word) {
  std::string value;
  each_launch_line(launch, [&](std::size_t, std::string_view line) {
    if (statement_word(line) != word) return false;
    value = value_in(line, word);
    return true;
  });
  return value;
}

std::string with_statement(std::string_view launch, std::string_view word, std::string_view value) {
  std::string text(launch);
  bool replaced = false;
  std::size_t behind = 0;  // the last statement of the shape
  each_launch_line(launch, [&](std::size_t at, std::string_view line) {
    const std::string_view found = statement_word(line);
    if (!found.empty()) behind = std::min(at + line.size() + 1, launch.size());
    if (found != word) return false;
    const std::string_view old = value_in(line, word);
    // Without a value, it goes behind the word.
    const std::size_t place =
        old.empty() ? at + line.find(word) + word.size() : static_cast<std::size_t>(old.data() - launch.data());
    text.replace(place, old.size(), old.empty() ? fmt::format(" {}", value) : std::string(value));
    return replaced = true;
  });
  if (replaced) return text;
  const bool ends_open = behind > 0 && launch[behind - 1] != '\n';
  constexpr std::size_t column = 6;  // where the values of launch texts are aligned
  text.insert(behind, fmt::format("{}{:<{}} {}\n", ends_open ? "\n" : "", word, column, value));
  return text;
}

}  // namespace warpwalk::run
