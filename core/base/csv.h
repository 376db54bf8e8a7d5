#pragma once

#include <string>
#include <string_view>

namespace warpwalk::base {

/// A cell of CSV (RFC 4180): in quotes if it has a separator, a quote or a line break.
inline std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

/// The same of a person's words: what a spreadsheet would take for a formula gets an apostrophe.
inline std::string csv_words(std::string_view text) {
  const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  return csv_cell(formula ? "'" + std::string(text) : std::string(text));
}

}  // namespace warpwalk::base
