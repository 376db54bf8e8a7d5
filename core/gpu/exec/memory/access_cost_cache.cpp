#include "core/gpu/exec/memory/access_cost_cache.h"

namespace warpwalk::gpu {

void AccessCostCache::learn(WordPattern& memo, const std::uint32_t* at, int bytes, bool store) {
  std::uint64_t addresses[32];
  bool uniform = true, rising = true;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    memo.offsets[lane] = at[lane] - at[0];
    addresses[lane] = at[lane];
    uniform = uniform && memo.offsets[lane] == 0;
    rising = rising && memo.offsets[lane] == 4 * lane;
  }
  memo.waves = bytes == 0 ? Wavefronts{} : wavefronts_of(addresses, 0xffffffff, bytes, store);
  memo.shape = uniform ? WordPattern::Shape::uniform : rising ? WordPattern::Shape::rising : WordPattern::Shape::any;
  memo.known = true;
}

}  // namespace warpwalk::gpu
