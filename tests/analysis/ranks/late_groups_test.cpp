// Many ranks: outliers by robust statistics, machines, axes of the parallelism, and ranks that are late together.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/ranks/rank_axes.h"
#include "core/analysis/ranks/rank_hosts.h"
#include "core/analysis/ranks/rank_report.h"
#include "core/analysis/ranks/robust_spread.h"
#include "core/words/rank_text.h"
#include "tests/analysis/assets.h"
#include "tests/traces/made_ranks.h"

namespace warpwalk::analysis {
namespace {

TEST(RobustSpread, HasTheMiddleWhateverAFewOutliersAre) {
  std::vector<std::int64_t> times;
  for (std::int64_t i = 0; i < 101; ++i) times.push_back(1000 + 10 * (i - 50));
  const RobustSpread alone = robust_spread(times);
  EXPECT_EQ(alone.middle, 1000);
  EXPECT_NEAR(static_cast<double>(alone.outlier), 6 * 1.4826 * 250, 30);
  for (int i = 0; i < 20; ++i) times[static_cast<std::size_t>(i)] = 1'000'000'000;
  const RobustSpread with = robust_spread(times);
  EXPECT_EQ(with.middle, 1200);  // 20 of 101 places further
  EXPECT_LT(with.outlier, 2 * alone.outlier);
  EXPECT_EQ(robust_spread({}).outlier, 0);
  EXPECT_EQ(robust_spread({7}).middle, 7);
}

TEST(RankHosts, AreInTheNamesOfFiles) {
  EXPECT_EQ(host_of_file("gpu-node-3_4711.1700000000123.pt.trace.json.gz"), "gpu-node-3");
  EXPECT_EQ(host_of_file("run/node012_rank_96.json.gz"), "node012");
  EXPECT_EQ(host_of_file("run/node012_rank_96.digest"), "node012");
  EXPECT_EQ(host_of_file("late_loader_rank0.json.gz"), "");
  EXPECT_EQ(host_of_file("trace.pt.trace.json"), "");
  EXPECT_EQ(host_of_file("trace_rank3.json"), "");
}

std::vector<RankDigest> ranks_with_devices(std::int64_t gpus, std::int64_t count) {
  std::vector<RankDigest> ranks;
  for (std::int64_t rank = 0; rank < count; ++rank) {
    RankDigest& digest = ranks.emplace_back();
    digest.identity.rank = rank;
    digest.identity.world = count;
    digest.identity.device = rank % gpus;
    digest.names = {""};
  }
  return ranks;
}

TEST(RankHosts, FollowFromTheNumbersOfTheGpus) {
  const std::vector<RankDigest> ranks = ranks_with_devices(8, 32);
  const RankHosts hosts = hosts_of(ranks);
  ASSERT_EQ(hosts.names.size(), 4u);
  EXPECT_EQ(hosts.ranks_of(1), (std::vector<std::size_t>{8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_FALSE(hosts_of(ranks_with_devices(8, 8)).known());   // one machine
  EXPECT_FALSE(hosts_of(ranks_with_devices(1, 32)).known());  // each sees one GPU
  std::vector<RankDigest> named = ranks;
  for (RankDigest& digest : named) digest.identity.host = digest.identity.rank < 16 ? "a" : "b";
  EXPECT_EQ(hosts_of(named).names, (std::vector<std::string>{"a", "b"}));
}

// A report of 32 ranks on 4 hosts, on which these are late by the same line.
RankReport with_late(const std::vector<std::size_t>& late, bool named) {
  RankReport report;
  report.ranks = ranks_with_devices(8, 32);
  if (named)
    for (RankDigest& digest : report.ranks) digest.identity.host = fmt::format("node{}", digest.identity.rank / 8);
  for (const std::size_t rank : late) {
    LateCause cause;
    cause.rank = rank;
    cause.kind = LateKind::line;
    cause.late = 8'000'000;
    cause.times = 3;
    cause.function = "load_batch";
    cause.file = "train.py";
    cause.line = 31;
    report.causes.push_back(cause);
  }
  group_late_ranks(report);
  return report;
}

TEST(LateGroups, AWholeHostIsOneVerdict) {
  RankReport report = with_late({8, 9, 10, 11, 12, 13, 14, 15}, true);
  ASSERT_EQ(report.late_groups.size(), 1u);
  const LateGroup& group = report.late_groups.front();
  EXPECT_EQ(group.place, LatePlace::host);
  EXPECT_EQ(group.name, "node1");
  EXPECT_EQ(group.size, 8u);
  EXPECT_EQ(words::late_ranks_text(english(), report, group), "ranks 8 to 15, one host (node1)");
  const std::string text = words::late_group_text(english(), report, group);
  EXPECT_TRUE(
      text.starts_with("The others wait for ranks 8 to 15, one host (node1): load_batch (train.py:31) took "
                       "longer than on the other ranks and delayed each of them by 8 ms on average, 3 times"))
      << text;
  report = with_late({8, 9, 10, 11, 12, 13}, false);
  EXPECT_EQ(words::late_ranks_text(english(), report, report.late_groups.front()),
            "ranks 8 to 13, 6 of the 8 ranks of one host");
}

TEST(LateGroups, AWholeHostStaysApartFromOthersWithItsCause) {
  const RankReport report = with_late({3, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31}, true);
  ASSERT_EQ(report.late_groups.size(), 3u);
  std::vector<std::size_t> sizes;
  for (const LateGroup& group : report.late_groups) {
    sizes.push_back(group.ranks.size());
    EXPECT_EQ(group.place == LatePlace::host, group.ranks.size() == 8);
    EXPECT_EQ(group.causes.size(), group.ranks.size());
  }
  std::ranges::sort(sizes);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{1, 8, 8}));
}

TEST(LateGroups, RanksWithoutAPlaceAndOtherCausesStayApart) {
  RankReport report = with_late({3, 17, 30}, true);
  ASSERT_EQ(report.late_groups.size(), 1u);
  EXPECT_EQ(report.late_groups.front().place, LatePlace::none);
  EXPECT_EQ(words::late_ranks_text(english(), report, report.late_groups.front()), "ranks 3, 17, 30");
  report.causes[1].line = 99;
  report.causes[1].late *= 4;
  group_late_ranks(report);
  ASSERT_EQ(report.late_groups.size(), 2u);
  EXPECT_EQ(report.late_groups[0].ranks, (std::vector<std::size_t>{17}));
  EXPECT_EQ(report.late_groups[1].ranks, (std::vector<std::size_t>{3, 30}));
}

TEST(LateGroups, AProcessGroupIsNamed) {
  RankReport report = with_late({}, false);
  for (std::int64_t place = 0; place < 8; ++place) {
    ProcessGroup group{fmt::format("pp_{}", place), "", {}};
    for (std::int64_t rank = place; rank < 32; rank += 8) group.ranks.push_back(rank);
    report.groups.push_back(std::move(group));
  }
  for (const std::size_t rank : {2, 10, 18, 26}) {
    LateCause cause;
    cause.rank = rank;
    cause.kind = LateKind::kernel;
    cause.name = "gemm";
    cause.late = 1'000'000;
    cause.times = 2;
    report.causes.push_back(cause);
  }
  group_late_ranks(report);
  EXPECT_EQ(report.late_groups.front().place, LatePlace::process_group);
  EXPECT_EQ(report.late_groups.front().name, "pp_2");
}

TEST(RankAxes, AreFoundByTheGroups) {
  MadeRun run;
  run.tensor = 4;
  run.data = 3;
  run.pipeline = 2;
  run.steps = 2;
  const RankReport report = rank_report(made_ranks(run).digests);
  const std::vector<RankAxis> axes = axes_of(report);
  ASSERT_GE(axes.size(), 2u);
  EXPECT_EQ(axes[0].size, 4u);
  EXPECT_EQ(axes[1].size, 3u);
  for (std::size_t rank = 0; rank < report.ranks.size(); ++rank) {
    EXPECT_EQ(axes[0].of[rank], rank % 4) << rank;
    EXPECT_EQ(axes[1].of[rank], rank / 4 % 3) << rank;
  }
}

// The late rank of a made run comes late on average; the others of its groups wait for it.
TEST(RankAxes, TheLateRankHasTheLargestMeanLateness) {
  MadeRun run;
  run.tensor = 1;
  run.data = 24;
  run.steps = 3;
  run.late_rank = 17;
  const RankReport report = rank_report(made_ranks(run).digests);
  const std::vector<std::int64_t> lateness = mean_lateness(report);
  EXPECT_EQ(std::ranges::max_element(lateness) - lateness.begin(), 17);
}

// Of many members, each outlier is late, and not only the last one.
TEST(Lateness, TwoOfManyAreLateAtOneCollective) {
  MatchedCollective one;
  for (std::size_t rank = 0; rank < 24; ++rank) one.members.push_back({rank, 0, 1000, 3'000'000, 0});
  one.late = 9;
  one.late_by = 2'000'000;
  one.middle = 1000;
  one.late_from = 500'000;
  one.members[5].arrival = 1'001'000;
  one.members[9].arrival = 2'001'000;
  EXPECT_EQ(one.lateness(9), 2'000'000);
  EXPECT_EQ(one.lateness(5), 1'000'000);
  EXPECT_EQ(one.lateness(4), 0);
}

}  // namespace
}  // namespace warpwalk::analysis
