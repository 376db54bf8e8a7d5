#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::base {

/// Appends a character in UTF-8; nothing if it is beyond U+10FFFF. Half of a surrogate pair is encoded like a
/// character, which is not valid UTF-8.
inline void append_utf8(std::string& text, char32_t character) {
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  const auto put_rest = [&](int shift) { put(0x80 | (character >> shift & 0x3f)); };
  if (character < 0x80) {
    put(character);
  } else if (character < 0x800) {
    put(0xc0 | character >> 6);
    put_rest(0);
  } else if (character < 0x10000) {
    put(0xe0 | character >> 12);
    put_rest(6);
    put_rest(0);
  } else if (character < 0x110000) {
    put(0xf0 | character >> 18);
    put_rest(12);
    put_rest(6);
    put_rest(0);
  }
}

/// The text on one line: control characters become spaces. For messages that quote names from a file.
inline std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return text;
}

/// The lines of a text without their "\n"; a last line may lack it.
inline std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace warpwalk::base
