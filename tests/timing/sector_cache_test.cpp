#include "core/gpu/timing/sector_cache.h"

#include <algorithm>
#include <list>
#include <random>

#include <gtest/gtest.h>

namespace warpwalk::gpu {
namespace {

struct Line {
  std::uint8_t arriving = 0;
};
using Cache = SectorCache<Line>;

Line& bring(Cache& cache, std::uint64_t line) {
  std::uint32_t index = cache.find(line, line);
  if (index == Cache::none) {
    index = cache.victim(line);
    cache.assign(index, line);
  }
  cache.use(index);
  return cache.at(index);
}

TEST(SectorCache, KeepsTheLinesUsedLast) {
  // Against a list per set, the most recently used line first.
  constexpr std::uint64_t sets = 4;
  constexpr unsigned ways = 3;
  Cache cache(sets * ways, ways);
  std::vector<std::list<std::uint64_t>> model(sets);
  std::mt19937 random(7);
  int hits = 0;
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t line = random() % 24;
    std::list<std::uint64_t>& set = model[line % sets];
    const bool expected = std::find(set.begin(), set.end(), line) != set.end();
    EXPECT_EQ(cache.find(line, line) != Cache::none, expected);
    hits += expected ? 1 : 0;
    bring(cache, line);
    set.remove(line);
    set.push_front(line);
    if (set.size() > ways) set.pop_back();
  }
  EXPECT_GT(hits, 1000);
}

TEST(SectorCache, LinesWithArrivingSectorsStay) {
  Cache cache(2, 2);
  bring(cache, 0).arriving = 1;
  bring(cache, 1).arriving = 1;
  EXPECT_EQ(cache.victim(2), Cache::none);
  cache.at(cache.find(0, 0)).arriving = 0;
  ASSERT_NE(cache.victim(2), Cache::none);
  EXPECT_EQ(cache.number_of(cache.victim(2)), 0u);
}

}  // namespace
}  // namespace warpwalk::gpu
