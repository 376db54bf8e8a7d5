#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace warpwalk::fuzz {

/// Ends the program, which the fuzzer reports, if a property does not hold.
inline void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

/// Requires a message of one line.
inline void require_line(std::string_view message) {
  const bool is_line = !message.empty() && message.find('\n') == std::string_view::npos;
  if (!is_line) std::fprintf(stderr, "the message: \"%.*s\"\n", static_cast<int>(message.size()), message.data());
  require(is_line, "a message is one line");
}

}  // namespace warpwalk::fuzz
