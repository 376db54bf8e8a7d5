#include "core/ptx/parse/source_lines.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <vector>

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

Location parse_place(State& state, std::string_view* rest = nullptr) {
  Location location;
  location.file = file_index(state, parse_number(state.in, "a file number"));
  location.line = parse_number(state.in, "a line number");
  if (rest != nullptr) *rest = state.in.rest_of_line(state.in.peek());
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

/// Until resolve_called_files(), files of calls in comments have indices from here on.
constexpr std::uint32_t first_called_file = 1U << 31;

/// Takes ":12" from the end of a text; nullopt if it does not end so.
std::optional<std::uint32_t> take_last_number(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {};
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data() + colon + 1, end, value);
  if (error != std::errc() || after != end) return {};
  text = text.substr(0, colon);
  return value;
}

std::uint32_t called_file(State& state, std::string_view name) {
  const auto known = std::ranges::find(state.called_files, name);
  const auto index = static_cast<std::uint32_t>(known - state.called_files.begin());
  if (known == state.called_files.end()) state.called_files.emplace_back(name);
  return first_called_file + index;
}

/// Adds the calls of "// standard.py:293:36 @[ softmax.py:21:29 ]". Returns the index of the innermost one; -1: none.
std::int32_t add_commented_calls(State& state, Function& function, std::string_view comment) {
  constexpr std::size_t max_calls = 64, max_files = 1024, max_distance = 64;
  std::vector<Location> calls;
  for (std::size_t at = comment.find("@["); at != std::string_view::npos && calls.size() < max_calls;) {
    comment.remove_prefix(at + 2);
    at = comment.find("@[");
    std::string_view place = comment.substr(0, at);
    while (!place.empty() && std::string_view(" ]\t\r").find(place.back()) != std::string_view::npos)
      place.remove_suffix(1);
    place.remove_prefix(std::min(place.find_first_not_of(' '), place.size()));
    const auto column = take_last_number(place), line = take_last_number(place);
    if (!line || *line == 0 || place.empty() || state.called_files.size() >= max_files) continue;
    calls.push_back({called_file(state, place), *line, *column});
  }
  std::int32_t outer = -1;
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    call->inlined_at = outer;
    const auto same = [&](const Location& known) {
      return known.file == call->file && known.line == call->line && known.column == call->column &&
             known.inlined_at == outer;
    };
    const std::size_t count = function.locations.size();
    std::size_t back = 1;
    while (back <= std::min(count, max_distance) && !same(function.locations[count - back])) ++back;
    outer =
        back <= std::min(count, max_distance) ? static_cast<std::int32_t>(count - back) : add_location(function, *call);
  }
  return outer;
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
  std::string_view rest;
  Location location = parse_place(state, &rest);
  if (const std::size_t comment = rest.find("//"); comment != std::string_view::npos)
    location.inlined_at = add_commented_calls(state, function, rest.substr(comment));
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

void resolve_called_files(State& state) {
  if (state.called_files.empty()) return;
  std::vector<File>& files = state.module.files;
  std::vector<std::uint32_t> indices;
  for (std::string& name : state.called_files) {
    const auto matches = [&](const File& file) { return file.name == name || file.name.ends_with("/" + name); };
    auto file = std::ranges::find_if(files, matches);
    if (file == files.end() || std::any_of(file + 1, files.end(), matches))
      file = files.insert(files.end(), {0, std::move(name)});
    indices.push_back(static_cast<std::uint32_t>(file - files.begin()));
  }
  for (Function& function : state.module.functions)
    for (Location& location : function.locations)
      if (location.file >= first_called_file) location.file = indices[location.file - first_called_file];
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
