#include "core/story/facts/launch/followed_block.h"

#include <algorithm>
#include <cmath>

#include "core/run/replay/number_trail.h"

namespace warpwalk::story {

std::uint64_t followed_block(const SceneInput& input, std::uint64_t blocks) {
  const auto set = input.set("launch", "follow");
  if (blocks == 0) return 0;
  if (!set || std::isnan(*set)) {
    const run::NumberTrail* const trail = input.history.trail;
    return trail != nullptr && trail->warp.block < blocks ? trail->warp.block : 0;
  }
  return static_cast<std::uint64_t>(std::clamp(*set, 0.0, static_cast<double>(blocks - 1)));
}

}  // namespace warpwalk::story
