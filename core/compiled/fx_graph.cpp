#include "core/compiled/fx_graph.h"

#include <charconv>

#include "core/base/text.h"

namespace warpwalk::compiled {
namespace {

std::string_view without_indent(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

/// "train.py:12 in forward, code: x = self.relu(x)".
PythonLine line_of(std::string_view text) {
  PythonLine out;
  const std::size_t code = text.find(", code: ");
  if (code != std::string_view::npos) {
    out.code = text.substr(code + std::string_view(", code: ").size());
    text = text.substr(0, code);
  }
  const std::size_t in = text.rfind(" in ");
  if (in != std::string_view::npos) {
    out.function = text.substr(in + std::string_view(" in ").size());
    text = text.substr(0, in);
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {};
  out.file = text.substr(0, colon);
  const std::string_view number = text.substr(colon + 1);
  if (std::from_chars(number.data(), number.data() + number.size(), out.line).ec != std::errc() || out.line < 1)
    return {};
  return out;
}

bool is_name(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

}  // namespace

FxNodes read_fx_graph(std::string_view text) {
  constexpr std::string_view place = "# File: ";
  FxNodes nodes;
  PythonLine python;
  for (const std::string_view whole : base::lines_of(text)) {
    const std::string_view line = without_indent(whole);
    if (line.starts_with(place)) {
      python = line_of(line.substr(place.size()));
      continue;
    }
    if (line.starts_with("# No stacktrace")) python = {};  // "... found for following nodes"
    if (line.starts_with("return ")) continue;
    // name: "f32[8, 16]" = target(arguments);  or without the type
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) continue;
    const std::string_view left = line.substr(0, equals);
    const std::string_view name = left.substr(0, left.find(':'));
    if (!is_name(name)) continue;
    const std::string_view right = line.substr(equals + 3);
    nodes[std::string(name)] = {std::string(name), std::string(right.substr(0, right.find('('))), python};
  }
  return nodes;
}

}  // namespace warpwalk::compiled
