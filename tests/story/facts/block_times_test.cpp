// The blocks that a simulation started, and those that a GPU recorded.
#include "core/story/facts/simulated/block_times.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/facts/simulated/simulated_launch.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

// No two blocks are in the same slot of an SM at the same time.
void expect_slots_hold_one_block(const BlockTimes& times) {
  std::map<std::pair<int, int>, std::int64_t> free;
  for (const BlockTime& block : times.blocks) {
    std::int64_t& until = free[{block.sm, block.slot}];
    EXPECT_LE(until, block.start) << block.block;
    EXPECT_GE(block.end, block.start) << block.block;
    until = block.end;
  }
}

TEST(BlockTimes, OfAllSmsAddUpToTheGrid) {
  const Crafted& made = crafted_inner_named("inner: machine code");
  const BlockTimes times = simulated_blocks(*made.travel);
  EXPECT_EQ(times.grid, 1024u);
  EXPECT_EQ(times.blocks.size(), 1024u);
  std::set<std::uint64_t> seen;
  std::size_t sum = 0;
  for (const std::uint16_t sm : made.travel->busy_sms()) {
    const std::vector<BlockTime> here = times.on(sm);
    sum += here.size();
    for (const BlockTime& block : here) seen.insert(block.block);
    SceneInput input{made.trace, made.walk, english(), hardware(), {}};
    input.history = made.view();
    EXPECT_LE(most_at_once(here), static_cast<std::uint64_t>(simulated_occupancy(input).blocks_per_sm));
  }
  EXPECT_EQ(sum, 1024u);
  EXPECT_EQ(seen.size(), 1024u);
  EXPECT_EQ(times.ended(times.end), 1024u);
  EXPECT_EQ(times.resident(times.end), 0u);
  expect_slots_hold_one_block(times);
}

TEST(BlockTimes, AreThoseOfTheTimingModel) {
  for (const Crafted& made : crafted_inner()) {
    const gpu::LaunchTiming& timing = made.travel->timing();
    for (const BlockTime& block : simulated_blocks(*made.travel).blocks) {
      EXPECT_EQ(block.sm, static_cast<std::uint16_t>(timing.sm[block.block])) << made.name;
      EXPECT_NEAR(static_cast<double>(block.start), timing.start[block.block], 0.5) << made.name;
      if (!block.ended) continue;
      EXPECT_NEAR(static_cast<double>(block.end), timing.end[block.block], 0.5) << made.name;
    }
  }
}

TEST(BlockTimes, ABlockThatTheSimulationDoesNotEndIsResidentToItsEnd) {
  const Crafted& made = crafted_inner_named("inner: coalesced");
  ASSERT_TRUE(made.travel->timing().cut);
  const BlockTimes times = simulated_blocks(*made.travel);
  ASSERT_FALSE(times.blocks.empty());
  EXPECT_EQ(times.ended(times.end), 0u);
  EXPECT_FALSE(times.first_ended());
  EXPECT_FALSE(times.last_ended());
  EXPECT_EQ(times.resident(times.end - 1), times.blocks.size());
}

TEST(BlockTimes, AsRecordedOnAGpu) {
  const Trace& trace = sample("h200_relu");
  const Walk walk = default_walk(trace);
  const trace::KernelRecord& record = *kernel_record(trace, walk);
  const std::optional<BlockTimes> times = measured_blocks(trace, walk);
  ASSERT_TRUE(times);
  ASSERT_EQ(times->blocks.size(), record.placement.size());
  for (const BlockTime& block : times->blocks) {
    EXPECT_EQ(block.sm, record.placement[block.block].sm);
    EXPECT_EQ(block.start, record.placement[block.block].start);
    EXPECT_EQ(block.end, record.placement[block.block].end);
  }
  expect_slots_hold_one_block(*times);
  // The same number as in the launch scene: 97 blocks could use the slot of an earlier one.
  EXPECT_EQ(times->blocks.size() - times->first_wave(), 97u);
  EXPECT_FALSE(measured_blocks(sample("relu_matmul"), default_walk(sample("relu_matmul"))));
}

TEST(BlockTimes, MilestonesByHand) {
  BlockTimes times;
  times.blocks = {{0, 0, 0, 0, 0, 10, true}, {1, 1, 0, 0, 1, 8, true}, {2, 1, 0, 1, 9, 20, true}};
  times.grid = 3;
  times.end = 20;
  EXPECT_EQ(times.first_wave(), 2u);
  EXPECT_EQ(times.first_ended()->block, 1u);
  EXPECT_EQ(times.first_later()->block, 2u);
  EXPECT_EQ(times.last_started()->block, 2u);
  EXPECT_EQ(times.last_ended()->block, 2u);
  EXPECT_EQ(times.resident(0), 1u);
  EXPECT_EQ(times.resident(8), 1u);
  EXPECT_EQ(times.resident(9), 2u);
  EXPECT_EQ(times.ended(10), 2u);
  EXPECT_EQ(most_at_once(times.blocks), 2u);
  EXPECT_EQ(most_at_once(times.on(1)), 1u);
}

}  // namespace
}  // namespace warpwalk::story::testing
