#include "core/gpu/timing/sector_cache.h"

#include <algorithm>
#include <list>
#include <random>

#include <gtest/gtest.h>

namespace warpwalk::gpu {
namespace {

SectorCache::Line& bring(SectorCache& cache, std::uint64_t line) {
  SectorCache::Line* found = cache.find(line, line);
  if (found == nullptr) {
    found = cache.victim(line);
    *found = {};
    found->tag = line;
  }
  cache.use(*found);
  return *found;
}

TEST(SectorCache, KeepsTheLinesUsedLast) {
  // Against a list per set, the most recently used line first.
  constexpr std::uint64_t sets = 4;
  constexpr unsigned ways = 3;
  SectorCache cache(sets * ways, ways);
  std::vector<std::list<std::uint64_t>> model(sets);
  std::mt19937 random(7);
  int hits = 0;
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t line = random() % 24;
    std::list<std::uint64_t>& set = model[line % sets];
    const bool expected = std::find(set.begin(), set.end(), line) != set.end();
    EXPECT_EQ(cache.find(line, line) != nullptr, expected);
    hits += expected ? 1 : 0;
    bring(cache, line);
    set.remove(line);
    set.push_front(line);
    if (set.size() > ways) set.pop_back();
  }
  EXPECT_GT(hits, 1000);
}

TEST(SectorCache, LinesWithArrivingSectorsStay) {
  SectorCache cache(2, 2);
  bring(cache, 0).arriving = 1;
  bring(cache, 1).arriving = 1;
  EXPECT_EQ(cache.victim(2), nullptr);
  cache.find(0, 0)->arriving = 0;
  ASSERT_NE(cache.victim(2), nullptr);
  EXPECT_EQ(cache.victim(2)->tag, 0u);
}

}  // namespace
}  // namespace warpwalk::gpu
