#pragma once

#include <string>

namespace warpwalk::base {

/// The text on one line: control characters become spaces. For messages that quote names from a file.
std::string one_line(std::string text);

}  // namespace warpwalk::base
