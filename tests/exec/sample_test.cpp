// Samples of the blocks of a grid.
#include "core/gpu/exec/sample.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace warpwalk::gpu {
namespace {

std::uint64_t chosen_in(const std::vector<BlockSample>& samples) {
  return std::accumulate(samples.begin(), samples.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const BlockSample& one) { return sum + one.chosen.size(); });
}

TEST(SampleBlocks, EdgesAreApartFromTheInside) {
  const auto samples = sample_blocks({10, 20, 1}, 60);
  ASSERT_EQ(samples.size(), 9U);
  EXPECT_EQ(samples[0].blocks, 1U);
  EXPECT_EQ(samples[0].chosen, std::vector<std::uint64_t>{0});
  EXPECT_EQ(samples[1].blocks, 8U) << "of the first row";
  EXPECT_EQ(samples[4].blocks, 8U * 18);
  EXPECT_GT(samples[4].chosen.size(), 30U);
  EXPECT_EQ(samples[8].chosen, std::vector<std::uint64_t>{199});
  EXPECT_LE(chosen_in(samples), 60U);
  for (const std::uint64_t block : samples[4].chosen) {
    EXPECT_TRUE(block % 10 >= 1 && block % 10 <= 8) << block;
    EXPECT_TRUE(block / 10 >= 1 && block / 10 <= 18) << block;
  }
}

TEST(SampleBlocks, AllPartsTogetherAreTheGrid) {
  for (const std::array<std::uint32_t, 3> grid :
       {std::array{1U, 1U, 1U}, std::array{2U, 3U, 4U}, std::array{1000U, 1U, 7U}})
    for (const std::uint64_t most : {1U, 8U, 100U, 1000000U}) {
      std::vector<std::uint64_t> all;
      std::uint64_t blocks = 0;
      for (const BlockSample& sample : sample_blocks(grid, most)) {
        blocks += sample.blocks;
        EXPECT_FALSE(sample.chosen.empty());
        all.insert(all.end(), sample.chosen.begin(), sample.chosen.end());
      }
      const std::uint64_t size = std::uint64_t{grid[0]} * grid[1] * grid[2];
      EXPECT_EQ(blocks, size);
      EXPECT_LE(all.size(), std::max<std::uint64_t>(most, 1));
      std::ranges::sort(all);
      EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
      EXPECT_LT(all.back(), size);
      if (most >= 2 * size) {
        EXPECT_EQ(all.size(), size);
      }
    }
}

TEST(SampleBlocks, CountersAreScaledAndRounded) {
  Counters counters;
  counters.warp_instructions = 10, counters.blocks = 3, counters.issued_by_line = {0, 7};
  const Counters more = scaled(counters, 2.5);
  EXPECT_EQ(more.warp_instructions, 25U);
  EXPECT_EQ(more.blocks, 8U);
  EXPECT_EQ(more.issued_by_line, (std::vector<std::uint64_t>{0, 18}));
}

}  // namespace
}  // namespace warpwalk::gpu
