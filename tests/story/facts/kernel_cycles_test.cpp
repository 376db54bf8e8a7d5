// The facts and comparisons of a kernel's cycles.
#include "core/story/facts/simulated/kernel_cycles.h"

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/timing/stall_reason.h"
#include "core/records/hardware.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

std::string map_of(const Crafted& made) {
  std::string words;
  for_each_beat(
      made.trace, made.walk, english(),
      [&](const Scene& scene, const Stage& stage) {
        if (scene.name == "map") words += transcript(stage);
      },
      made.controls, made.view());
  return words;
}

TEST(KernelCycles, EveryReasonOfTheModelHasWords) {
  for (std::size_t i = 0; i < gpu::stall_reasons; ++i) {
    const std::string_view name = gpu::name_of(static_cast<gpu::StallReason>(i));
    EXPECT_TRUE(english().has("stall", name)) << name;
  }
}

TEST(KernelCycles, ReasonsAreSharesOfAllWarpCycles) {
  const Crafted& made = crafted_named("cycles: a simulated run");
  const std::vector<StallShare> shares =
      stall_shares({made.trace, made.walk, english(), hardware(), Moment{}, {}, Naming::both, {}});
  ASSERT_EQ(shares.size(), 6u);
  EXPECT_EQ(shares[0].reason, "long_scoreboard");
  EXPECT_DOUBLE_EQ(shares[0].percent, 50);
  EXPECT_EQ(shares[1].reason, "selected");
  EXPECT_EQ(shares[5].reason, "drain");
}

TEST(KernelCycles, OfASimulatedRunAreFactsOfTheMap) {
  const std::string words = map_of(crafted_named("cycles: a simulated run"));
  for (const char* const line :
       {"  On the GPU: 40.0 µs [simulated]\n", "  Cycles: 79,200 [simulated]\n",
        "  Achieved occupancy: 62.5 % [simulated]\n",
        "  Warps: long_scoreboard (global memory): 50.0 % [derived: warp-cycles for this reason "
        "(long_scoreboard) / cycles of all resident "
        "warps]\n",
        "  Warps: wait (fixed wait): 12.0 %", "  Warps: barrier: 1.5 %"})
    EXPECT_THAT(words, ::testing::HasSubstr(line));
  for (const char* const line : {"of_the_future", "Warps: drain", "selected"})
    EXPECT_THAT(words, ::testing::Not(::testing::HasSubstr(line)));
}

TEST(KernelCycles, OfAnEstimatedScheduleSaySo) {
  const std::string words = map_of(crafted_named("cycles: of an estimated schedule"));
  EXPECT_THAT(words, ::testing::HasSubstr("  Cycles, estimated: 79,200 [simulated]\n"));
  const std::string beside = map_of(crafted_named("cycles: estimated beside measured"));
  EXPECT_THAT(beside,
              ::testing::HasSubstr("compared: Cycles, estimated: measured 80,000, simulated 84,000, error +5.00 %;"));
  EXPECT_THAT(beside,
              ::testing::HasSubstr("compared: Time on the GPU, estimated: measured 40.0 µs, simulated 42.0 µs"));
}

TEST(KernelCycles, AreComparedWithMeasuredOnes) {
  const std::string words = map_of(crafted_named("cycles: measured beside simulated"));
  for (const char* const line :
       {"compared: Cycles: measured 80,000, simulated 84,000, error +5.00 %;",
        "compared: Active cycles: measured 70,001, simulated 70,001, error 0 %;",
        "compared: Achieved occupancy: measured 60.0 %, simulated 57.5 %, error −2.5 points;",
        "compared: L1 hits: measured 25.0 %, simulated 25.0 %, error 0 points;",
        "compared: L2 hits: measured 50.0 %, simulated 55.0 %, error +5.0 points;",
        "compared: Read from DRAM: measured 62.5 KiB, simulated 31.2 KiB, error −50.0 %;",
        "compared: Written to DRAM: measured 0 B, simulated 0 B, error 0 %;",
        "compared: Time on the GPU: measured 40.0 µs, simulated 42.0 µs, error +5.00 %;", "Counts that agree: 4 of 9"})
    EXPECT_THAT(words, ::testing::HasSubstr(line));
  const std::string without = map_of(crafted_named("cycles: not simulated"));
  EXPECT_THAT(without, ::testing::Not(::testing::HasSubstr("compared: Cycles")));
  EXPECT_THAT(without, ::testing::HasSubstr("Simulated cycles: none. A reason."));
}

}  // namespace
}  // namespace warpwalk::story::testing
