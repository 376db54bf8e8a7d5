// The sanitizer's memory about global memory: what blocks know of one another, and the last accesses to each word.
#include "core/gpu/exec/shadow/global_shadow.h"

#include <algorithm>
#include <map>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "core/gpu/exec/shadow/known_blocks.h"

namespace warpwalk::gpu {
namespace {

/// The same as KnownBlocks, as a plain map from block and warp to the epoch.
using Plain = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

void raise_epochs(Plain& to, std::uint32_t block, const KnownBlocks::Epochs& epochs) {
  for (std::uint32_t warp = 0; warp < epochs.size(); ++warp)
    to[{block, warp}] = std::max(to[{block, warp}], epochs[warp]);
}

TEST(KnownBlocks, AnswersAsAMapOfAllWarpsDoes) {
  std::mt19937 random(5);
  const std::uint32_t blocks[] = {0, 1, 7, 8, 9, 63, 64, 100, 511, 512, 70000, 0x7fffffff, 0xffffffff};
  for (int round = 0; round < 50; ++round) {
    KnownBlocks clocks[3];
    Plain plain[3];
    for (int step = 0; step < 60; ++step) {
      const std::size_t a = random() % 3, b = random() % 3;
      if (random() % 3 != 0) {
        const std::uint32_t block = blocks[random() % std::size(blocks)];
        const auto epoch = [&] { return static_cast<std::uint32_t>(random() % 9); };
        const KnownBlocks::Epochs epochs{epoch(), epoch(), epoch()};
        clocks[a].add(block, epochs);
        raise_epochs(plain[a], block, epochs);
      } else {
        clocks[a].join(clocks[b]);
        for (const auto& [place, epoch] : Plain(plain[b])) plain[a][place] = std::max(plain[a][place], epoch);
      }
      for (const std::uint32_t block : blocks) {
        for (std::uint32_t warp = 0; warp < 4; ++warp) {
          const auto known = plain[a].find({block, warp});
          ASSERT_EQ(clocks[a].epoch_of(block, warp), known == plain[a].end() ? 0 : known->second)
              << "block " << block << " warp " << warp << " in step " << step << " of round " << round;
        }
      }
    }
  }
}

TEST(KnownBlocks, NothingIsKnownAtFirst) {
  KnownBlocks clock;
  EXPECT_TRUE(clock.empty());
  EXPECT_EQ(clock.epoch_of(0, 0), 0u);
  clock.join(KnownBlocks());
  EXPECT_TRUE(clock.empty());
  clock.add(3, {4});
  EXPECT_FALSE(clock.empty());
}

TEST(GlobalShadow, APageIsSplitIntoBytesByTheFirstSmallAccess) {
  GlobalShadow shadow(1 << 20);
  const GlobalShadow::Cells words = shadow.at(1000, 16);
  ASSERT_EQ(words.cells.size(), 4u);
  EXPECT_EQ(words.bytes, 4);
  words.cells[1].plain.epoch = 9;
  const GlobalShadow::Cells half = shadow.at(1006, 2);
  ASSERT_EQ(half.cells.size(), 2u);
  EXPECT_EQ(half.bytes, 1);
  EXPECT_EQ(half.cells[0].plain.epoch, 9u) << "bytes keep what was known of their word";
  const GlobalShadow::Cells bytes = shadow.at(1000, 16);
  ASSERT_EQ(bytes.cells.size(), 16u);
  EXPECT_EQ(bytes.cells[3].plain.epoch, 0u);
  EXPECT_EQ(bytes.cells[4].plain.epoch, 9u);
  EXPECT_EQ(bytes.cells[7].plain.epoch, 9u);
  EXPECT_EQ(bytes.cells[8].plain.epoch, 0u);
}

TEST(GlobalShadow, EndsAtItsLimit) {
  constexpr std::size_t page = 256 * sizeof(GlobalCell);
  GlobalShadow shadow(2 * page);
  EXPECT_EQ(shadow.at(0, 4).cells.size(), 1u);
  EXPECT_EQ(shadow.at(1 << 20, 4).cells.size(), 1u);
  EXPECT_FALSE(shadow.is_full());
  EXPECT_TRUE(shadow.at(2 << 20, 4).cells.empty());
  EXPECT_TRUE(shadow.is_full());
  EXPECT_EQ(shadow.at(16, 8).cells.size(), 2u) << "known pages are still checked";
  EXPECT_TRUE(shadow.at(16, 1).cells.empty()) << "bytes need more room";
}

}  // namespace
}  // namespace warpwalk::gpu
