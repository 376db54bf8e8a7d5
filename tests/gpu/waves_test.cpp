#include "core/gpu/blocks/waves.h"

#include <gtest/gtest.h>

#include "tests/gpu/devices.h"

namespace warpwalk::gpu {
namespace {

TEST(Waves, WithATail) {
  // 300 blocks, 2 on each of 132 SMs: 264 at once, 36 left for a second wave with 264 slots: 300 / 528.
  const Waves waves = waves_of(300, shipped("h200"), 2);
  EXPECT_EQ(waves.blocks_per_wave, 264u);
  EXPECT_EQ(waves.full_waves, 1u);
  EXPECT_EQ(waves.tail_blocks, 36u);
  EXPECT_EQ(waves.waves(), 2u);
  EXPECT_DOUBLE_EQ(waves.tail_efficiency, 300.0 / 528.0);
}

TEST(Waves, WithoutATail) {
  const Waves waves = waves_of(1056, shipped("h200"), 8);
  EXPECT_EQ(waves.full_waves, 1u);
  EXPECT_EQ(waves.tail_blocks, 0u);
  EXPECT_EQ(waves.waves(), 1u);
  EXPECT_EQ(waves.tail_efficiency, 1.0);
}

TEST(Waves, OneBlockMoreCostsAWave) {
  const Waves waves = waves_of(1057, shipped("h200"), 8);
  EXPECT_EQ(waves.waves(), 2u);
  EXPECT_EQ(waves.tail_blocks, 1u);
  EXPECT_DOUBLE_EQ(waves.tail_efficiency, 1057.0 / 2112.0);
}

TEST(Waves, TheSameGridOnFewerSms) {
  EXPECT_EQ(waves_of(1056, shipped("h200_8sm"), 8).waves(), 17u);  // 16.5
  EXPECT_EQ(waves_of(1056, shipped("h200_2sm"), 8).waves(), 66u);
}

TEST(Waves, NothingToRun) {
  EXPECT_EQ(waves_of(0, shipped("h200"), 8).waves(), 0u);
  EXPECT_EQ(waves_of(0, shipped("h200"), 8).tail_efficiency, 1.0);
  EXPECT_EQ(waves_of(100, shipped("h200"), 0).blocks_per_wave, 0u);
}

TEST(Waves, TheLargestGridOfCuda) {
  // (2^31 - 1) * 65535 * 65535 blocks are still counted exactly.
  const std::uint64_t blocks = 2147483647ull * 65535ull * 65535ull;
  const Waves waves = waves_of(blocks, shipped("h200"), 32);
  EXPECT_EQ(waves.full_waves * waves.blocks_per_wave + waves.tail_blocks, blocks);
}

}  // namespace
}  // namespace warpwalk::gpu
