#pragma once

#include <string_view>
#include <vector>

#include "core/sass/word.h"

namespace warpwalk::sass {

/// The parts of a text between spaces.
inline std::vector<std::string_view> split_words(std::string_view text, char separator = ' ') {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) words.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return words;
}

}  // namespace warpwalk::sass
