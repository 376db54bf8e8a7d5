#include "core/base/one_line.h"

#include <algorithm>

namespace warpwalk::base {

std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

}  // namespace warpwalk::base
