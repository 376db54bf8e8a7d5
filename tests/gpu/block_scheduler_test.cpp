#include "core/gpu/blocks/block_scheduler.h"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "tests/gpu/devices.h"

namespace warpwalk::gpu {
namespace {

/// Checks that no slot of an SM holds two blocks at once and that no SM exceeds its number of blocks.
void expect_possible(const Schedule& schedule, std::int64_t blocks_per_sm) {
  std::map<std::pair<SmId, std::uint8_t>, std::vector<std::pair<std::int64_t, std::int64_t>>> slots;
  for (std::size_t b = 0; b < schedule.blocks(); ++b) {
    ASSERT_LT(schedule.slot[b], blocks_per_sm) << b;
    ASSERT_LE(schedule.start[b], schedule.end[b]) << b;
    slots[{schedule.sm[b], schedule.slot[b]}].emplace_back(schedule.start[b], schedule.end[b]);
  }
  for (auto& [slot, times] : slots) {
    std::sort(times.begin(), times.end());
    for (std::size_t i = 1; i < times.size(); ++i) ASSERT_LE(times[i - 1].second, times[i].first) << slot.first;
  }
}

TEST(BlockScheduler, ByHandOnTwoSms) {
  // 2 SMs with 1 block each, 380 cycles from the end of a block to the next start.
  const std::vector<std::int64_t> cycles = {100, 1000, 50, 200, 5};
  const Schedule s = schedule_blocks(shipped("h200_2sm"), {5, 1, 1, {0, cycles}}, {});
  EXPECT_EQ(s.sm, (std::vector<SmId>{0, 1, 0, 0, 1}));
  // SM 0: 0-100, 480-530, 910-1110. SM 1 becomes free earlier, at 1000.
  EXPECT_EQ(s.start, (std::vector<std::int64_t>{0, 0, 480, 910, 1380}));
  EXPECT_EQ(s.cycles, 1385);
}

TEST(BlockScheduler, BlocksOfOneSmStartOneAfterTheOther) {
  // 24 cycles apart, or 3.2 * 32 = 102 for blocks of 32 warps.
  const Schedule thin = schedule_blocks(shipped("h200_2sm"), {4, 2, 2, {1000, {}}}, {});
  EXPECT_EQ(thin.start, (std::vector<std::int64_t>{0, 0, 24, 24}));
  EXPECT_EQ(thin.slot, (std::vector<std::uint8_t>{0, 0, 1, 1}));
  const Schedule wide = schedule_blocks(shipped("h200_2sm"), {4, 2, 32, {1000, {}}}, {});
  EXPECT_EQ(wide.start, (std::vector<std::int64_t>{0, 0, 102, 102}));
}

TEST(BlockScheduler, FirstBlocksAreThoseOfTheOrder) {
  const Device device = shipped("h200");
  const SchedulerState state{3, 0};
  const Schedule schedule = schedule_blocks(device, {300, 2, 32, {5000, {}}}, state);
  SchedulerState moved = state;
  const auto first = first_blocks(device, 300, 2, moved);
  ASSERT_EQ(first.size(), 264u);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), schedule.sm.begin()));
  EXPECT_EQ(schedule.state, state_after(device, schedule.sm, state));
  EXPECT_EQ(schedule.waves.tail_blocks, 36u);
}

TEST(BlockScheduler, UniformBlocksKeepTheirOrderInEveryWave) {
  const Schedule s = schedule_blocks(shipped("h200_8sm"), {8 * 5, 1, 4, {1000, {}}}, {});
  for (std::size_t b = 8; b < 40; ++b) {
    EXPECT_EQ(s.sm[b], s.sm[b - 8]) << b;
    EXPECT_EQ(s.start[b], s.end[b - 8] + 380) << b;
  }
  EXPECT_EQ(s.cycles, 5 * 1000 + 4 * 380);
}

