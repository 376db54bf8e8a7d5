#include "core/story/facts/code/ptx_lines.h"

#include <algorithm>
#include <charconv>

#include "core/trace/sass_lines.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view blank = " \t";

std::string_view without_leading_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(blank), text.size()));
}

std::optional<std::uint32_t> take_number(std::string_view& text) {
  text = without_leading_blanks(text);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// Takes the next word and the blanks after it.
bool take_word(std::string_view& text, std::string_view word) {
  text = without_leading_blanks(text);
  if (!text.starts_with(word) || text.substr(word.size()).find_first_of(blank) != 0) return false;
  text.remove_prefix(word.size());
  return true;
}

}  // namespace

PtxLines::PtxLines(std::string_view ptx, std::string_view source_file) {
  constexpr std::string_view directive = ".file";
  const std::string_view wanted = trace::file_name(source_file);
  // nvcc writes .file lines last, outside of functions.
  for (std::size_t at = ptx.find(directive); at != std::string_view::npos;
       at = ptx.find(directive, at + directive.size())) {
    std::string_view line = ptx.substr(at, ptx.find('\n', at) - at);
    if (!take_word(line, directive)) continue;
    const auto number = take_number(line);
    const std::size_t open = line.find('"');
    if (!number || open == std::string_view::npos) continue;
    const std::string_view name = trace::file_name(line.substr(open + 1, line.find('"', open + 1) - open - 1));
    names_[*number] = name;
    if (wanted.empty()) continue;
    by_name_ = true;
    if (name == wanted) files_.insert(*number);
  }
}

std::optional<PtxLines::Place> PtxLines::parse_place(std::string_view text) {
  Place place = {};
  for (std::uint32_t& part : place) {
    const auto number = take_number(text);
    if (!number) return {};
    part = *number;
  }
  return place;
}

/// The line of the innermost call in the file; 0 if there is none.
std::uint32_t PtxLines::line_in_calls(std::string_view comment) const {
  constexpr std::string_view call = "@[";
  for (std::size_t at = comment.find(call); at != std::string_view::npos; at = comment.find(call)) {
    comment.remove_prefix(at + call.size());
    const std::string_view place = without_leading_blanks(comment.substr(0, comment.find_first_of("]@")));
    const std::size_t colon = place.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view name = trace::file_name(place.substr(0, colon));
    std::string_view number = place.substr(colon + 1);
    if (std::ranges::none_of(files_, [&](std::uint32_t file) {
          const auto known = names_.find(file);
          return known != names_.end() && known->second == name;
        }))
      continue;
    if (const auto line = take_number(number)) return *line;
  }
  return 0;
}

bool PtxLines::read(std::string_view line) {
  constexpr std::string_view inlined = "inlined_at";
  if (!take_word(line, ".loc")) return false;
  const auto place = parse_place(line);
  if (!place) return true;
  const std::size_t at = line.find(inlined);
  const auto call = at == std::string_view::npos ? std::nullopt : parse_place(line.substr(at + inlined.size()));
  if (!has_place_ && !by_name_) files_ = {(call ? *call : *place)[0]};
  has_place_ = true;
  line_ = line_of(*place);
  if (line_ == 0 && call) {
    // The call may itself be inlined; the compiler gave its location earlier.
    const auto outer = known_.find(*call);
    line_ = outer != known_.end() ? outer->second : line_of(*call);
  }
  if (const std::size_t comment = line.find("//"); line_ == 0 && !call && comment != std::string_view::npos)
    line_ = line_in_calls(line.substr(comment));
  known_[*place] = line_;
  return true;
}

}  // namespace warpwalk::story
