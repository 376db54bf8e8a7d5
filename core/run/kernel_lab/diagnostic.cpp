#include "core/run/kernel_lab/diagnostic.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace warpwalk::run {
namespace {

/// Takes a number from the front of the text; 0 if there is none.
std::uint32_t take_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return 0;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// The severity of a message, which is taken from its front: "error: ", "catastrophic error: ", "warning #177-D: ".
enum class Severity { none, error, warning };
Severity take_severity(std::string_view& text) {
  for (const std::string_view word : {"catastrophic error", "fatal error", "error", "warning"}) {
    std::string_view rest = text;
    if (!take(rest, word)) continue;
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos || (colon > 0 && rest.front() != ' ')) continue;
    text = trimmed(rest.substr(colon + 1));
    return word == "warning" ? Severity::warning : Severity::error;
  }
  return Severity::none;
}

/// The place at the front of a message: "kernel.cu(3): " of NVIDIA's compilers, "kernel.cu:3:14: " of clang.
struct Place {
  std::string_view file;
  std::uint32_t line = 0, column = 0;
};

/// Takes the place from the front of a line; nullopt, and the line as it is, if there is none.
std::optional<Place> take_place(std::string_view& line) {
  if (const std::size_t end = line.find("): "); end != std::string_view::npos) {
    const std::size_t open = line.rfind('(', end);
    std::string_view number = open == std::string_view::npos ? "" : line.substr(open + 1, end - open - 1);
    if (const std::uint32_t at = take_number(number); at != 0 && number.empty()) {
      const Place place{line.substr(0, open), at, 0};
      line.remove_prefix(end + 3);
      return place;
    }
  }
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
    std::string_view rest = line.substr(colon + 1);
    Place place{line.substr(0, colon), take_number(rest), 0};
    if (place.line == 0 || !take(rest, ":")) continue;
    place.column = take_number(rest);
    if (place.column == 0 || !take(rest, ": ")) continue;
    line = rest;
    return place;
  }
  return {};
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string Diagnostic::with_place() const {
  if (line == 0) return message;
  return column == 0 ? fmt::format("line {}: {}", line, message)
                     : fmt::format("line {}, column {}: {}", line, column, message);
}

std::vector<Diagnostic> parse_compiler_log(std::string_view log, std::string_view name) {
  std::vector<Diagnostic> found;
  while (!log.empty() && found.size() < max_diagnostics) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    std::string_view rest = line;
    const std::optional<Place> place = take_place(rest);
    const Severity severity = take_severity(rest);
    if (severity == Severity::none) continue;
    Diagnostic message;
    message.warning = severity == Severity::warning;
    message.message = trimmed(rest);
    if (place && place->file == name) {
      message.line = place->line;
      message.column = place->column;
    } else if (place) {
      message.message = fmt::format("{} ({}, line {})", message.message, place->file, place->line);
    }
    found.push_back(std::move(message));
  }
  return found;
}

Diagnostic parse_ptxas_error(std::string_view line) {
  Diagnostic message;
  constexpr std::string_view comma = ", line ";
  const std::size_t at = line.find(comma);
  std::string_view rest = line;
  if (at != std::string_view::npos) {
    rest = line.substr(at + comma.size());
    message.line = take_number(rest);
    take(rest, ";");
  }
  if (const std::size_t error = rest.find("error"); at != std::string_view::npos && error != std::string_view::npos) {
    rest = rest.substr(error + 5);
    const std::size_t colon = rest.find(':');
    if (colon != std::string_view::npos) rest = rest.substr(colon + 1);
  }
  message.message = fmt::format("ptxas: {}", trimmed(rest));
  return message;
}

Diagnostic parse_ptx_error(std::string_view text) {
  Diagnostic message;
  std::string_view rest = text;
  if (take(rest, "line ")) {
    message.line = take_number(rest);
  } else {
    message.line = take_number(rest);
    if (message.line != 0 && take(rest, ":")) message.column = take_number(rest);
  }
  if (message.line == 0 || !take(rest, ": ")) return {Diagnostic::Text::source, 0, 0, std::string(text), false};
  message.message = rest;
  return message;
}

}  // namespace warpwalk::run
