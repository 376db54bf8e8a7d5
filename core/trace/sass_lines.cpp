#include "core/trace/sass_lines.h"

#include <algorithm>
#include <charconv>

namespace warpwalk::trace {
namespace {

/// Parses and removes `"/src/relu.cu", line 20` from the front of `text`.
bool take_location(std::string_view& text, std::string_view& file, std::uint32_t& line) {
  constexpr std::string_view between = "\", line ";
  if (!text.starts_with('"')) return false;
  const std::size_t end = text.find(between, 1);
  if (end == std::string_view::npos) return false;
  file = text.substr(1, end - 1);
  text.remove_prefix(end + between.size());
  const auto [after, error] = std::from_chars(text.data(), text.data() + text.size(), line);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(after - text.data()));
  return true;
}

}  // namespace

std::optional<SassLocation> parse_sass_location(std::string_view line) {
  constexpr std::string_view mark = "//## File ", inlined = " inlined at ";
  const std::size_t begin = line.find(mark);
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin + mark.size());
  SassLocation place;
  if (!take_location(line, place.file, place.line)) return {};
  if (line.starts_with(inlined)) {
    line.remove_prefix(inlined.size());
    if (!take_location(line, place.inlined_at, place.inlined_at_line)) place.inlined_at = {};
  }
  return place;
}

std::string_view file_name(std::string_view path) { return path.substr(path.find_last_of("/\\") + 1); }

std::string_view sass_file(std::string_view function) {
  std::string_view file;
  while (!function.empty()) {
    const std::string_view line = function.substr(0, function.find('\n'));
    function.remove_prefix(std::min(line.size() + 1, function.size()));
    const auto place = parse_sass_location(line);
    if (!place && !file.empty()) break;
    if (place) file = place->inlined_at.empty() ? place->file : place->inlined_at;
  }
  return file;
}

void SassLines::read(std::string_view line) {
  const auto place = parse_sass_location(line);
  if (!place) {
    after_location_ = false;
    // A called function follows. The compiler's own functions, e.g. for division, have no location lines.
    if (line.find(",@function") != std::string_view::npos) line_ = 0;
    return;
  }
  if (!after_location_) line_ = 0;
  after_location_ = has_location_ = true;
  if (file_.empty() || line_ != 0) return;
  if (file_name(place->file) == file_)
    line_ = place->line;
  else if (file_name(place->inlined_at) == file_)
    line_ = place->inlined_at_line;
}

}  // namespace warpwalk::trace
