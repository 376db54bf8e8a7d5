#include "core/gpu/blocks/block_order.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "tests/gpu/devices.h"

namespace warpwalk::gpu {
namespace {

Sms placed_blocks(const Device& device, std::uint64_t blocks, std::int64_t per_sm, SchedulerState state) {
  return first_blocks(device, blocks, per_sm, state);
}

std::map<SmId, std::int64_t> counts(const Sms& sms) {
  std::map<SmId, std::int64_t> result;
  for (const SmId sm : sms) ++result[sm];
  return result;
}

TEST(BlockOrder, OneTwoAndFewBlocksGoToTheSmallGroups) {
  const Device device = shipped("h200");
  EXPECT_EQ(placed_blocks(device, 1, 8, {0, 0}), (Sms{124}));
  EXPECT_EQ(placed_blocks(device, 2, 8, {0, 0}), (Sms{124, 126}));  // one per TPC
  EXPECT_EQ(placed_blocks(device, 3, 8, {0, 0}), (Sms{124, 126, 128}));
  EXPECT_EQ(placed_blocks(device, 3, 8, {0, 1}), (Sms{128, 124, 126}));  // the same SMs, starting with the other group
  EXPECT_EQ(placed_blocks(device, 6, 8, {0, 0}), (Sms{124, 125, 126, 127, 128, 130}));
}

TEST(BlockOrder, FurtherBlocksGoRoundTheGpcs) {
  // 12 blocks: 8 for the small groups, 4 for GPCs 0, 1, 2 and 3. Block numbers start at GPC 2.
  EXPECT_EQ(placed_blocks(shipped("h200"), 12, 8, {2, 0}), (Sms{124, 125, 126, 127, 128, 129, 130, 131, 4, 6, 0, 2}));
}

TEST(BlockOrder, ASecondSmOfATpcOnlyAfterAllTpcs) {
  // 132 SMs form 66 TPCs: 8 blocks go to the 4 TPCs of the small groups and 62 to the others. Block 71 is the first on
  // a second SM of a TPC.
  const Device device = shipped("h200");
  const auto first = counts(placed_blocks(device, 70, 8, {}));
  for (SmId sm = 0; sm < 124; ++sm) EXPECT_EQ(first.count(sm), sm % 2 == 0 ? 1u : 0u) << sm;
  const auto second = counts(placed_blocks(device, 71, 8, {}));
  EXPECT_EQ(second.count(1), 1u);  // TPC 0 of GPC 0
  EXPECT_EQ(second.size(), 71u);
}

TEST(BlockOrder, EveryRoundGivesEachSmOneBlock) {
  for (const char* id : {"h200", "h200_8sm", "h200_2sm", "a100", "t4"}) {
    const Device device = shipped(id);
    const auto sms = static_cast<std::uint64_t>(*device.sm_count);
    for (const std::int64_t per_sm : {1, 2, 7, 32})
      for (const std::uint64_t blocks : {std::uint64_t{1}, sms - 1, sms, sms + 1, 3 * sms + sms / 2, 40 * sms}) {
        const Sms order = placed_blocks(device, blocks, per_sm, {1, 0});
        const std::uint64_t expected = std::min(blocks, sms * static_cast<std::uint64_t>(per_sm));
        ASSERT_EQ(order.size(), expected) << id << ' ' << blocks << ' ' << per_sm;
        const auto by_sm = counts(order);
        const auto rounds = static_cast<std::int64_t>(expected / sms);
        for (const auto& [sm, count] : by_sm) {
          EXPECT_LT(sm, sms);
          EXPECT_GE(count, rounds) << id << ' ' << blocks << ' ' << sm;
          EXPECT_LE(count, rounds + (expected % sms > 0 ? 1 : 0)) << id << ' ' << blocks << ' ' << sm;
        }
        EXPECT_EQ(by_sm.size(), std::min(expected, sms));
      }
  }
}

TEST(BlockOrder, SmallGroupsRunAheadOfTheOthers) {
  // Two full rounds from GPC 0: 8 blocks, then GPCs 0 to 4 (8 + 4 * 16), then the second round of the small groups.
  const Sms order = placed_blocks(shipped("h200"), 264, 2, {0, 0});
  EXPECT_EQ(order[79], 113);  // the last of GPC 4
  EXPECT_EQ(order[80], 124);
  EXPECT_EQ(order[87], 131);
  EXPECT_EQ(order[88], 10);  // the first of GPC 5
}

TEST(BlockOrder, StateGoesFromLaunchToLaunch) {
  const Device device = shipped("h200");
  SchedulerState state{2, 0};
  const Sms order = first_blocks(device, 12, 8, state);
  EXPECT_EQ(state, (SchedulerState{2, 1}));  // the last GPC and the last small group were 1
  EXPECT_EQ(state, state_after(device, order, {}));
  first_blocks(device, 9, 8, state);
  EXPECT_EQ(state, (SchedulerState{1, 0}));  // one block on GPC 0
  first_blocks(device, 0, 8, state);
  EXPECT_EQ(state, (SchedulerState{1, 0}));
}

TEST(BlockOrder, AStateOfALargerDeviceIsTakenModulo) {
  EXPECT_EQ(placed_blocks(shipped("h200_8sm"), 8, 1, {6, 1}), placed_blocks(shipped("h200_8sm"), 8, 1, {0, 0}));
}

TEST(BlockOrder, TeachingDevices) {
  // GPC 0 has the TPCs {0, 1} and {4, 5}, GPC 1 has {2, 3} and {6, 7}.
  EXPECT_EQ(placed_blocks(shipped("h200_8sm"), 8, 1, {0, 0}), (Sms{0, 1, 4, 5, 2, 3, 6, 7}));
  EXPECT_EQ(placed_blocks(shipped("h200_8sm"), 3, 1, {0, 0}), (Sms{0, 4, 2}));
  EXPECT_EQ(placed_blocks(shipped("h200_2sm"), 5, 2, {0, 0}), (Sms{0, 1, 0, 1}));
}

TEST(BlockOrder, ADeviceWithoutGroupsGoesInOrder) {
  const Sms order = placed_blocks(shipped("rtx4090"), 128, 1, {});
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

TEST(BlockOrder, NothingFits) {
  EXPECT_TRUE(placed_blocks(shipped("h200"), 10, 0, {}).empty());
  EXPECT_TRUE(placed_blocks(shipped("h200"), 0, 8, {}).empty());
}

TEST(BlockOrder, ARecordOfALargerGpuIsNoReasonToFail) {
  const Sms foreign = {200, 65535, 3};
  EXPECT_EQ(state_after(shipped("h200_8sm"), foreign, {}).next_gpc, 0);  // SM 3 is in GPC 1, the last GPC
  EXPECT_EQ(state_before(shipped("h200_8sm"), foreign).next_gpc, 1);
}

}  // namespace
}  // namespace warpwalk::gpu
