#include "core/gpu/exec/memory/access_cost_cache.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warpwalk::gpu {

namespace {

constexpr std::uint64_t sector_bytes = 32;

}  // namespace

int count_sectors(const std::uint64_t* addresses, std::uint32_t mask, int bytes) {
  if (mask == 0xffffffff) {
    std::uint64_t different = 0;
    const std::uint64_t first = addresses[0];
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
      different |= addresses[lane] ^ (first + lane * static_cast<std::uint64_t>(bytes));
    }
    if (different == 0) {
      const std::uint64_t last = first + 31 * static_cast<std::uint64_t>(bytes);
      return static_cast<int>(last / sector_bytes - first / sector_bytes + 1);
    }
  }
  std::array<std::uint64_t, 32> sectors;
  std::size_t count = 0;
  bool rising = true;
  for (; mask != 0; mask &= mask - 1) {
    const std::uint64_t sector = addresses[std::countr_zero(mask)] / sector_bytes;
    if (count > 0 && sector == sectors[count - 1]) continue;
    rising = rising && (count == 0 || sector > sectors[count - 1]);
    sectors[count++] = sector;
  }
  if (!rising) {
    const auto end = sectors.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(sectors.begin(), end);
    count = static_cast<std::size_t>(std::unique(sectors.begin(), end) - sectors.begin());
  }
  return static_cast<int>(count);
}

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
