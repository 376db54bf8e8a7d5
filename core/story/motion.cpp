#include "core/story/motion.h"

#include <algorithm>
#include <sstream>
#include <string>

namespace warpwalk::story {

double pause_seconds_of(const Stage& stage) {
  constexpr double least = 2.5, seconds_per_word = 60.0 / 250;
  std::size_t words = 0;
  for (const std::string* const text : {&stage.title, &stage.sentence}) {
    std::istringstream in(*text);
    for (std::string word; in >> word;) ++words;
  }
  return std::max(least, seconds_per_word * static_cast<double>(words) - stage.motion_seconds);
}

}  // namespace warpwalk::story
