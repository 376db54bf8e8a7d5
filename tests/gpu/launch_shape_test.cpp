#include "core/gpu/blocks/launch_shape.h"

#include <gtest/gtest.h>

namespace warpwalk::gpu {
namespace {

TEST(LaunchShape, NumbersEveryThreadOnceInCudasOrder) {
  const LaunchShape launch{{3, 2, 2}, {4, 3, 2}};
  EXPECT_EQ(launch.blocks(), 12);
  EXPECT_EQ(launch.threads_per_block(), 24);
  EXPECT_EQ(launch.threads(), 288);
  EXPECT_EQ(launch.warps_per_block(), 1);
  EXPECT_EQ((LaunchShape{{1, 1, 1}, {33, 1, 1}}.warps_per_block()), 2);
  // Nested loops with x innermost visit blocks and threads in the order of their numbers.
  std::int64_t next = 0, block = 0;
  for (std::int64_t bz = 0; bz < 2; ++bz)
    for (std::int64_t by = 0; by < 2; ++by)
      for (std::int64_t bx = 0; bx < 3; ++bx, ++block) {
        EXPECT_EQ(coordinates_of(block, launch.grid), (Shape{bx, by, bz}));
        std::int64_t thread = 0;
        for (std::int64_t tz = 0; tz < 2; ++tz)
          for (std::int64_t ty = 0; ty < 3; ++ty)
            for (std::int64_t tx = 0; tx < 4; ++tx, ++thread, ++next) {
              EXPECT_EQ(coordinates_of(thread, launch.block), (Shape{tx, ty, tz}));
              EXPECT_EQ(launch.global_index(block, thread), next);
            }
      }
  EXPECT_EQ(next, launch.threads());
}

}  // namespace
}  // namespace warpwalk::gpu
