#include "tests/validate/statistics.h"

#include <gtest/gtest.h>

#include "core/gpu/device/parameters.h"
#include "core/gpu/timing/timing.h"
#include "tests/reference/compared.h"
#include "tests/validate/without.h"

namespace warpwalk::validate {
namespace {

TEST(Statistics, OfErrorsAreOfTheirSizes) {
  const Spread spread = spread_of({-10, 2, 3, -5, 1, 4, 6, 7, 8, 9});
  EXPECT_EQ(spread.rows, 10u);
  EXPECT_DOUBLE_EQ(spread.mean, 5.5);
  EXPECT_DOUBLE_EQ(spread.signed_mean, 2.5);
  EXPECT_DOUBLE_EQ(spread.median, 5.5);
  EXPECT_DOUBLE_EQ(spread.ninetieth, 9);
  EXPECT_DOUBLE_EQ(spread.worst, 10);
  EXPECT_DOUBLE_EQ(spread_of({3, -1, 2}).median, 2);
  EXPECT_EQ(spread_of({}).rows, 0u);
}

TEST(Statistics, TheCorrelationIsThatOfTheLogarithms) {
  // A power law is a straight line between logarithms.
  const std::vector<Pair> power = {{10, 100}, {100, 10000}, {1000, 1000000}};
  EXPECT_NEAR(log_correlation(power), 1, 1e-12);
  // By hand: logarithms 0 1 2 and 0 2 1.
  const std::vector<Pair> swapped = {{1, 1}, {10, 100}, {100, 10}};
  EXPECT_NEAR(log_correlation(swapped), 0.5, 1e-12);
  EXPECT_EQ(log_correlation(std::vector<Pair>{{1, 1}}), 0);
}

TEST(Statistics, LeaveOutRowsThatSpread) {
  Comparison good, wild;
  good.spread = 5;
  good.cycles = {100, 110};
  good.active = {50, 45};
  good.l1_hits = {20, 23};
  good.dram_read = {2e6, 1e6};
  good.stalls[static_cast<std::size_t>(gpu::StallReason::selected)] = {60, 60};
  good.stalls[static_cast<std::size_t>(gpu::StallReason::barrier)] = {30, 20};
  good.stalls[static_cast<std::size_t>(gpu::StallReason::wait)] = {10, 25};
  wild = good;
  wild.spread = 7;
  wild.cycles = {100, 1000};
  const Summary summary = summary_of(std::vector<Comparison>{good, wild});
  EXPECT_EQ(summary.cycles.rows, 1u);
  EXPECT_DOUBLE_EQ(summary.cycles.mean, 10);
  EXPECT_DOUBLE_EQ(summary.active.signed_mean, -10);
  EXPECT_DOUBLE_EQ(summary.l1_hits.worst, 3);
  EXPECT_DOUBLE_EQ(summary.dram.mean, 50);
  EXPECT_EQ(summary.same_stall, 0u);
}

TEST(Without, EachParameterLeavesADescriptionThatTheModelAccepts) {
  const std::vector<Without> all = withouts();
  EXPECT_GT(all.size(), 60u);
  for (const Without& without : all) {
    gpu::Device device = reference::h200();
    EXPECT_FALSE(leave_out(device, without.name)) << without.name;
    EXPECT_TRUE(gpu::timing_of(device)) << without.name;
  }
}

TEST(Without, OtherNamesAreRefused) {
  gpu::Device device = reference::h200();
  EXPECT_EQ(leave_out(device, "speed"), "speed: is not a device parameter");
  EXPECT_TRUE(leave_out(device, "gpcs"));
  EXPECT_TRUE(leave_out(device, "memory_refresh_interval"));
}

}  // namespace
}  // namespace warpwalk::validate
