#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/debug/session.h"

namespace warpwalk::verbs {

/// A word that may stand where a line of the console ends.
struct DebugCompletion {
  std::string text;
  bool is_command = false;
};
struct DebugCompletions {
  std::size_t start = 0;  ///< the word begins with this character of the line
  std::vector<DebugCompletion> words;
};

/// What may follow a line of the console up to its cursor: commands, what `break`, `catch` and `info` take, and names
/// that expressions know in a frame of a thread.
DebugCompletions complete_line(debug::Session& session, std::string_view line, const debug::Focus& focus,
                               std::size_t frame);

}  // namespace warpwalk::verbs
