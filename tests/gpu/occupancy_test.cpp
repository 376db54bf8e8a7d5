#include "core/gpu/blocks/occupancy.h"

#include <random>

#include <gtest/gtest.h>

#include "tests/gpu/devices.h"

namespace warpwalk::gpu {
namespace {

using Limiters = std::vector<Limiter>;

BlockNeeds needs_of(std::int64_t threads, std::int64_t registers, std::int64_t static_shared = 0,
                    std::int64_t dynamic = 0) {
  BlockNeeds needs;
  needs.threads = threads;
  needs.registers = registers;
  needs.static_shared = static_shared;
  needs.dynamic_shared = dynamic;
  return needs;
}

Occupancy h200_occupancy(const BlockNeeds& needs) { return occupancy_of(shipped("h200"), needs); }

TEST(Occupancy, CheckedCasesOfComputeCapability9) {
  // Threads, registers, static and dynamic bytes -> blocks per SM, as reported by the CUDA runtime on an H200.
  struct Case {
    std::int64_t threads, registers, static_shared, dynamic, blocks;
  };
  for (const Case& c : {Case{256, 32, 2048, 0, 8},
                        {128, 40, 0, 0, 12},
                        {96, 41, 0, 0, 13},
                        {1024, 33, 0, 0, 1},
                        {256, 32, 0, 49152, 4},
                        {32, 8, 12288, 0, 17},
                        {256, 32, 33792, 0, 6},
                        {128, 168, 0, 0, 3}}) {
    const Occupancy result = h200_occupancy(needs_of(c.threads, c.registers, c.static_shared, c.dynamic));
    EXPECT_EQ(result.blocks_per_sm, c.blocks) << c.threads << ' ' << c.registers;
    EXPECT_TRUE(result.failure.empty()) << result.failure;
  }
}

TEST(Occupancy, EachLimitByHand) {
  // 128 threads: 4 warps, 64 / 4 = 16 blocks. 40 registers: 1280 per warp, 16384 / 1280 = 12 warps per sub-partition,
  // 48 / 4 = 12 blocks. 5000 + 1024 B round up to 6144: 233472 / 6144 = 38. 64 barriers / 3 = 21.
  BlockNeeds needs = needs_of(128, 40, 5000);
  needs.barriers = 3;
  const Occupancy result = h200_occupancy(needs);
  EXPECT_EQ(result.limit(Limiter::warps), 16);
  EXPECT_EQ(result.limit(Limiter::registers), 12);
  EXPECT_EQ(result.limit(Limiter::shared), 38);
  EXPECT_EQ(result.limit(Limiter::blocks), 32);
  EXPECT_EQ(result.limit(Limiter::barriers), 21);
  EXPECT_EQ(result.limiters, (Limiters{Limiter::registers}));
  EXPECT_EQ(result.warps_per_sm, 48);
  EXPECT_DOUBLE_EQ(result.percent, 75.0);
  EXPECT_EQ(result.registers_per_block, 5120);
  EXPECT_EQ(result.shared_per_block, 6144);
}

TEST(Occupancy, TiesNameEveryLimiter) {
  // 64 threads with 32 registers: 64 / 2 = 32 by warps, 16 * 4 / 2 = 32 by registers, and 32 blocks.
  EXPECT_EQ(h200_occupancy(needs_of(64, 32)).limiters, (Limiters{Limiter::warps, Limiter::registers, Limiter::blocks}));
}

TEST(Occupancy, BarriersLimit) {
  BlockNeeds needs = needs_of(32, 16);
  needs.barriers = 16;
  EXPECT_EQ(h200_occupancy(needs).blocks_per_sm, 4);
  EXPECT_EQ(h200_occupancy(needs).limiters, (Limiters{Limiter::barriers}));
  needs.barriers = 0;
  EXPECT_FALSE(h200_occupancy(needs).limit(Limiter::barriers));
  EXPECT_EQ(h200_occupancy(needs).blocks_per_sm, 32);
}

TEST(Occupancy, EdgesOfRegisters) {
  // 1024 threads are 32 warps, so 65536 / 32 = 2048 per warp, which is 64 per thread; 65 round up to 2304.
  EXPECT_EQ(h200_occupancy(needs_of(1024, 64)).blocks_per_sm, 1);
  EXPECT_EQ(h200_occupancy(needs_of(1024, 65)).blocks_per_sm, 0);
  EXPECT_EQ(
      h200_occupancy(needs_of(1024, 65)).failure,
      "1024 threads with 65 registers each need 73728 allocated registers; this GPU allows at most 65536 per block");
  EXPECT_EQ(h200_occupancy(needs_of(1024, 32)).blocks_per_sm, 2);
  EXPECT_EQ(h200_occupancy(needs_of(1024, 33)).blocks_per_sm, 1);  // 1056 round up to 1280: 12 * 4 warps
  EXPECT_EQ(h200_occupancy(needs_of(32, 255)).blocks_per_sm, 8);   // 8192 per warp: 2 warps per sub-partition
  EXPECT_EQ(h200_occupancy(needs_of(32, 256)).failure, "256 registers per thread; this GPU allows at most 255");
  // 225 threads with 255 registers: 8 warps take exactly 65536. 257 threads are 9 warps, but the check counts 12.
  EXPECT_EQ(h200_occupancy(needs_of(225, 255)).blocks_per_sm, 1);
  EXPECT_EQ(h200_occupancy(needs_of(257, 200)).blocks_per_sm, 0);  // 6400 * 12 = 76800, though 9 warps are 57600
  EXPECT_EQ(h200_occupancy(needs_of(257, 168)).blocks_per_sm, 1);  // 5376 * 12 = 64512
}

TEST(Occupancy, EdgesOfSharedMemory) {
  EXPECT_EQ(h200_occupancy(needs_of(32, 8, 0, 49152)).blocks_per_sm, 4);  // 50176: 233472 / 50176 = 4.65
  const Occupancy refused = h200_occupancy(needs_of(32, 8, 1, 49152));
  EXPECT_EQ(refused.blocks_per_sm, 0);
  EXPECT_EQ(refused.limiters, (Limiters{Limiter::shared}));
  EXPECT_EQ(refused.failure,
            "49153 B of shared memory per block; more than 49152 requires the kernel to opt in "
            "(cudaFuncSetAttribute, up to 232448)");
  BlockNeeds opted = needs_of(32, 8, 0, 232448);
  opted.shared_optin = true;
  EXPECT_EQ(h200_occupancy(opted).blocks_per_sm, 1);
  opted.static_shared = 1;
  EXPECT_EQ(h200_occupancy(opted).failure, "232449 B of shared memory per block; this GPU allows at most 232448");
}

TEST(Occupancy, EdgesOfThreads) {
  EXPECT_EQ(h200_occupancy(needs_of(1, 8)).blocks_per_sm, 32);
  EXPECT_EQ(h200_occupancy(needs_of(33, 8)).warps_per_block, 2);
  EXPECT_EQ(h200_occupancy(needs_of(1024, 8)).percent, 100.0);
  EXPECT_EQ(h200_occupancy(needs_of(1025, 8)).failure, "1025 threads per block; this GPU allows at most 1024");
  // Other limits are still reported: 33 warps of 256 registers each, 64 * 4 / 33.
  EXPECT_EQ(h200_occupancy(needs_of(1025, 8)).limit(Limiter::registers), 7);
  EXPECT_EQ(h200_occupancy(needs_of(0, 8)).failure, "a block of 0 threads: it must have at least 1");
}

TEST(Occupancy, NonsenseIsAFailureInWords) {
  EXPECT_EQ(h200_occupancy(needs_of(32, -1)).failure, "-1 registers: out of range");
  EXPECT_FALSE(h200_occupancy(needs_of(32, 8, INT64_MAX, INT64_MAX)).failure.empty());
  EXPECT_FALSE(h200_occupancy(needs_of(INT64_MAX, INT64_MAX)).failure.empty());
  BlockNeeds needs = needs_of(32, 8);
  needs.carveout_percent = 101;
  EXPECT_EQ(h200_occupancy(needs).failure, "a preferred carve-out of 101%: it must be from 0 to 100");
}

TEST(Occupancy, CarveoutWithoutPreferenceIsTheSmallestThatAllowsAsMany) {
  constexpr std::int64_t kb = 1024;
  EXPECT_EQ(h200_occupancy(needs_of(256, 32)).carveout, 8 * kb);           // 8 blocks of 1 KB
  EXPECT_EQ(h200_occupancy(needs_of(256, 32, 2048)).carveout, 32 * kb);    // 8 blocks of 3 KB
  EXPECT_EQ(h200_occupancy(needs_of(256, 32, 33792)).carveout, 228 * kb);  // 6 blocks of 34 KB need 204 KB
  EXPECT_EQ(h200_occupancy(needs_of(1024, 64, 1024)).carveout, 8 * kb);    // 1 block of 2 KB
}

TEST(Occupancy, APreferredCarveoutBounds) {
  BlockNeeds needs = needs_of(256, 32, 33792);  // 34 KB per block
  needs.carveout_percent = 50;                  // 114 KB, rounded up to 132
  EXPECT_EQ(h200_occupancy(needs).carveout, 132 * 1024);
  EXPECT_EQ(h200_occupancy(needs).blocks_per_sm, 3);
  needs.carveout_percent = 0;  // there is still room for one block: 64
  EXPECT_EQ(h200_occupancy(needs).carveout, 64 * 1024);
  EXPECT_EQ(h200_occupancy(needs).blocks_per_sm, 1);
  needs.carveout_percent = 100;
  EXPECT_EQ(h200_occupancy(needs).blocks_per_sm, 6);
}

TEST(Occupancy, MoreOfAnyResourceNeverAllowsMoreWarps) {
  std::mt19937 random(3);
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(n));
  };
  for (const char* id : {"h200", "a100", "t4", "rtx3090", "rtx4090"}) {
    const Device device = shipped(id);
    for (int i = 0; i < 2000; ++i) {
      BlockNeeds needs = needs_of(1 + below(1024), below(256), below(50000), below(100000));
      needs.shared_optin = below(2) == 0;
      needs.barriers = below(17);
      const Occupancy less = occupancy_of(device, needs);
      const auto expect_no_more = [&](BlockNeeds more, const char* what) {
        const Occupancy result = occupancy_of(device, more);
        EXPECT_LE(result.blocks_per_sm, less.blocks_per_sm) << id << ' ' << what << ' ' << i;
        EXPECT_EQ(result.blocks_per_sm == 0, !result.failure.empty());
        EXPECT_FALSE(result.limiters.empty());
        EXPECT_LE(result.blocks_per_sm * result.shared_per_block, std::max(result.carveout, *device.shared_per_sm));
        EXPECT_LE(result.blocks_per_sm * result.registers_per_block, *device.registers_per_sm);
        EXPECT_LE(result.warps_per_sm, *device.warps_per_sm);
      };
      BlockNeeds more = needs;
      more.threads += 1 + below(64);
      expect_no_more(more, "threads");
      (more = needs).registers += 1 + below(16);
      expect_no_more(more, "registers");
      (more = needs).static_shared += 1 + below(2000);
      expect_no_more(more, "static shared");
      (more = needs).dynamic_shared += 1 + below(2000);
      expect_no_more(more, "dynamic shared");
      (more = needs).barriers += 1;
      if (needs.barriers > 0) expect_no_more(more, "barriers");
    }
  }
}

}  // namespace
}  // namespace warpwalk::gpu
