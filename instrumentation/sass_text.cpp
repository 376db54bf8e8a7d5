#include "instrumentation/sass_text.h"

#include <algorithm>

namespace warpwalk::recording {
namespace {

constexpr std::string_view place_mark = "//## File \"";

template <class F>
void each_line(std::string_view text, F&& f) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    f(line);
  }
}

}  // namespace

std::string without_folders(std::string_view sass) {
  std::string out;
  each_line(sass, [&](std::string_view line) {
    const bool place = line.find(place_mark) != std::string_view::npos;
    // Every second quotation mark begins a path.
    for (bool path = false; place && line.find('"') != std::string_view::npos; path = !path) {
      const std::size_t end = line.find('"');
      std::string_view piece = line.substr(0, end);
      if (path) piece = piece.substr(piece.rfind('/') + 1);
      out += piece;
      out += '"';
      line.remove_prefix(end + 1);
    }
    out += line;
    out += '\n';
  });
  return out;
}

// Places of inlined code come before the one that they are inlined at.
std::string source_file_of(std::string_view sass) {
  std::string file;
  bool found = false;
  each_line(sass, [&](std::string_view line) {
    const std::size_t at = line.find(place_mark);
    found = found || (at == std::string_view::npos && !file.empty());
    if (found || at == std::string_view::npos) return;
    const std::string_view rest = line.substr(at + place_mark.size());
    file = rest.substr(0, rest.find('"'));
  });
  return file;
}

}  // namespace warpwalk::recording
