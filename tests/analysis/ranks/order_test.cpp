// Groups, order and times of collectives where traces differ: lost records, other names, messages, parts of a run that
// share nothing.
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/analysis/ranks/rank_groups.h"
#include "core/analysis/ranks/rank_report.h"
#include "core/analysis/ranks/robust_line.h"
#include "tests/traces/made_ranks.h"

namespace warpwalk::analysis {
namespace {

std::size_t incomplete(const RankReport& report) {
  std::size_t count = 0;
  for (const MatchedCollective& one : report.collectives) count += one.missing > 0 ? 1 : 0;
  return count;
}

bool is_named(const RankReport& report, const std::string& part) {
  for (const std::string& problem : report.problems)
    if (problem.find(part) != std::string::npos) return true;
  return false;
}

RankDigest small_digest(std::int64_t rank, std::vector<ProcessGroup> groups) {
  RankDigest digest;
  digest.file = "rank" + std::to_string(rank) + ".json";
  digest.identity.rank = rank;
  digest.identity.groups = std::move(groups);
  digest.names = {""};
  return digest;
}

void add_call(RankDigest& digest, CollectiveKind kind, std::int64_t arrival, std::int64_t end,
              std::uint32_t group = 0) {
  RankCollective one;
  one.kind = kind;
  one.group = group;
  one.bytes = 1'000'000;
  one.call = one.arrival = one.ready = arrival;
  one.end = end;
  digest.collectives.push_back(one);
}

// Without recorded numbers, and with steps that all look alike, only the times between ends tell what was lost.
TEST(CallOrder, LostRecordsAreFoundWithoutNumbers) {
  for (const std::size_t ranks : {3, 8})
    for (const bool equal_sizes : {false, true})
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        MadeRanks made = made_ranks({.data = ranks, .sequences = false, .equal_sizes = equal_sizes, .seed = seed});
        lose(made.digests[1], 150, 1);
        lose(made.digests[1], 100, 1);
        lose(made.digests[1], 0, 3);
        lose(made.digests[2], 66, 20);
        const RankReport report = rank_report(made.digests);
        const std::string name =
            std::to_string(ranks) + (equal_sizes ? " alike, seed " : " ranks, seed ") + std::to_string(seed);
        EXPECT_EQ(wrong_matches(report), 0u) << name;
        EXPECT_EQ(report.collectives.size(), 200u) << name;
        EXPECT_EQ(incomplete(report), 3u + 2 + 20) << name;
        EXPECT_LE(clock_error(made, report), 3'000) << name;
      }
}

// One profiler started when half of the run was over.
TEST(CallOrder, ATraceOfHalfTheRunMatchesItsHalf) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    MadeRanks made = made_ranks({.sequences = false, .equal_sizes = true, .seed = seed});
    lose(made.digests[0], 0, 100);
    const RankReport report = rank_report(made.digests);
    EXPECT_EQ(wrong_matches(report), 0u) << seed;
    EXPECT_EQ(report.collectives.size(), 100u) << seed;
    EXPECT_TRUE(is_named(report, "100 of 200 collectives are missing in the trace of rank 0, which begins later"));
  }
}

// PyTorch records no fields of the collectives before the profiler's first step, only their kernels.
TEST(CallOrder, CollectivesWithoutSizesFitThoseWithSizes) {
  MadeRanks made = made_ranks({.sequences = false});
  for (std::size_t i = 0; i < 12; ++i) made.digests[0].collectives[i].bytes = 0;
  lose(made.digests[1], 0, 8);
  const RankReport report = rank_report(made.digests);
  EXPECT_EQ(wrong_matches(report), 0u);
  EXPECT_EQ(report.collectives.size(), 192u);
  for (const MatchedCollective& one : report.collectives) {
    EXPECT_FALSE(one.mixed);
    EXPECT_GT(one.bytes, 0);
  }
}