TEST(BlockScheduler, EveryBlockRunsOnceWhereThereIsRoom) {
  std::mt19937 random(7);
  for (const char* id : {"h200", "h200_8sm", "h200_2sm", "a100"})
    for (const std::int64_t per_sm : {1, 3, 16}) {
      std::vector<std::int64_t> cycles(3000);
      for (auto& c : cycles) c = random() % 4000;
      const Schedule s = schedule_blocks(shipped(id), {cycles.size(), per_sm, 4, {0, cycles}}, {});
      ASSERT_EQ(s.blocks(), cycles.size());
      expect_possible(s, per_sm);
      for (std::size_t b = 0; b < cycles.size(); ++b) ASSERT_EQ(s.end[b] - s.start[b], cycles[b]);
      EXPECT_EQ(s.cycles, *std::max_element(s.end.begin(), s.end.end()));
    }
}

TEST(BlockScheduler, LaterBlocksStartInTheirOrderWhereAnSmHoldsOne) {
  std::mt19937 random(9);
  std::vector<std::int64_t> cycles(2000);
  for (auto& c : cycles) c = 1 + random() % 900;
  const Schedule s = schedule_blocks(shipped("h200"), {cycles.size(), 1, 4, {0, cycles}}, {});
  for (std::size_t b = 133; b < cycles.size(); ++b) ASSERT_GE(s.start[b], s.start[b - 1]) << b;
}

TEST(BlockScheduler, MoreSmsAreNeverSlower) {
  std::int64_t last = 0;
  for (const char* id : {"h200", "h200_8sm", "h200_2sm"}) {
    const Schedule s = schedule_blocks(shipped(id), {1056, 8, 8, {10000, {}}}, {});
    EXPECT_GT(s.cycles, last) << id;
    last = s.cycles;
  }
}

TEST(BlockScheduler, TheSameTwice) {
  const GridLaunch launch{5000, 8, 8, {777, {}}};
  const Schedule a = schedule_blocks(shipped("h200"), launch, {});
  const Schedule b = schedule_blocks(shipped("h200"), launch, {});
  EXPECT_EQ(a.sm, b.sm);
  EXPECT_EQ(a.start, b.start);
}

TEST(BlockScheduler, CyclesOfABlock) {
  const std::vector<std::int64_t> two = {5, -3};
  const Schedule s = schedule_blocks(shipped("h200"), {3, 1, 1, {7, two}}, {});
  EXPECT_EQ(s.end, (std::vector<std::int64_t>{5, 0, 7}));  // from the list; clamped to 0; beyond the list
}

TEST(BlockScheduler, WhatCannotRunIsEmpty) {
  EXPECT_EQ(schedule_blocks(shipped("h200"), {10, 0, 1, {1, {}}}, {}).blocks(), 0u);
  EXPECT_EQ(schedule_blocks(shipped("h200"), {10, 256, 1, {1, {}}}, {}).blocks(), 0u);
  EXPECT_EQ(schedule_blocks(shipped("h200"), {0, 8, 1, {1, {}}}, {}).cycles, 0);
}

TEST(BlockScheduler, MillionsOfBlocks) {
  // One heap operation per block: 2,000,000 blocks take well under a second; a quadratic search would take hours.
  const Schedule s = schedule_blocks(shipped("h200"), {2'000'000, 32, 2, {1000, {}}}, {});
  EXPECT_EQ(s.blocks(), 2'000'000u);
  // 474 waves (473.5). Each takes 1000 + 380 cycles, except the last, which no block replaces. The first wave has
  // 31 starts that are 24 cycles apart.
  EXPECT_GE(s.cycles, 473 * 1380 + 1000);
  EXPECT_LE(s.cycles, 473 * 1380 + 1000 + 31 * 24);
}

TEST(EqualPlacements, CountsTheCommonPart) {
  const std::vector<SmId> a = {1, 2, 3}, b = {1, 5, 3, 4};
  EXPECT_EQ(count_equal_placements(a, b), 2u);
}

}  // namespace
}  // namespace warpwalk::gpu
