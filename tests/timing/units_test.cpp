// Loops of tests/cuda/microbench on the timing model, against what an H200 took (the recordings there).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

double cycles_of_rounds(const std::string& name, int rounds) {
  auto loaded =
      run::load_launch(timed::tests() / "timing/launches" / fmt::format("{}_{}.json", name, rounds), timed::h200());
  if (!loaded) throw std::runtime_error(loaded.error());
  return timed::time(*loaded).cycles;
}

double cycles_per_round(const std::string& name) {
  return (cycles_of_rounds(name, 96) - cycles_of_rounds(name, 32)) / 64;
}

/// Four warps of a sub-partition issue nearly one FFMA per cycle although all operands lie in one bank: 86.8 cycles for
/// 17 of each and a branch (control.csv, skip_uniform). Three reads each would take 192 cycles.
TEST(Units, ARegisterThatAllOperandsNameIsReadOnce) { EXPECT_LT(cycles_per_round("fma_same"), 100); }

/// control.csv: 32.6 cycles per operation of skip_lanes, 6.9 of FFMA alone, whose four cycles remain.
TEST(Units, LanesThatComeTogetherAgainTakeTime) {
  const double measured = (32.6 - 6.9 + 4) * 8;
  EXPECT_NEAR(cycles_per_round("converge"), measured, measured * 0.06);
}

/// queue.csv, bar_load: 161.1 cycles for a block of 1,024 threads.
TEST(Units, BarriersShareTheLoadStoreUnit) { EXPECT_NEAR(cycles_per_round("barrier_loads"), 161.1, 161.1 * 0.1); }

/// control.csv, fence_cta and fence_gpu: 14.9 and 270.1 cycles for each of eight.
TEST(Units, AFenceForTheGpuTakesAWayToL2) {
  EXPECT_NEAR(cycles_per_round("fence_block"), 14.9 * 8, 14.9 * 8 * 0.2);
  EXPECT_NEAR(cycles_per_round("fence_gpu"), 270.1 * 8, 270.1 * 8 * 0.05);
}

}  // namespace
}  // namespace warpwalk::gpu
