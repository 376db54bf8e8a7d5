#include "core/ptx/parse/source_lines.h"

#include <algorithm>
#include <limits>
#include <string>

#include "core/ptx/parse/expression.h"

namespace warpwalk::ptx {
namespace {

constexpr std::uint32_t largest = std::numeric_limits<std::uint32_t>::max();

/// Removes the quotes around a string literal and the backslashes that escape quotes and backslashes.
std::string unquote(std::string_view text) {
  std::string plain;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\' && i + 2 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\')) ++i;
    plain += text[i];
  }
  return plain;
}

/// Reads a single number token, not an expression: ".loc 1 12 -3" is not a subtraction.
std::uint32_t parse_number(Lexer& in, std::string_view what) {
  const Token number = in.expect(TokenKind::number, what);
  const auto value = read_number(number.text);
  if (!value || value->literal != Literal::integer || value->bits > largest) fail(number, "expected a 32-bit number");
  return static_cast<std::uint32_t>(value->bits);
}

/// Returns the index of the file with this number. A .loc may precede its .file, because nvcc emits .file last.
std::uint32_t file_index(State& state, std::uint32_t number) {
  const auto [place, is_new] = state.files.emplace(number, static_cast<std::uint32_t>(state.module.files.size()));
  if (is_new) state.module.files.push_back({number, ""});
  return place->second;
}

Location parse_place(State& state) {
  Location location;
  location.file = file_index(state, parse_number(state.in, "a file number"));
  location.line = parse_number(state.in, "a line number");
  location.column = parse_number(state.in, "a column number");
  return location;
}

std::int32_t add_location(Function& function, const Location& location) {
  function.locations.push_back(location);
  return static_cast<std::int32_t>(function.locations.size()) - 1;
}

/// Returns the index of a call site's location. Uses the recent .loc of the same position, which may itself be inlined.
/// If there is none, adds a new location.
std::int32_t find_or_add_call_site(Function& function, const Location& place) {
  constexpr std::size_t max_distance = 4096;  // compilers emit the .loc of the call site only a few .loc earlier
  const std::size_t count = function.locations.size();
  for (std::size_t back = 1; back <= std::min(count, max_distance); ++back) {
    const Location& known = function.locations[count - back];
    if (known.file == place.file && known.line == place.line && known.column == place.column)
      return static_cast<std::int32_t>(count - back);
  }
  return add_location(function, place);
}

}  // namespace

void parse_file(State& state) {
  Lexer& in = state.in;
  const std::uint32_t number = parse_number(in, "a file number");
  const Token name = in.expect(TokenKind::string, "a file name in quotes");
  state.module.files[file_index(state, number)].name = unquote(name.text);
  // Modification time and size.
  while (in.accept(",")) in.expect(TokenKind::number, "a number");
}

std::int32_t parse_location(State& state, Function& function) {
  Lexer& in = state.in;
  Location location = parse_place(state);
  while (in.accept(",")) {
    if (in.accept("function_name")) {
      in.expect(TokenKind::word, "a label of .debug_str");
      if (in.accept("+")) in.expect(TokenKind::number, "an offset");
    } else {
      in.expect("inlined_at", "or `function_name`");
      location.inlined_at = find_or_add_call_site(function, parse_place(state));
    }
  }
  return add_location(function, location);
}

void skip_section(State& state) {
  Lexer& in = state.in;
  in.expect(TokenKind::directive, "a section name");
  in.expect("{", "before the contents of a section");
  for (std::size_t open = 1; open > 0;) {
    if (in.at(TokenKind::end)) fail(in.peek(), "expected `}` after the contents of a section");
    const Token token = in.next();
    if (token.is("{")) ++open;
    if (token.is("}")) --open;
  }
}

}  // namespace warpwalk::ptx
