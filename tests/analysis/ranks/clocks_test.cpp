// Clocks and matches of made-up runs, whose truth is known.
#include <cstdlib>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/analysis/ranks/rank_report.h"
#include "tests/traces/made_ranks.h"

namespace warpwalk::analysis {
namespace {

RankReport report_on(const MadeRanks& made) { return rank_report(std::vector<RankDigest>(made.digests)); }

// Offsets of seconds, drifts of up to 20 ppm, ends that differ by 3 us and now and then by 100 us.
TEST(RankClocks, AreRecoveredWithinTwoMicroseconds) {
  for (const std::size_t ranks : {2, 8, 64})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const MadeRanks made = made_ranks({.data = ranks, .steps = 50, .seed = seed});
      const RankReport report = report_on(made);
      EXPECT_LE(clock_error(made, report), 2'000) << ranks << " ranks, seed " << seed;
      EXPECT_GT(report.alignment.uncertainty, 0);
      EXPECT_EQ(wrong_matches(report), 0u) << ranks << " ranks, seed " << seed;
    }
}

// Ranks 0 and 3 share no group; they are linked through others.
TEST(RankClocks, AreRecoveredThroughGroupsOfTensorAndDataParallelism) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const MadeRanks made = made_ranks({.tensor = 2, .data = 4, .seed = seed});
    const RankReport report = report_on(made);
    EXPECT_LE(clock_error(made, report), 2'000) << seed;
    for (const RankClock& clock : report.alignment.clocks) EXPECT_TRUE(clock.aligned);
  }
}

TEST(RankClocks, OfOneMachineAreOne) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const RankReport report = report_on(made_ranks({.data = 4, .most_drift = 0, .most_offset = 0, .seed = seed}));
    for (const RankClock& clock : report.alignment.clocks) {
      EXPECT_EQ(clock.offset, 0) << seed;
      EXPECT_EQ(clock.drift, 0) << seed;
    }
  }
}

TEST(RankClocks, CommonAndLocalTimesAreInverse) {
  const RankClock clock{.offset = -1'234'567'890'123, .drift = 2e-5, .since = 1'790'000'000'000'000'000};
  for (const std::int64_t after : {0, 1, 999'999'999}) {
    const std::int64_t local = clock.since + after;
    EXPECT_LE(std::abs(clock.local(clock.common(local)) - local), 1);
  }
}

// The recorder of one rank began later, ended earlier, and lost records between.
TEST(RankMatches, HoldWhereTracesBeginAndEndElsewhere) {
  for (const bool sequences : {true, false})
    for (const bool equal_sizes : {true, false})
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        MadeRanks made = made_ranks({.data = 4, .sequences = sequences, .equal_sizes = equal_sizes, .seed = seed});
        RankDigest& one = made.digests[2];
        lose(one, 100, 3);
        lose(one, 0, 7);
        lose(one, one.collectives.size() - 5, 5);
        const RankReport report = report_on(made);
        const std::string name = (sequences ? "numbered" : "not numbered") + std::string(equal_sizes ? ", alike" : "") +
                                 ", seed " + std::to_string(seed);
        EXPECT_EQ(wrong_matches(report), 0u) << name;
        EXPECT_FALSE(report.problems.empty()) << name;
      }
}

TEST(RankMatches, OtherSizesAreMixedAndNotTimed) {
  MadeRanks made = made_ranks({.data = 2});
  made.digests[1].collectives[50].bytes += 4096;
  const RankReport report = report_on(made);
  std::size_t mixed = 0;
  for (const MatchedCollective& one : report.collectives) {
    mixed += one.mixed;
    if (one.mixed) {
      EXPECT_EQ(one.late, MatchedCollective::nobody);
    }
  }
  EXPECT_EQ(mixed, 1u);
}

TEST(RankMatches, ASecondFileOfARankIsNamedAndLeftOut) {
  MadeRanks made = made_ranks({.data = 2});
  made.digests.push_back(made.digests.front());
  made.digests.back().file = "again.json";
  const RankReport report = report_on(made);
  EXPECT_EQ(report.ranks.size(), 2u);
  ASSERT_FALSE(report.problems.empty());
  EXPECT_NE(report.problems.front().find("again.json"), std::string::npos);
}

// By hand: 100 MB in 1 ms are 100 GB/s; the links of a ring of 4 carry 2 x 3/4 of it for an all-reduce.
TEST(RankMatches, BandwidthsAreThoseOfNcclTests) {
  MatchedCollective one;
  one.bytes = 100'000'000;
  one.transfer = 1'000'000;
  one.members.resize(4);
  one.kind = CollectiveKind::all_reduce;
  EXPECT_DOUBLE_EQ(one.algorithm_bandwidth(), 100);
  EXPECT_DOUBLE_EQ(one.bus_bandwidth(), 150);
  one.kind = CollectiveKind::all_gather;
  EXPECT_DOUBLE_EQ(one.bus_bandwidth(), 75);
  one.kind = CollectiveKind::broadcast;
  EXPECT_DOUBLE_EQ(one.bus_bandwidth(), 100);
  one.transfer = 0;
  EXPECT_DOUBLE_EQ(one.bus_bandwidth(), 0);
}

TEST(RankMatches, TheLateRankIsTheOneThatIsLate) {
  const MadeRanks made = made_ranks({.data = 8, .late_rank = 5});
  const RankReport report = report_on(made);
  std::size_t late = 0;
  for (const MatchedCollective& one : report.collectives) {
    if (one.late == MatchedCollective::nobody || one.late_by < 4'000'000) continue;
    ++late;
    EXPECT_EQ(one.members[one.late].rank, 5u);
    EXPECT_NEAR(static_cast<double>(one.late_by), 8e6, 1.2e6);
  }
  EXPECT_EQ(late, 20u);  // once a step
}

}  // namespace
}  // namespace warpwalk::analysis
