#include "core/gpu/timing/launch/warm_memory.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

using timed::load;
using timed::time;

// 16,384 elements of 4 bytes in each of a, b and c.
const std::filesystem::path three_buffers = "validate/reference/timed/vecadd_16384.json";
constexpr std::uint64_t buffer_bytes = 65536;

TimingOptions warm_options() {
  TimingOptions options;
  options.caches = CacheStart::warm;
  return options;
}

TEST(WarmMemory, IsWhatTheBuffersHold) {
  run::LoadedLaunch loaded = load(three_buffers);
  for (std::uint64_t i = 0; i < 3; ++i) loaded.launch.buffers[i].address = (i + 1) << 20;
  const std::vector<WarmRange> all = {{1 << 20, buffer_bytes}, {2 << 20, buffer_bytes}, {3 << 20, buffer_bytes}};
  EXPECT_EQ(warm_memory(*loaded.program, loaded.launch, 1 << 30), all);
  EXPECT_TRUE(warm_memory(*loaded.program, loaded.launch, 0).empty());

  loaded.launch.buffers[1].initialized = false;
  EXPECT_EQ(warm_memory(*loaded.program, loaded.launch, 1 << 30), (std::vector<WarmRange>{all[0], all[2]}));
  loaded.launch.buffers[1].written = {{0, 128}, {1024, 1056}};
  EXPECT_EQ(warm_memory(*loaded.program, loaded.launch, 1 << 30),
            (std::vector<WarmRange>{all[0], {2 << 20, 128}, {(2 << 20) + 1024, 32}, all[2]}));
}

TEST(WarmMemory, OfWhatIsTooMuchTheLastStays) {
  run::LoadedLaunch loaded = load(three_buffers);
  for (std::uint64_t i = 0; i < 3; ++i) loaded.launch.buffers[i].address = (i + 1) << 20;
  EXPECT_EQ(warm_memory(*loaded.program, loaded.launch, buffer_bytes + 128),
            (std::vector<WarmRange>{{(2 << 20) + buffer_bytes - 128, 128}, {3 << 20, buffer_bytes}}));
}

// a and b are read, c is written; nothing else is in global memory.
TEST(WarmMemory, ALaunchFindsAllOfItInL2) {
  run::LoadedLaunch first = load(three_buffers), second = load(three_buffers);
  const LaunchTiming cold = time(first), warm = time(second, warm_options());
  EXPECT_EQ(cold.caches, CacheStart::cold);
  EXPECT_EQ(cold.dram_read_bytes, 2 * buffer_bytes);
  EXPECT_LT(cold.l2_hits, cold.l2_sectors);
  EXPECT_EQ(warm.caches, CacheStart::warm);
  EXPECT_EQ(warm.dram_read_bytes, 0u);
  EXPECT_EQ(warm.l2_hits, warm.l2_sectors);
  EXPECT_EQ(warm.l1_hits, cold.l1_hits);
  EXPECT_EQ(warm.warp_instructions, cold.warp_instructions);
  // One load in the path of each warp comes from L2 instead of memory.
  EXPECT_LT(warm.cycles, cold.cycles - 100);
  timed::expect_cycles_add_up(warm);
  timed::expect_same_buffers(first, second);
}

// A GPU with L2 for 32 KB in each partition.
TEST(WarmMemory, ALaunchFindsOnlyWhatFits) {
  Device small = timed::h200();
  small.l2_bytes.value = 65536;
  run::LoadedLaunch loaded = load(three_buffers);
  const LaunchTiming warm = time(loaded, warm_options(), small);
  EXPECT_EQ(warm.dram_read_bytes, 2 * buffer_bytes);  // the last 32 KB are those of c
}

TEST(WarmMemory, TheNumberOfHostThreadsDoesNotMatter) {
  run::LoadedLaunch one = load(three_buffers), four = load(three_buffers);
  TimingOptions options = warm_options();
  const LaunchTiming a = time(one, options);
  options.threads = 4;
  timed::expect_same(a, time(four, options));
}

// An empty kernel ends as its block does; stores that are confirmed within a way to L2 after that take no more time.
TEST(WarmMemory, TheTimeOfTheBlocksLeavesOutTheLaunch) {
  run::LoadedLaunch loaded = load(three_buffers);
  const LaunchTiming timing = time(loaded, warm_options());
  const double last = *std::ranges::max_element(timing.end);
  EXPECT_GE(timing.cycles_blocks, last);
  EXPECT_LE(timing.cycles_blocks, timing.cycles - timing.launch_cost);
  EXPECT_LT(timing.cycles_blocks, last + 100);
}

}  // namespace
}  // namespace warpwalk::gpu
