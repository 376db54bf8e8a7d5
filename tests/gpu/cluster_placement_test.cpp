#include "core/gpu/blocks/cluster_placement.h"

#include <gtest/gtest.h>

#include "tests/gpu/devices.h"

namespace warpwalk::gpu {
namespace {

Sms placed_clusters(Shape grid, Shape cluster, std::int64_t blocks_per_sm = 8) {
  return place_clusters(shipped("h200"), {grid, cluster, blocks_per_sm});
}

TEST(ClusterPlacement, ActiveClustersAreThoseOfCuda) {
  // cudaOccupancyMaxActiveClusters on an H200, for blocks of which 2 or 8 fit on an SM.
  const Device device = shipped("h200");
  const auto active = [&](std::int64_t size, std::int64_t per_sm) { return max_active_clusters(device, size, per_sm); };
  EXPECT_EQ(active(2, 2), 132);
  EXPECT_EQ(active(4, 2), 62);
  EXPECT_EQ(active(8, 2), 30);
  EXPECT_EQ(active(16, 2), 14);
  EXPECT_EQ(active(2, 8), 528);
  EXPECT_EQ(active(4, 8), 248);
  EXPECT_EQ(active(8, 8), 124);
  EXPECT_EQ(active(16, 8), 58);
}

TEST(ClusterPlacement, PairsFillTpcsFirstOutsideTheGpcs) {
  // %smid on an H200, in the first launch of a process.
  EXPECT_EQ(placed_clusters({32, 1, 1}, {2, 1, 1}),
            (Sms{124, 125, 126, 127, 128, 129, 130, 131, 0,  1,  2,  3,  4,  5,  6,  7,
                 8,   9,   10,  11,  12,  13,  14,  15,  16, 17, 18, 19, 20, 21, 22, 23}));
}

TEST(ClusterPlacement, LargerClustersTakeTurnsOnTheGpcs) {
  // %smid on an H200.
  EXPECT_EQ(placed_clusters({40, 1, 1}, {4, 1, 1}),
            (Sms{0,  1,  16, 17, 2,  3,  18, 19, 4,  5,  20, 21, 6,  7,  22, 23, 8,  9,  24, 25,
                 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31, 32, 33, 48, 49, 34, 35, 50, 51}));
}

TEST(ClusterPlacement, RanksCountAlongX) {
  EXPECT_EQ(placed_clusters({4, 2, 1}, {2, 2, 1}), (Sms{0, 1, 2, 3, 16, 17, 18, 19}));
}

TEST(ClusterPlacement, NothingFits) { EXPECT_TRUE(placed_clusters({16, 1, 1}, {16, 1, 1}, 0).empty()); }

}  // namespace
}  // namespace warpwalk::gpu
