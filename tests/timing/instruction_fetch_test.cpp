#include "core/gpu/timing/instruction_fetch.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace warpwalk::gpu {
namespace {

Timing timing() {
  Timing timing;
  timing.sub_partitions = 4;
  timing.icache_l0_lines = 32;
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

/// Cycles per instruction of straight-line code of so many lines of 8 instructions, one warp in each of the first
/// sub-partitions, with the parameters of the H200.
double cycles_of_warm_code(std::uint64_t lines, unsigned warps) {
  Timing h200 = timing();
  h200.icache_l0_lines = 256;
  h200.icache_l1_lines = 1024;
  h200.icache_prefetch = 4;
  h200.interval_icache = 17.6;
  h200.interval_icache_l2 = 45;
  constexpr int instructions = 8;
  InstructionFetch fetch(h200, lines, CacheStart::warm);
  std::vector<std::uint64_t> wanted;
  std::vector<double> now(warps, 0.0);
  for (std::uint64_t line = 0; line < lines; ++line)
    for (unsigned warp = 0; warp < warps; ++warp)
      now[warp] = std::max(now[warp], fetch.ready(warp, line, now[warp], wanted)) + instructions;
  EXPECT_TRUE(wanted.empty());
  return *std::ranges::max_element(now) / static_cast<double>(lines * instructions);
}

// tests/cuda/microbench/recordings/fetch.csv.gz, kb=64: 2.204 cycles per instruction with one warp, 2.205 with one in each
// sub-partition.
TEST(InstructionFetch, WarmCodeStreamsIntoAllSubPartitions) {
  for (const unsigned warps : {1u, 4u}) EXPECT_NEAR(cycles_of_warm_code(512, warps), 2.204, 0.05);
}

// 8,192 multiply-adds after kernels of 64 KB, by CUPTI: 17,056 ns on an H100 with one warp, 17,152 with four, where an
// empty kernel takes 880; 1,980 MHz.
TEST(InstructionFetch, OtherKernelsHaveReplacedAPartOfLongCode) {
  for (const unsigned warps : {1u, 4u})
    EXPECT_NEAR(cycles_of_warm_code(1024, warps), (17'056 - 880) * 1.98 / 8192, 0.05);
}

TEST(InstructionFetch, LinesBeyondTheSmsCacheComeFromL2) {
  InstructionFetch fetch(timing(), 1000);
  std::vector<std::uint64_t> wanted;
  EXPECT_TRUE(std::isinf(fetch.ready(0, 500, 1000, wanted)));
  // Ten more are on their way: so many come in the 100 cycles of the latency, one every 10.
  EXPECT_EQ(wanted, (std::vector<std::uint64_t>{500, 501, 502, 503, 504, 505, 506, 507, 508, 509, 510}));
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
