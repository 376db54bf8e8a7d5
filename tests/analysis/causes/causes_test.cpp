// Training steps with one cause of lost time each, recorded by causes.py on H200s: what to change first is the cause,
// and its bound is what removing it gained when that was recorded too.
#include <algorithm>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "core/analysis/ranks/read_ranks.h"
#include "core/analysis/time/advice.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::analysis {
namespace {

const std::filesystem::path causes_folder = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/analysis/causes";
constexpr double bound_tolerance = 0.2;  // of the gain

struct PlantedCause {
  const char* trace;
  AdviceKind kind;
  const char* function;  ///< whose line it is; empty: of no line
  double gain_ms;        ///< by which the same steps took less time when it was removed
};

class PlantedCauses : public ::testing::TestWithParam<PlantedCause> {};

TEST_P(PlantedCauses, AreWhatToChangeFirst) {
  const PlantedCause& planted = GetParam();
  const trace::ReadResult read = trace::read_trace(causes_folder / (std::string(planted.trace) + ".json.gz"));
  ASSERT_FALSE(read.error) << *read.error;
  const PathFinder paths(read.trace);
  const CodePlaces places(read.trace);
  AdviceSums sums(read.trace, places);
  for (const IdleReport& report : idle_reports(read.trace, paths)) {
    sums.begin_at(report.from);
    sums.add(report.parts);
  }
  sums.add(paths.whole());
  const std::vector<Advice> advice = sums.first(1);
  ASSERT_FALSE(advice.empty());
  const Advice& first = advice.front();
  EXPECT_EQ(name_of(first.kind), name_of(planted.kind));
  const std::string function = planted.function;
  EXPECT_TRUE(function.empty() ? first.line.empty() : first.line.ends_with("): " + function)) << first.line;
  EXPECT_NEAR(static_cast<double>(first.at_most) / 1e6, planted.gain_ms, bound_tolerance * planted.gain_ms);
}

// Gains: the span of the steps' CPU and GPU work with the cause, less that without it. Of `sampled`, whose file lost
// kernels: the time of the lost kernels, which is all that can be known.
INSTANTIATE_TEST_SUITE_P(Steps, PlantedCauses,
                         ::testing::Values(PlantedCause{"preprocessing", AdviceKind::host, "normalize", 447.5},
                                           PlantedCause{"sampled", AdviceKind::unrecorded_gpu, "", 40.35},
                                           PlantedCause{"tiny_kernels", AdviceKind::small_kernels, "adam_by_hand",
                                                        132.5 * 3 / 8},
                                           PlantedCause{"unfused_chain", AdviceKind::fuse, "augment", 56.7},
                                           PlantedCause{"item_in_loop", AdviceKind::synchronise, "before", 95.4},
                                           PlantedCause{"pageable", AdviceKind::pageable, "before", 166.3},
                                           PlantedCause{"layout", AdviceKind::layout, "forward", 28.3}),
                         [](const auto& test) { return std::string(test.param.trace); });

TEST(PlantedCause, OfTwoRanksIsTheLateOne) {
  const auto report = read_ranks(rank_files(causes_folder / "slow_rank"));
  ASSERT_TRUE(report) << report.error();
  ASSERT_FALSE(report->causes.empty());
  const LateCause& first = report->causes.front();
  EXPECT_EQ(report->ranks[first.rank].identity.rank, 1);
  EXPECT_EQ(first.kind, LateKind::line);
  EXPECT_EQ(first.function, "normalize");
  const double gain_ms = 136.6;
  EXPECT_NEAR(static_cast<double>(first.late) * static_cast<double>(first.times) / 1e6, gain_ms,
              bound_tolerance * gain_ms);
}

}  // namespace
}  // namespace warpwalk::analysis
