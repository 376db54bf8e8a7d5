#include "core/story/stage/score.h"

#include <algorithm>

namespace warpwalk::story {

std::size_t Score::count(Outcome outcome) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(outcomes_, [&](const auto& one) { return one.second == outcome; }));
}

std::string Score::text(const Narration& narration) const {
  if (outcomes_.empty()) return {};
  return narration.text("score", "text",
                        {{"first", std::to_string(count(Outcome::first_try))},
                         {"later", std::to_string(count(Outcome::later))},
                         {"shown", std::to_string(count(Outcome::shown))},
                         {"all", std::to_string(outcomes_.size())}});
}

}  // namespace warpwalk::story
