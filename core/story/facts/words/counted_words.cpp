#include "core/story/facts/words/counted_words.h"

#include <fmt/format.h>

#include "core/story/elements/figure.h"

namespace warpwalk::story {

std::string counted_words(const Narration& narration, std::string_view what, std::uint64_t n) {
  return narration.text("launch.count", n == 1 ? fmt::format("{}.one", what) : std::string(what),
                        {{"n", with_thousands(static_cast<std::int64_t>(n))}});
}

std::string limiter_words(const Narration& narration, const gpu::Occupancy& occupancy) {
  std::string words;
  for (const gpu::Limiter limiter : occupancy.limiters)
    words.append(words.empty() ? "" : ", ").append(narration.text("launch.limiter", gpu::name_of(limiter)));
  return words;
}

}  // namespace warpwalk::story
