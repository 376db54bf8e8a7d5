#include "core/story/facts/launch/followed_block.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::story {

std::uint64_t followed_block(const SceneInput& input, std::uint64_t blocks) {
  const auto set = input.set("launch", "follow");
  if (!set || std::isnan(*set) || blocks == 0) return 0;
  return static_cast<std::uint64_t>(std::clamp(*set, 0.0, static_cast<double>(blocks - 1)));
}

}  // namespace warpwalk::story
