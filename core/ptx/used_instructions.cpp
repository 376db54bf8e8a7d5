#include "core/ptx/used_instructions.h"

#include <algorithm>
#include <map>
#include <vector>

namespace warpwalk::ptx {
namespace {

constexpr std::string_view blank = " \t\r\n";

bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '%' || c == '.' || c == ':';
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
  return text;
}

/// The word at the beginning.
std::string_view first_word(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && in_name(text[length])) ++length;
  return text.substr(0, length);
}

/// The text with blanks in place of comments, strings, and the lines of .loc and .file, which end without a semicolon.
std::string code_of(std::string_view text) {
  std::string code(text);
  const auto clear = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, code.size()); ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    std::size_t end = i;
    const bool directive = rest.starts_with('.') && (first_word(rest) == ".loc" || first_word(rest) == ".file");
    if (rest.starts_with("//") || directive)
      end = std::min(text.find('\n', i), text.size());
    else if (rest.starts_with("/*"))
      end = std::min(text.find("*/", i + 2), text.size()) + 2;
    else if (rest.starts_with('"'))
      end = std::min(text.find('"', i + 1), text.size()) + 1;
    if (end == i) continue;
    clear(i, end);
    i = end - 1;
  }
  return code;
}

/// The bodies of all entries and functions, by name.
std::map<std::string_view, std::string_view> bodies_of(std::string_view code) {
  std::map<std::string_view, std::string_view> bodies;
  for (std::size_t at = code.find('.'); at != std::string_view::npos; at = code.find('.', at + 1)) {
    const std::string_view directive = first_word(code.substr(at));
    if (directive != ".entry" && directive != ".func") continue;
    std::string_view rest = trimmed(code.substr(at + directive.size()));
    // The return value of a function stands before its name.
    if (rest.starts_with('(')) rest = trimmed(rest.substr(std::min(rest.find(')') + 1, rest.size())));
    const std::string_view name = first_word(rest);
    const std::size_t open = rest.find_first_of("{;");
    if (name.empty() || open == std::string_view::npos || rest[open] == ';') continue;
    std::size_t end = open, depth = 0;
    for (; end < rest.size(); ++end) {
      if (rest[end] == '{') ++depth;
      if (rest[end] == '}' && --depth == 0) break;
    }
    bodies.emplace(name, rest.substr(open + 1, end - open - 1));
  }
  return bodies;
}

/// The instruction of a statement; empty for a directive.
std::string_view instruction_of(std::string_view statement) {
  while (true) {
    statement.remove_prefix(std::min(statement.find_first_not_of(" \t\r\n{}"), statement.size()));
    const std::string_view word = first_word(statement);
    if (statement.starts_with('@')) {  // a guard: @%p1, @!%p1
      statement.remove_prefix(std::min(statement.find_first_of(blank), statement.size()));
    } else if (word.ends_with(':')) {  // a label
      statement.remove_prefix(word.size());
    } else {
      return word.starts_with('.') ? std::string_view() : word;
    }
    if (statement.empty()) return {};
  }
}

}  // namespace

std::set<std::string, std::less<>> used_instructions(std::string_view module, std::string_view entry) {
  const std::string code = code_of(module);
  const auto bodies = bodies_of(code);
  std::set<std::string, std::less<>> used;
  std::set<std::string_view> reached = {entry};
  for (std::vector<std::string_view> open = {entry}; !open.empty();) {
    const auto body = bodies.find(open.back());
    open.pop_back();
    if (body == bodies.end()) continue;
    for (std::string_view rest = body->second; !rest.empty();) {
      const std::string_view statement = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(statement.size() + 1, rest.size()));
      const std::string_view instruction = instruction_of(statement);
      if (instruction.empty()) continue;
      used.emplace(instruction);
      if (instruction != "call" && !instruction.starts_with("call.")) continue;
      for (std::size_t i = 0; i < statement.size(); ++i) {
        const std::string_view name = first_word(statement.substr(i));
        if (!name.empty() && bodies.contains(name) && reached.insert(name).second) open.push_back(name);
        i += name.size();
      }
    }
  }
  return used;
}

}  // namespace warpwalk::ptx
