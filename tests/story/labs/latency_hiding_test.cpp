// The lab "latency-hiding": the schedule against its own rules and Little's law, and the figures against the records.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device.h"
#include "core/records/hardware.h"
#include "core/story/facts/simulated/warp_schedule.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

std::int64_t issued_in(const std::vector<std::vector<WarpCycle>>& states, std::size_t from, std::size_t to) {
  std::int64_t n = 0;
  for (const auto& warp : states)
    n += std::count(warp.begin() + static_cast<std::ptrdiff_t>(from), warp.begin() + static_cast<std::ptrdiff_t>(to),
                    WarpCycle::issues);
  return n;
}

TEST(WarpSchedule, IssuesOneInstructionPerCycleAndOnlyReadyOnes) {
  for (const std::int64_t warps : {1, 3, 4, 16})
    for (const std::int64_t independent : {1, 2, 4})
      for (const std::int64_t latency : {1, 4, 7, 32}) {
        const auto states = warp_schedule({warps, independent, latency}, 300);
        ASSERT_EQ(states.size(), static_cast<std::size_t>(warps));
        for (std::size_t cycle = 0; cycle < 300; ++cycle) {
          std::int64_t issuing = 0, ready = 0;
          for (const auto& warp : states) {
            issuing += warp[cycle] == WarpCycle::issues;
            ready += warp[cycle] == WarpCycle::ready;
          }
          EXPECT_LE(issuing, 1);
          EXPECT_FALSE(issuing == 0 && ready > 0) << "a ready warp was left in cycle " << cycle;
        }
        for (const auto& warp : states) {
          std::vector<std::int64_t> issues;
          for (std::size_t cycle = 0; cycle < 300; ++cycle)
            if (warp[cycle] == WarpCycle::issues) issues.push_back(static_cast<std::int64_t>(cycle));
          for (std::size_t i = static_cast<std::size_t>(independent); i < issues.size(); ++i)
            EXPECT_GE(issues[i] - issues[i - static_cast<std::size_t>(independent)], latency);
        }
      }
}

TEST(WarpSchedule, ReachesWhatLittlesLawSays) {
  for (const std::int64_t warps : {1, 2, 3, 5, 8, 16})
    for (const std::int64_t independent : {1, 2, 4, 8})
      for (const std::int64_t latency : {2, 4, 8, 16, 32}) {
        const WarpLoad load = {warps, independent, latency};
        // Whole periods, after the first warps have found their places.
        const auto states = warp_schedule(load, 64 + 512);
        EXPECT_EQ(static_cast<double>(issued_in(states, 64, 576)) / 512, issue_rate(load))
            << warps << " " << independent << " " << latency;
        EXPECT_EQ(issue_rate({enough_warps(independent, latency), independent, latency}), 1);
        if (enough_warps(independent, latency) > 1) {
          EXPECT_LT(issue_rate({enough_warps(independent, latency) - 1, independent, latency}), 1);
        }
      }
}

TEST(LatencyHiding, FiguresAreThoseOfTheRecords) {
  for (const std::int64_t warps : {1, 2, 4, 8, 16}) {
    const records::LabRun* const run = find_run(hardware().lab_runs, fmt::format("fma_chain_{}", warps));
    ASSERT_NE(run, nullptr);
    // Chains of multiply-adds reach what the law says, up to the loop's own instructions.
    EXPECT_NEAR(*run->issued.measured, 100 * issue_rate({warps, 1, 4}), 12) << warps;
    if (warps >= 4) {
      EXPECT_LT(*run->issued.simulated, *run->issued.measured) << "the note says so";
    }
  }
  const Stage stage = lab_with("lab/latency-hiding", 2);
  const auto& table = panel_picture<TablePicture>(stage, 1, 0);
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(
      table.rows[1].cells.at(4).shown(),
      Figure::recorded(*find_run(hardware().lab_runs, "fma_chain_8")->issued.measured, Unit::percent, Origin::measured)
          .text());
  EXPECT_EQ(lab_without_records("lab/latency-hiding", 2).title, "No launch is recorded here");
  EXPECT_EQ(lab_without_records("lab/latency-hiding", 3).title, "No launch is recorded here");
  for (const std::int64_t beat : {1, 4, 5})
    EXPECT_TRUE(lab_without_records("lab/latency-hiding", beat).missing.empty());
}

TEST(LatencyHiding, NoMeasuredPointOfMemoryLiesAboveTheLaw) {
  const Stage stage = lab_with("lab/latency-hiding", 3);
  const auto& picture = panel_picture<ScatterPicture>(stage);
  const gpu::Device& device = *hardware().find("h200");
  const double ceiling = *device.memory_bandwidth / *device.sm_clock;
  ASSERT_EQ(picture.points.size(), 20u);
  for (const ScatterPoint& point : picture.points) {
    EXPECT_LE(point.y, ceiling) << point.name;
    // A tenth: sectors of the loop's own addresses, and loads that overlap with the sum of the ones before.
    EXPECT_LE(point.y, 1.1 * point.x / static_cast<double>(*device.latency_memory)) << point.name;
  }
}

TEST(LatencyHiding, TasksAreDoneByTheSettings) {
  const auto done = [](double warps, double independent, double latency) {
    return tasks_done("lab/latency-hiding", {{"warps", warps}, {"independent", independent}, {"latency", latency}});
  };
  EXPECT_EQ(done(3, 1, 16), "-----");
  EXPECT_EQ(done(16, 2, 32), "x----");
  EXPECT_EQ(done(2, 8, 16), "-x---");
  EXPECT_EQ(done(4, 1, 16), "--x--");
  EXPECT_EQ(done(16, 1, 8), "---x-");
  EXPECT_EQ(done(16, 1, 32), "----x");
}

}  // namespace
}  // namespace warpwalk::story::testing