// Quadratic work on 100,000 collectives would take a minute.
TEST(CallOrder, ManyCollectivesTakeLinearTime) {
  MadeRanks made = made_ranks({.steps = 10'000, .sequences = false, .equal_sizes = true});
  lose(made.digests[1], 50'000, 1);
  lose(made.digests[1], 0, 3);
  const auto begin = std::chrono::steady_clock::now();
  const RankReport report = rank_report(std::move(made.digests));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_EQ(wrong_matches(report), 0u);
  EXPECT_EQ(report.collectives.size(), 100'000u - 4);
}

TEST(CallOrder, OtherKindsAreMixed) {
  MadeRanks made = made_ranks({.data = 4});
  made.digests[3].collectives[7].kind = CollectiveKind::broadcast;
  made.digests[1].collectives[9].kind = CollectiveKind::broadcast;
  const RankReport report = rank_report(made.digests);
  std::size_t mixed = 0;
  for (const MatchedCollective& one : report.collectives) mixed += one.mixed ? 1 : 0;
  EXPECT_EQ(mixed, 2u);
  EXPECT_TRUE(is_named(report, "ranks disagree about 2 of 200 collectives; the first is number 7: all_reduce of"));
}

TEST(RankGroupNames, GroupsOfOtherNamesAndEqualRanksAreOne) {
  std::vector<RankDigest> ranks = {small_digest(0, {{"world", "", {0, 1}}, {"tp", "", {0}}}),
                                   small_digest(1, {{"0", "default_pg", {0, 1}}, {"tp", "", {1}}})};
  for (RankDigest& one : ranks)
    for (const std::uint32_t group : {0u, 1u}) add_call(one, CollectiveKind::all_reduce, 0, 10, group);
  const RankGroups found = unified_groups(ranks);
  ASSERT_EQ(found.groups.size(), 3u);  // the two named tp have other ranks
  EXPECT_EQ(found.of(0, 0), found.of(1, 0));
  EXPECT_NE(found.of(0, 1), found.of(1, 1));
  EXPECT_EQ(found.members[found.of(0, 0)], (std::vector<std::size_t>{0, 1}));
}

// Two communicators may have the same ranks.
TEST(RankGroupNames, GroupsThatOneFileHasBothStayApart) {
  const std::vector<ProcessGroup> both = {{"0", "", {0, 1}}, {"1", "", {0, 1}}};
  std::vector<RankDigest> ranks = {small_digest(0, both), small_digest(1, both)};
  for (RankDigest& one : ranks)
    for (const std::uint32_t group : {0u, 1u}) add_call(one, CollectiveKind::all_reduce, 0, 10, group);
  EXPECT_EQ(unified_groups(ranks).groups.size(), 2u);
}

TEST(RankGroupNames, AGroupWithoutRanksIsTheOneOfItsName) {
  std::vector<RankDigest> ranks = {small_digest(0, {{"0", "", {0, 1}}}), small_digest(1, {{"0", "", {}}}),
                                   small_digest(2, {})};
  for (RankDigest& one : ranks) add_call(one, CollectiveKind::all_reduce, 0, 10);
  const RankGroups found = unified_groups(ranks);
  ASSERT_EQ(found.groups.size(), 2u);  // rank 2 has none
  EXPECT_EQ(found.of(0, 0), found.of(1, 0));
  EXPECT_NE(found.of(0, 0), found.of(2, 0));
}

TEST(RankGroupNames, ListsOfRanksAreShort) {
  EXPECT_EQ(ranks_list({3}), "3");
  EXPECT_EQ(ranks_list({0, 1}), "0, 1");
  EXPECT_EQ(ranks_list({0, 1, 2, 3, 8}), "0 to 3, 8");
  EXPECT_EQ(ranks_list({0, 2, 4, 6, 8, 10}), "0, 2, 4, 6 and 2 more");
}

// Stages of a pipeline share only messages.
TEST(RankMessages, LinkTheClocksOfAPipeline) {
  const MadeRanks made = made_ranks({.data = 1, .pipeline = 4, .steps = 200});
  const RankReport report = rank_report(made.digests);
  EXPECT_EQ(report.collectives.size(), 6u * 200);  // three links, both ways
  EXPECT_EQ(wrong_matches(report), 0u);
  for (const RankClock& clock : report.alignment.clocks) EXPECT_TRUE(clock.aligned);
  EXPECT_LE(clock_error(made, report), 5'000);
  EXPECT_GT(report.alignment.uncertainty, 0);
}

TEST(RankMessages, OfAnUnknownRankAreCounted) {
  const std::vector<ProcessGroup> groups = {{"0", "", {0, 1, 2}}};
  std::vector<RankDigest> ranks;
  for (std::int64_t rank = 0; rank < 3; ++rank) {
    ranks.push_back(small_digest(rank, groups));
    add_call(ranks.back(), CollectiveKind::all_reduce, 1'000, 2'000);
  }
  add_call(ranks[0], CollectiveKind::send, 3'000, 4'000);
  EXPECT_TRUE(is_named(rank_report(ranks), "sends and receives that do not record the other rank are not matched: 1"));
}

// Ranks 2 and 3 share nothing with 0 and 1: their clocks cannot be compared with those, but with each other.
TEST(RankClocks, PartsThatShareNothingAreNamed) {
  std::vector<RankDigest> ranks;
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    const std::int64_t first = rank / 2 * 2, clock = rank * 1'000'000'000;
    ranks.push_back(small_digest(rank, {{"dp", "", {first, first + 1}}}));
    for (std::int64_t i = 1; i <= 30; ++i) {
      const std::int64_t time = i * 3'000'000 + i * i * 1'000 + clock;
      add_call(ranks.back(), CollectiveKind::all_reduce, time + (rank == 3 ? 500'000 : 0), time + 600'000);
    }
  }
  const RankReport report = rank_report(ranks);
  const std::vector<RankClock>& clocks = report.alignment.clocks;
  EXPECT_TRUE(clocks[0].aligned && clocks[1].aligned);
  EXPECT_FALSE(clocks[2].aligned || clocks[3].aligned);
  EXPECT_EQ(clocks[1].offset, -1'000'000'000);
  EXPECT_TRUE(is_named(report, "the collectives do not connect ranks 2, 3 with the other ranks"));
  EXPECT_EQ(report.waited(2), 30 * 500'000);
  EXPECT_EQ(report.waited(0), 0);
}

// As recorded on two H200s: ends of 64 MB are 22 us apart in the same order each time, those of 8 kB 0.1 us.
TEST(RankClocks, OffsetsComeFromShortCollectives) {
  constexpr std::int64_t offset = 5'000'000'000;
  std::vector<RankDigest> ranks;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ranks.push_back(small_digest(rank, {{"0", "", {0, 1}}}));
    for (std::int64_t i = 0; i < 40; ++i) {
      const bool is_short = i % 10 == 9;
      const std::int64_t time = i * 2'000'000 + i * i * 3'000 + rank * offset;
      add_call(ranks.back(), CollectiveKind::all_reduce, time,
               time + (is_short ? 6'000 + rank * 100 : 280'000 + rank * 22'000));
      ranks.back().collectives.back().bytes = is_short ? 8'192 : 67'108'864;
    }
  }
  const RankReport report = rank_report(ranks);
  EXPECT_NEAR(static_cast<double>(report.alignment.clocks[1].offset + offset), -100, 20);
  // The figure is that of all ends, most of which are 22 us apart.
  EXPECT_NEAR(static_cast<double>(report.alignment.uncertainty), 11'000, 200);
}

// By hand: rank 2 comes 90 us after the middle of the others, and the data takes 40 us from then on.
TEST(RankTimes, WaitsAndTransferFollowFromTheArrivals) {
  std::vector<RankDigest> ranks;
  const std::int64_t arrivals[] = {0, 20'000, 100'000};
  for (std::int64_t rank = 0; rank < 3; ++rank) {
    ranks.push_back(small_digest(rank, {{"0", "", {0, 1, 2}}}));
    for (std::int64_t i = 0; i < 4; ++i)
      add_call(ranks.back(), CollectiveKind::all_reduce, i * 1'000'000 + arrivals[rank], i * 1'000'000 + 140'000);
  }
  const RankReport report = rank_report(ranks);
  ASSERT_EQ(report.collectives.size(), 4u);
  for (const MatchedCollective& one : report.collectives) {
    EXPECT_EQ(one.members[0].wait, 100'000);
    EXPECT_EQ(one.members[1].wait, 80'000);
    EXPECT_EQ(one.members[2].wait, 0);
    EXPECT_EQ(one.wait, 180'000);
    EXPECT_EQ(one.transfer, 40'000);
    EXPECT_EQ(one.late, 2u);
    EXPECT_EQ(one.late_by, 90'000);
    EXPECT_DOUBLE_EQ(one.algorithm_bandwidth(), 25);  // 1 MB in 40 us
    EXPECT_DOUBLE_EQ(one.bus_bandwidth(), 25 * 2 * 2.0 / 3);
  }
  EXPECT_EQ(report.waited(1), 4 * 80'000);
}

// The source of a broadcast leaves when its data is on its way.
TEST(RankTimes, WhoLeftABroadcastBeforeDidNotWait) {
  std::vector<RankDigest> ranks;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ranks.push_back(small_digest(rank, {{"0", "", {0, 1}}}));
    for (std::int64_t i = 0; i < 30; ++i)
      add_call(ranks.back(), CollectiveKind::all_reduce, i * 1'000'000, i * 1'000'000 + 50'000);
  }
  add_call(ranks[0], CollectiveKind::broadcast, 40'000'000, 40'020'000);
  add_call(ranks[1], CollectiveKind::broadcast, 45'000'000, 45'020'000);
  const RankReport report = rank_report(ranks);
  const MatchedCollective& last = report.collectives.back();
  EXPECT_EQ(last.kind, CollectiveKind::broadcast);
  EXPECT_EQ(last.wait, 0);
  EXPECT_EQ(last.late, MatchedCollective::nobody);
}

// If a rank of the group is not open, the last arrival is not known.
TEST(RankTimes, WithoutAllRanksOfAGroupThereIsNoBandwidth) {
  std::vector<RankDigest> ranks;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ranks.push_back(small_digest(rank, {{"0", "", {0, 1, 2}}}));
    add_call(ranks.back(), CollectiveKind::all_reduce, 1'000, 9'000);
  }
  const RankReport report = rank_report(ranks);
  ASSERT_EQ(report.collectives.size(), 1u);
  EXPECT_EQ(report.collectives.front().algorithm_bandwidth(), 0);
}

TEST(RobustLine, PointsFarOffCountNothing) {
  std::vector<LinePoint> points;
  for (int i = 0; i < 300; ++i) {
    const double x = i * 1e6, wiggle = (i * 7919 % 13 - 6) * 100.0;
    points.push_back({x, 5'000 + 20e-6 * x + wiggle + (i % 5 == 0 ? 100'000 : 0)});
  }
  const RobustLine line = robust_line(points);
  EXPECT_NEAR(line.at(0), 5'000, 200);
  EXPECT_NEAR(line.slope, 20e-6, 1e-6);
  EXPECT_TRUE(has_slope(line));
  EXPECT_EQ(robust_line(points, true).slope, 0);
}

}  // namespace
}  // namespace warpwalk::analysis
