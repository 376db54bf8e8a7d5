#include "core/words/crash/source_text.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "core/platform/read_file.h"

namespace warpwalk::words {
namespace {

constexpr std::uint64_t max_source_bytes = std::uint64_t{8} << 20;
constexpr std::size_t scratch_parameters = 2;  // that Triton 3.4 and later add at the end

bool is_name_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

/// The text between the bracket at `open` and the one that closes it; nullopt without one. Sets `end` behind it.
std::optional<std::string_view> in_brackets(std::string_view text, std::size_t open, std::size_t& end) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[' || text[at] == '{') ++depth;
    if ((text[at] == ')' || text[at] == ']' || text[at] == '}') && --depth == 0) {
      end = at + 1;
      return text.substr(open + 1, at - open - 1);
    }
  }
  return std::nullopt;
}

/// The parts between commas outside of brackets.
std::vector<std::string_view> split_parameters(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    if (c == ')' || c == ']' || c == '}' || c == '>') --depth;
    if (c != ',' || (depth > 0 && at < text.size())) continue;
    if (const std::string_view part = trimmed(text.substr(from, at - from)); !part.empty()) parts.push_back(part);
    from = at + 1;
  }
  return parts;
}

/// The name in "const float* table" or "count: int = 4"; empty if there is none.
std::string parameter_name(std::string_view text, bool is_python) {
  text = trimmed(text.substr(0, text.find('=')));
  if (is_python) return std::string(trimmed(text.substr(0, text.find(':'))));
  text = trimmed(text.substr(0, text.find('[')));
  std::size_t begin = text.size();
  while (begin > 0 && is_name_letter(text[begin - 1])) --begin;
  return std::string(text.substr(begin));
}

}  // namespace

const std::string& SourceTexts::text(std::string_view file) {
  if (const auto known = texts_.find(file); known != texts_.end()) return known->second;
  const std::filesystem::path path(file);
  std::string contents;
  for (const std::filesystem::path& candidate : {path, beside_ / path.filename()})
    if (auto read = platform::read_text_file(candidate, max_source_bytes)) {
      contents = std::move(read->text);
      break;
    }
  return texts_.emplace(std::string(file), std::move(contents)).first->second;
}

std::string_view SourceTexts::line(std::string_view file, std::uint32_t number) {
  std::string_view rest = text(file);
  for (std::uint32_t i = 1; i < number; ++i) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  return trimmed(rest.substr(0, rest.find('\n')));
}

std::vector<std::string> SourceTexts::parameters(std::string_view file, std::string_view function, std::size_t count) {
  const bool is_python = file.ends_with(".py");
  const std::string_view source = text(file);
  for (std::size_t at = source.find(function); !function.empty() && at != std::string_view::npos;
       at = source.find(function, at + 1)) {
    if (at > 0 && is_name_letter(source[at - 1])) continue;
    const std::size_t open = source.find_first_not_of(" \t\r\n", at + function.size());
    std::size_t end = 0;
    if (open == std::string_view::npos || source[open] != '(') continue;
    const auto inside = in_brackets(source, open, end);
    if (!inside) continue;
    const std::size_t body = source.find_first_not_of(" \t\r\n", end);
    if (body == std::string_view::npos || source[body] != (is_python ? ':' : '{')) continue;
    std::vector<std::string> names;
    for (const std::string_view parameter : split_parameters(*inside))
      if (!is_python || parameter.find("constexpr") == std::string_view::npos)
        names.push_back(parameter_name(parameter, is_python));
    if (names.size() + (is_python ? scratch_parameters : 0) == count) return names;
  }
  return {};
}

}  // namespace warpwalk::words
