#include "core/run/exercise/allowed_source.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/run/kernel_lab/diagnostic.h"

namespace warpwalk::run {
namespace {

/// A directive without its `#`, and its first line.
struct Directive {
  std::string text;
  std::uint32_t line = 0;
};

std::string without_digraphs(std::string_view source) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> replaced = {
      {{"?\?=", "#"}, {"?\?/", "\\"}, {"%:", "#"}}};
  std::string text(source);
  for (const auto& [from, to] : replaced)
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  return text;
}

/// The directives of a source. Strings are skipped, so that a `#` or `/*` in one does not count.
std::vector<Directive> directives(std::string_view text) {
  std::vector<Directive> found;
  std::uint32_t line = 1;
  bool fresh = true;  // nothing but spaces and comments on this line so far
  Directive* open = nullptr;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("\\\n") || rest.starts_with("\\\r\n")) {
      i += rest[1] == '\r' ? 2 : 1;
      ++line;
    } else if (c == '\n') {
      ++line;
      fresh = true;
      open = nullptr;
    } else if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      const std::string_view comment = rest.substr(0, end == std::string_view::npos ? end : end + 2);
      line += static_cast<std::uint32_t>(std::ranges::count(comment, '\n'));
      i += comment.size() - 1;
      if (open != nullptr) open->text += ' ';
    } else if (rest.starts_with("//")) {
      const std::size_t end = rest.find('\n');
      i += (end == std::string_view::npos ? rest.size() : end) - 1;
    } else if (open != nullptr) {
      open->text += c;
    } else if (c == '#' && fresh) {
      open = &found.emplace_back(Directive{"", line});
    } else if (c == '"' || c == '\'') {
      fresh = false;
      while (++i < text.size() && text[i] != c && text[i] != '\n')
        if (text[i] == '\\') ++i;
      if (i < text.size() && text[i] == '\n') --i;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      fresh = false;
    }
  }
  return found;
}

bool plain_header(std::string_view name) {
  const bool characters = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '/' || c == '-';
  });
  return characters && !name.empty() && name.front() != '/' && name.find("..") == std::string_view::npos;
}

}  // namespace

std::optional<ForbiddenText> forbidden_text(std::string_view source) {
  const std::string text = without_digraphs(source);
  if (text.find("R\"") != std::string::npos)
    return ForbiddenText{0, "raw strings (R\"...\") are not allowed in a submission"};
  for (const Directive& directive : directives(text)) {
    const std::string_view words = trimmed(directive.text);
    if (words.starts_with("embed")) return ForbiddenText{directive.line, "#embed is not allowed in a submission"};
    if (!words.starts_with("include") && !words.starts_with("import")) continue;
    const std::size_t open = words.find('<'), close = words.rfind('>');
    const bool angle = words.starts_with("include") && open != std::string_view::npos &&
                       close != std::string_view::npos && open < close && trimmed(words.substr(7, open - 7)).empty() &&
                       trimmed(words.substr(close + 1)).empty();
    if (!angle || !plain_header(words.substr(open + 1, close - open - 1)))
      return ForbiddenText{directive.line,
                           fmt::format("#{}: a submission may include headers of CUDA and C++ only, such as "
                                       "#include <cuda_fp16.h>",
                                       words)};
  }
  return {};
}

}  // namespace warpwalk::run
