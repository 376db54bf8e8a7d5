#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::compiled {

/// A position of the program.
struct CodeFrame {
  std::string file;
  int line = 0;  ///< from 1; 0: the compiler gave none
  int column = 0;
  std::string function;  ///< empty: not recorded

  bool operator==(const CodeFrame&) const = default;
};

/// The position of code in the program, then the positions of the calls that it was inlined at, innermost first.
using CodeChain = std::vector<CodeFrame>;

/// A name or a path as frames keep it: damaged files do not make each of many frames long.
inline std::string bounded_text(std::string_view text) {
  constexpr std::size_t max_characters = 4096;
  return std::string(text.substr(0, max_characters));
}

/// A path without its folders.
inline std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace warpwalk::compiled
