#include "instrumentation/inside_pattern.h"

#include <charconv>

namespace warpwalk::instrumentation {

std::optional<InsidePattern> parse_inside_pattern(std::string_view text) {
  InsidePattern pattern;
  const std::size_t colon = text.rfind(':');
  const bool counts =
      colon != std::string_view::npos && colon + 1 < text.size() && (colon == 0 || text[colon - 1] != ':');
  if (counts) {
    const std::string_view number = text.substr(colon + 1);
    if (number == "each") {
      pattern.each = true;
      text = text.substr(0, colon);
    } else if (number.find_first_not_of("0123456789") == std::string_view::npos) {
      const auto read = std::from_chars(number.data(), number.data() + number.size(), pattern.which);
      if (read.ec != std::errc() || pattern.which == 0) return {};
      text = text.substr(0, colon);
    }
  }
  if (text.empty() || text.find('\n') != std::string_view::npos) return {};
  pattern.text = text;
  return pattern;
}

bool matches(const InsidePattern& pattern, std::string_view name) {
  std::string_view rest = pattern.text;
  std::size_t from = 0;
  while (!rest.empty()) {
    const std::size_t star = rest.find('*');
    const std::string_view part = rest.substr(0, star);
    const std::size_t found = name.find(part, from);
    if (found == std::string_view::npos) return false;
    from = found + part.size();
    rest = star == std::string_view::npos ? std::string_view() : rest.substr(star + 1);
  }
  return true;
}

std::string join_patterns(const std::vector<std::string>& patterns) {
  std::string joined;
  for (const std::string& pattern : patterns) joined += (joined.empty() ? "" : "\n") + pattern;
  return joined;
}

std::vector<InsidePattern> split_patterns(std::string_view joined) {
  std::vector<InsidePattern> patterns;
  while (!joined.empty()) {
    const std::size_t end = joined.find('\n');
    if (auto pattern = parse_inside_pattern(joined.substr(0, end))) patterns.push_back(*std::move(pattern));
    joined = end == std::string_view::npos ? std::string_view() : joined.substr(end + 1);
  }
  return patterns;
}

}  // namespace warpwalk::instrumentation
