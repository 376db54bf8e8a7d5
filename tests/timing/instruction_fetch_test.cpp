#include "core/gpu/timing/instruction_fetch.h"

#include <cmath>

#include <gtest/gtest.h>

namespace warpwalk::gpu {
namespace {

Timing timing() {
  Timing timing;
  timing.sub_partitions = 4;
  timing.icache_l0_lines = 8;
  timing.icache_l1_lines = 64;
  timing.icache_prefetch = 2;
  timing.latency_icache = 100;
  timing.interval_icache = 10;
  timing.interval_icache_l2 = 40;
  return timing;
}

TEST(InstructionFetch, AMissComesFromTheSmAndStays) {
  InstructionFetch fetch(timing(), 64);
  std::vector<std::uint64_t> wanted;
  EXPECT_EQ(fetch.ready(0, 0, 1000, wanted), 1100);
  EXPECT_EQ(fetch.ready(0, 0, 1200, wanted), 1100);
  EXPECT_TRUE(wanted.empty());
}

TEST(InstructionFetch, FollowingLinesAreFetchedAhead) {
  InstructionFetch fetch(timing(), 64);
  std::vector<std::uint64_t> wanted;
  fetch.ready(0, 0, 1000, wanted);
  EXPECT_EQ(fetch.ready(0, 1, 1150, wanted), 1110);
  EXPECT_EQ(fetch.ready(0, 2, 1150, wanted), 1120);
}

TEST(InstructionFetch, LinesBeyondTheSmsCacheComeFromL2) {
  InstructionFetch fetch(timing(), 1000);
  std::vector<std::uint64_t> wanted;
  EXPECT_TRUE(std::isinf(fetch.ready(0, 500, 1000, wanted)));
  EXPECT_EQ(wanted, (std::vector<std::uint64_t>{500, 501, 502}));
  fetch.arrived(500, 1300);
  EXPECT_GE(fetch.ready(0, 500, 1300, wanted), 1400);
}

TEST(InstructionFetch, NothingIsFetchedPastTheEnd) {
  InstructionFetch fetch(timing(), 1000);
  std::vector<std::uint64_t> wanted;
  fetch.ready(0, 999, 1000, wanted);
  EXPECT_EQ(wanted, (std::vector<std::uint64_t>{999}));
}

}  // namespace
}  // namespace warpwalk::gpu
