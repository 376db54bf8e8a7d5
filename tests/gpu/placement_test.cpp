// Compares the rule of block_order.h with placements recorded on H200s (tests/gpu/data/README.md).
#include <gtest/gtest.h>

#include "core/gpu/blocks/block_order.h"
#include "core/gpu/blocks/block_scheduler.h"
#include "tests/gpu/devices.h"

namespace warpwalk::gpu {
namespace {

/// Predicts each launch of a file from the device and the scheduler state after the previous launch.
struct Comparison {
  std::vector<std::uint64_t> equal, compared;  ///< blocks of each launch that fit on the GPU at once
  std::uint64_t all_equal = 0, all = 0;
};

Comparison compare(std::string_view file) {
  const Device device = shipped("h200");
  Comparison result;
  SchedulerState state;  // state before the first launch
  for (const RecordedLaunch& launch : recorded(file)) {
    SchedulerState now = state;
    const auto predicted = first_blocks(device, launch.sms.size(), 2048 / launch.threads, now);
    result.equal.push_back(count_equal_placements(predicted, launch.sms));
    result.compared.push_back(predicted.size());
    result.all_equal += result.equal.back();
    result.all += predicted.size();
    state = state_after(device, launch.sms, state);
  }
  return result;
}

TEST(Placement, OfTheRecordedLaunches) {
  const Comparison result = compare("h200_block_placement.txt");
  ASSERT_EQ(result.compared, (std::vector<std::uint64_t>{264, 300, 300}));
  // All 300 blocks of the launches with 256 and 64 threads agree. The launch with 1024 threads is the first of its
  // process. There the TPCs of the small groups got their next round after 2 GPC batches instead of 5, which shifts 56
  // blocks. The last 36 of its 300 blocks waited for others to end, so no placement rule can predict them.
  EXPECT_EQ(result.equal, (std::vector<std::uint64_t>{208, 300, 300}));
}

TEST(Placement, OfFurtherLaunches) {
  const Comparison result = compare("h200_more_placements.txt");
  ASSERT_EQ(result.equal.size(), 74u);
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < result.equal.size(); ++i)
    if (result.equal[i] != result.compared[i]) wrong.push_back(i);
  EXPECT_EQ(wrong, (std::vector<std::size_t>{0}));  // again the first launch of the process, as above
  EXPECT_EQ(result.equal[0], 208u);
  EXPECT_EQ(result.all - result.all_equal, 264u - 208u);
  EXPECT_EQ(result.all, 24848u);
}

TEST(Placement, ASimpleRoundRobinWouldNotDo) {
  // Shows that the comparison can fail: SMs in numerical order hardly ever agree.
  std::uint64_t equal = 0, all = 0;
  for (const RecordedLaunch& launch : recorded("h200_more_placements.txt"))
    for (std::size_t block = 0; block < launch.sms.size(); ++block, ++all)
      equal += launch.sms[block] == static_cast<SmId>(block % 132) ? 1 : 0;
  EXPECT_LT(equal * 20, all);
}

TEST(Placement, ARecordTellsWhereTheSchedulerStoodBefore) {
  const Device device = shipped("h200");
  const auto launches = recorded("h200_block_placement.txt");
  EXPECT_EQ(state_before(device, launches[0].sms), (SchedulerState{0, 1}));
  EXPECT_EQ(state_before(device, launches[1].sms), (SchedulerState{6, 1}));
  EXPECT_EQ(state_before(device, launches[2].sms), (SchedulerState{6, 0}));
  // The last block of the first launch is on SM 86 of GPC 5, the last of a small group on SM 129 of group 1.
  EXPECT_EQ(state_after(device, launches[0].sms, {}), (SchedulerState{6, 1}));
  EXPECT_EQ(state_after(device, launches[1].sms, {}), (SchedulerState{6, 0}));
}

}  // namespace
}  // namespace warpwalk::gpu
