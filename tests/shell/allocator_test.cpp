// The pointer in the picture of a memory snapshot.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

// A click on a block in the picture chooses it, with its segment. In this snapshot, segments of 64 MiB hold a block of
// 40 MiB and a free one of 24 MiB behind it.
TEST(AllocatorSnapshot, AClickChoosesTheBlockUnderThePointer) {
  Driver driver;
  driver.open(WARPWALK_SOURCE_DIR "/assets/snapshots/h200_fragmented.pickle.gz");
  driver.settle();
  ASSERT_EQ(driver.shell.opened().stage->scene, "lab/allocator");
  std::map<double, std::set<double>> chosen;  // blocks by segment
  std::map<double, std::vector<double>> order;
  for (float y = 200; y < 640; y += 8)
    for (float x = 330; x < 1240; x += 30) {
      driver.click(x, y);
      const auto segment = driver.shell.opened().view.controls.get("lab/allocator", "segment");
      const auto block = driver.shell.opened().view.controls.get("lab/allocator", "block");
      if (driver.shell.opened().view.scene != "lab/allocator" || driver.shell.opened().view.moment.value != 1) FAIL();
      if (!segment || !block) continue;
      chosen[*segment].insert(*block);
      if (order[*segment].empty() || order[*segment].back() != *block) order[*segment].push_back(*block);
    }
  std::size_t with_both = 0;
  for (const auto& [segment, blocks] : chosen) with_both += blocks == std::set<double>{0, 1};
  EXPECT_GE(with_both, 6u);
  // From left to right: the block, then the free one.
  EXPECT_EQ(order.begin()->second.front(), 0);
}

}  // namespace
}  // namespace warpwalk::shell
