#include "core/gpu/timing/coalescer.h"

#include <bit>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "core/gpu/exec/memory/access_cost_cache.h"

namespace warpwalk::gpu {
namespace {

LoggedAccess access_of(int bytes, std::uint32_t mask, const auto& address) {
  LoggedAccess access;
  access.bytes = static_cast<std::uint8_t>(bytes);
  access.mask = mask;
  for (std::uint64_t lane = 0; lane < 32; ++lane) access.at[lane] = address(lane);
  return access;
}

TEST(Coalescer, FoldsAWarpIntoLinesAndSectors) {
  const CoalescedAccess words = coalesce(access_of(4, ~0u, [](std::uint64_t lane) { return 1024 + 4 * lane; }));
  EXPECT_EQ(words.count, 1);
  EXPECT_EQ(words.sectors(), 4);
  const CoalescedAccess shifted = coalesce(access_of(4, ~0u, [](std::uint64_t lane) { return 1024 + 64 + 4 * lane; }));
  EXPECT_EQ(shifted.count, 2);
  EXPECT_EQ(shifted.sectors(), 4);
  const CoalescedAccess apart = coalesce(access_of(4, ~0u, [](std::uint64_t lane) { return 4096 * lane; }));
  EXPECT_EQ(apart.count, 32);
}

TEST(Coalescer, CountsTheSectorsThatTheExecutorCounts) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const int bytes = 1 << random() % 5;
    const auto mask = static_cast<std::uint32_t>(random() | 1);
    const std::uint64_t spread = std::uint64_t{1} << (5 + random() % 10);
    const LoggedAccess access = access_of(bytes, mask, [&](std::uint64_t) {
      return (1u << 20) + random() % spread / static_cast<unsigned>(bytes) * static_cast<unsigned>(bytes);
    });
    EXPECT_EQ(coalesce(access).sectors(), count_sectors(access.at.data(), mask, bytes));
  }
}

TEST(Coalescer, KnowsWhichStoresLeaveBytesOut) {
  LoggedAccess whole = access_of(4, ~0u, [](std::uint64_t lane) { return 4 * lane; });
  whole.writes = true;
  EXPECT_FALSE(coalesce(whole).lines[0].partial);
  LoggedAccess every_second = access_of(4, ~0u, [](std::uint64_t lane) { return 8 * lane; });
  every_second.writes = true;
  EXPECT_TRUE(coalesce(every_second).lines[0].partial);
}

TEST(Coalescer, CountsPassesOfAnAtomicForLanesWithTheSameAddress) {
  LoggedAccess same = access_of(4, ~0u, [](std::uint64_t) { return 256; });
  same.writes = same.atomic = true;
  EXPECT_EQ(coalesce(same).lines[0].repeats, 31);
  LoggedAccess pairs = access_of(4, ~0u, [](std::uint64_t lane) { return lane / 2 * 4; });
  pairs.writes = pairs.atomic = true;
  EXPECT_EQ(coalesce(pairs).lines[0].repeats, 2);  // one in each of two sectors
}

TEST(Coalescer, LocalMemoryHasALineForEachWord) {
  const CoalescedAccess word = coalesce_local(access_of(4, ~0u, [](std::uint64_t) { return 8; }), 100);
  EXPECT_EQ(word.count, 1);
  EXPECT_EQ(word.lines[0].line, 102u);
  EXPECT_EQ(word.sectors(), 4);
  const CoalescedAccess wide = coalesce_local(access_of(16, ~0u, [](std::uint64_t) { return 16; }), 100);
  EXPECT_EQ(wide.count, 4);
}

}  // namespace
}  // namespace warpwalk::gpu
