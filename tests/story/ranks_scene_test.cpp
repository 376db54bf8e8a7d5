// The scene "ranks" of reports that are made by hand; its texts, against what follows from their arrivals.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/analysis/ranks/rank_report.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/ranks/ranks.h"
#include "core/story/transcript.h"
#include "core/words/rank_text.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/ranks_report.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

using analysis::healthy_ranks;
using analysis::late_ranks;
using analysis::many_ranks;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t rank_us = 1000, rank_ms = 1000 * rank_us;
constexpr std::string_view beats[] = {"gates", "who", "places", "why", "table", "skew", "overlap"};

Stage ranks_at(const analysis::RankReport* report, std::string_view beat, double phase = 1,
               const Controls& controls = {}, const Predictions& said = {}) {
  static const Trace trace = SmallTrace().op("aten::a", 0, 20).read();
  static const Walk walk = default_walk(trace);
  const std::int64_t number = std::ranges::find(beats, beat) - std::begin(beats) + 1;
  return stage_of(*find_scene("ranks"), {.trace = trace,
                                         .walk = walk,
                                         .narration = english(),
                                         .hardware = hardware(),
                                         .moment = {Moment::Kind::beat, number, phase},
                                         .controls = controls,
                                         .predictions = said,
                                         .ranks = report});
}

Controls with(std::string_view control, double value) {
  Controls controls;
  controls.set(fmt::format("ranks.{}", control), value);
  return controls;
}

Predictions asking_ranks() {
  Predictions said;
  said.asking = true;
  return said;
}

std::vector<std::string> column(const TablePicture& table, std::size_t c) {
  std::vector<std::string> texts;
  for (const TableRow& row : table.rows) texts.push_back(row.cells.at(c).shown());
  return texts;
}

TEST(RanksScene, WithoutRanksEachBeatSaysSo) {
  analysis::RankReport one = late_ranks();
  one.ranks.pop_back();
  for (const std::string_view beat : beats)
    for (const analysis::RankReport* const report :
         {static_cast<const analysis::RankReport*>(nullptr), &std::as_const(one)}) {
      const Stage stage = ranks_at(report, beat);
      EXPECT_EQ(stage.title, "This file has one rank");
      EXPECT_THAT(stage.sentence, HasSubstr("warpwalk FOLDER"));
      EXPECT_TRUE(std::holds_alternative<std::monostate>(stage.picture));
    }
  analysis::RankReport none = late_ranks();
  none.collectives.clear();
  EXPECT_EQ(ranks_at(&none, "who").title, "The traces share no collective");
}

TEST(RanksScene, NoBeatLacksAWordOrAValue) {
  const analysis::RankReport reports[] = {late_ranks(), healthy_ranks(), many_ranks(64, 40)};
  for (const analysis::RankReport& report : reports)
    for (const std::string_view beat : beats)
      for (const bool asked : {false, true})
        for (const double collective : {1.0, 2.0, 1e9}) {
          const Stage stage =
              ranks_at(&report, beat, 1, with("collective", collective), asked ? asking_ranks() : Predictions());
          const std::string words = everything_on(stage) + stage.note;
          EXPECT_THAT(words, Not(HasSubstr("(no narration"))) << beat;
          EXPECT_THAT(words, Not(HasSubstr("(no value"))) << beat;
          EXPECT_FALSE(stage.title.empty());
          for (const Fact& fact : stage.facts) EXPECT_EQ(fact.figure.origin(), Origin::derived) << fact.label;
        }
}

TEST(RanksGates, TheGateOpensWhenTheLastRankComes) {
  const analysis::RankReport report = late_ranks();
  const auto gates = [&](double phase) { return shared_picture<GatesPicture>(ranks_at(&report, "gates", phase)); };
  const GatesPicture picture = gates(1);
  ASSERT_EQ(picture.gates.size(), 2u) << "the collectives of step 0";
  EXPECT_EQ(picture.gates[0].at, 10 * rank_ms);
  EXPECT_TRUE(picture.gates[0].followed);
  EXPECT_THAT(picture.gates[0].rows, ElementsAre(0, 1));
  EXPECT_THAT(picture.gates[0].tip, HasSubstr("rank 1 is last, 8 ms late"));
  EXPECT_THAT(picture.gates[1].tip, HasSubstr("no rank is late"));
  for (const Gate& gate : picture.gates) EXPECT_EQ(gate.open, 1);
  for (const Gate& gate : gates(0).gates) EXPECT_EQ(gate.open, 0);
  const GatesPicture between = gates(0.9);  // 11.7 ms
  EXPECT_EQ(between.gates[0].open, 1);
  EXPECT_EQ(between.gates[1].open, 0);
}

TEST(RanksGates, WaitingAndTransferFollowFromTheArrivals) {
  const analysis::RankReport report = late_ranks();
  const Stage stage = ranks_at(&report, "gates");
  EXPECT_EQ(stage.title, "Rank 1 comes last");
  EXPECT_THAT(stage.sentence, HasSubstr("rank 1 comes 8 ms after the others, and they wait 8 ms together"));
  const auto& picture = shared_picture<GatesPicture>(stage);
  ASSERT_EQ(picture.rows.size(), 2u);
  const auto bars = [&](std::size_t row) {
    std::vector<std::string> texts;
    for (const GateBar& bar : picture.rows[row].bars)
      if (bar.followed)
        texts.push_back(fmt::format("{} {}-{}", static_cast<int>(bar.kind), bar.from / rank_us, bar.to / rank_us));
    return texts;
  };
  // 0 work until 50 us before the arrival, 1 nothing left to do, 2 waiting, 3 transfer
  EXPECT_THAT(bars(0), ElementsAre("0 0-1950", "1 1950-2000", "2 2000-10000", "3 10000-11000"));
  EXPECT_THAT(bars(1), ElementsAre("0 0-9950", "1 9950-10000", "3 10000-11000"));
  EXPECT_EQ(picture.rows[0].bars[2].target, (RankTarget{0, 0}));
  EXPECT_FALSE(picture.rows[0].late);
  EXPECT_TRUE(picture.rows[1].late);
  EXPECT_EQ(picture.rows[1].place, "8 ms late");
  EXPECT_EQ(picture.rows[1].cause, "load_batch (train.py:31) slept");
  EXPECT_EQ(picture.rows[1].target, (RankTarget{1, 1100}));
  EXPECT_EQ(fact_figure(stage, "Transfer").value(), 1e6);
  EXPECT_EQ(fact_text(stage, "Algorithm bandwidth"), "25.0 GB/s");  // 25 MB in 1 ms
}

TEST(RanksGates, WithinTheClocksUncertaintyNobodyIsLate) {
  const analysis::RankReport report = late_ranks();
  const Stage stage = ranks_at(&report, "gates", 1, with("collective", 2));
  EXPECT_EQ(stage.title, "All ranks come together");
  EXPECT_THAT(stage.sentence, HasSubstr("the arrivals lie 10 µs apart"));
  for (const GateRow& row : shared_picture<GatesPicture>(stage).rows) {
    EXPECT_FALSE(row.late);
    EXPECT_TRUE(row.cause.empty());
  }
}

TEST(RanksGates, WhatOneRankRecordedAloneIsNotCompared) {
  analysis::RankReport report = late_ranks();
  report.collectives[1].members.pop_back();
  report.problems = {"1 of 6 collectives is missing in the trace of rank 1"};
  const Stage stage = ranks_at(&report, "gates", 1, with("collective", 2));
  EXPECT_EQ(stage.title, "Only rank 0 recorded this all-reduce");
  EXPECT_EQ(shared_picture<GatesPicture>(stage).gates.size(), 1u);
  EXPECT_THAT(stage.missing, ElementsAre(report.problems.front()));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(ranks_at(&report, "why", 1, with("collective", 2)).picture));
  EXPECT_EQ(rank_sums(report)[0].collectives, 5u);
  EXPECT_EQ(collective_sums(report)[0].count, 1u);
  EXPECT_EQ(fact_text(ranks_at(&report, "table"), "Collectives"), "5");
}

TEST(RanksScene, WhatCannotBeComparedIsNotJudged) {
  analysis::RankReport mixed = late_ranks();
  mixed.collectives[1].mixed = true;
  EXPECT_EQ(ranks_at(&mixed, "gates", 1, with("collective", 2)).title, "The ranks do not agree on this collective");
  EXPECT_EQ(analysis::skew_of(mixed.collectives[1]), 0);
  analysis::RankReport apart = healthy_ranks();
  apart.alignment.ends = 0;
  for (const std::string_view beat : {"gates", "who", "why", "skew"}) {
    const Stage stage = ranks_at(&apart, beat, 1, {}, asking_ranks());
    EXPECT_EQ(stage.title, "The clocks cannot be aligned") << beat;
    EXPECT_TRUE(std::holds_alternative<std::monostate>(stage.picture)) << beat;
    EXPECT_FALSE(stage.question) << beat;
  }
  EXPECT_THAT(words::ranks_text(english(), apart), Not(HasSubstr("Nobody is to blame")));
}

TEST(RanksGates, CollectivesOfOneRankThatOverlapHaveLanes) {
  analysis::RankReport report = late_ranks();
  // The second one begins on rank 0 before the first one has ended.
  report.collectives[1].members[0].arrival = 10 * rank_ms + 500 * rank_us;
  report.ranks[0].collectives[1].arrival = 10 * rank_ms + 500 * rank_us;
  const GateRow row = shared_picture<GatesPicture>(ranks_at(&report, "gates")).rows[0];
  EXPECT_EQ(row.lanes, 2u);
  for (const GateBar& bar : row.bars) EXPECT_EQ(bar.lane, bar.followed ? 0u : 1u) << bar.tip;
}

TEST(RanksGates, ManyRanksAndCollectivesStayReadable) {
  const analysis::RankReport report = many_ranks(64, 1000);
  const auto picture = shared_picture<GatesPicture>(ranks_at(&report, "gates", 1, with("collective", 500)));
  EXPECT_EQ(picture.rows.size(), 12u);
  EXPECT_TRUE(std::ranges::any_of(picture.rows, [](const GateRow& row) { return row.name == "rank 5" && row.late; }));
  EXPECT_LE(picture.gates.size(), 24u);
  EXPECT_THAT(picture.note, HasSubstr("12 of 64 ranks are shown."));
}

TEST(RanksGates, BeforeTheQuestionNothingIsNamed) {
  const analysis::RankReport report = late_ranks();
  const Stage stage = ranks_at(&report, "gates", 1, {}, asking_ranks());
  EXPECT_EQ(stage.title, "A collective is a gate");
  EXPECT_TRUE(stage.facts.empty());
  const std::string words = everything_on(stage);
  for (const char* const answer : {"is last", "load_batch", "comes last", "8 ms late"})
    EXPECT_THAT(words, Not(HasSubstr(answer)));
}

TEST(RanksWho, SumsWaitingByRank) {
  const analysis::RankReport report = late_ranks();
  const std::vector<RankSums> sums = rank_sums(report);
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0].waited, 3 * (8 * rank_ms + 10 * rank_us));
  EXPECT_EQ(sums[0].last_in, 0u);
  EXPECT_EQ(sums[1].waited, 0);
  EXPECT_EQ(sums[1].last_in, 3u);
  EXPECT_EQ(sums[1].collectives, 6u);
  const Stage stage = ranks_at(&report, "who");
  EXPECT_EQ(stage.title, "Rank 1 holds up the others");
  EXPECT_EQ(stage.sentence, words::late_text(english(), report, report.causes.front()));
  EXPECT_EQ(fact_figure(stage, "Waiting, of all ranks").value(), 24'030'000);
  const auto& table = panel_picture<TablePicture>(stage, 1);
  EXPECT_THAT(column(table, 0), ElementsAre("rank 0", "rank 1"));
  EXPECT_THAT(column(table, 1), ElementsAre("0", "3"));
  EXPECT_THAT(column(table, 6), ElementsAre("–", "load_batch (train.py:31) slept"));
  EXPECT_FALSE(table.rows[0].followed);
  EXPECT_TRUE(table.rows[1].followed);
  EXPECT_EQ(table.rows[1].rank, (RankTarget{1, 1100}));
  const auto& bars = panel_picture<TimelinePicture>(stage).groups.at(0).rows.at(0).bars;
  // It computes 10 ms, waits 24.03 ms and transfers the rest of 25.5 ms that nothing hides.
  ASSERT_EQ(bars.size(), 3u);
  EXPECT_EQ(bars[0].end, 10 * rank_ms);
  EXPECT_EQ(bars[1].role, Role::wait);
  EXPECT_EQ(bars[1].end, 34'030 * rank_us);
  EXPECT_EQ(bars[2].end, 35'500 * rank_us);
}

TEST(RanksWho, TheClassPredictsWhichRankIsLate) {
  const analysis::RankReport late = late_ranks(), healthy = healthy_ranks(), many = many_ranks(64, 3);
  const auto question = [](const analysis::RankReport& report, const Predictions& said) {
    return *ranks_at(&report, "who", 1, {}, said).question;
  };
  const Question asked = question(late, asking_ranks());
  EXPECT_EQ(asked.text, "Which rank do the others wait for?");
  EXPECT_THAT(asked.options, ElementsAre("rank 0", "rank 1", "nobody"));
  EXPECT_TRUE(asked.asked());
  EXPECT_THAT(everything_on(ranks_at(&late, "who", 1, {}, asking_ranks())), Not(HasSubstr("load_batch")));
  Predictions said = asking_ranks();
  said.answer(asked.key, asked.about, 0);
  EXPECT_THAT(question(late, said).why, HasSubstr("rank 0 is last at 0 collectives and waits 24 ms itself"));
  said.answer(asked.key, asked.about, 2);
  EXPECT_THAT(question(late, said).why, HasSubstr("further apart than the clocks can explain"));
  said.answer(asked.key, asked.about, 1);
  EXPECT_EQ(question(late, said).state, Question::State::answered);
  Predictions shown = asking_ranks();
  shown.skip(asked.key, asked.about);
  EXPECT_EQ(question(healthy, shown).right, 2u);
  EXPECT_THAT(question(healthy, shown).why, HasSubstr("Nobody is to blame"));
  const Question of_many = question(many, shown);
  EXPECT_EQ(of_many.options.size(), max_options);
  EXPECT_EQ(of_many.options.at(*of_many.right), "rank 5");
}

TEST(RanksWhy, ComparesTheStretchWithThatOfTheOthers) {
  const analysis::RankReport report = late_ranks();
  const Stretch stretch = stretch_before(report, report.collectives[0]);
  EXPECT_EQ(stretch.rank, 1u);
  EXPECT_EQ(stretch.late, 9'900 * rank_us);  // from the trace's start to 100 us before the arrival
  EXPECT_EQ(stretch.others, 1'900 * rank_us);
  std::vector<std::string> rows;
  for (const StretchRow& row : stretch.rows)
    rows.push_back(fmt::format("{}: {} - {}", row.name, row.late / rank_us, row.others / rank_us));
  EXPECT_THAT(rows, ElementsAre("train.py(31): load_batch: 8100 - 100", "gemm: 1200 - 1100",
                                "train.py(40): step: 1400 - 1400"));
  EXPECT_EQ(stretch.rows[0].kind, analysis::CostKind::blocked) << "as on the late rank";
  const auto table = panel_picture<TablePicture>(ranks_at(&report, "why"), 1);
  EXPECT_THAT(column(table, 5), ElementsAre("+8,000.0 µs", "+8,000.0 µs", "+100.0 µs", "0.0 µs"));
  EXPECT_TRUE(table.rows[1].followed);
  EXPECT_EQ(table.rows[1].rank, (RankTarget{1, 1100}));
}

TEST(RanksWhy, AMissingCostOfAnotherRankIsZeroInTheMedian) {
  analysis::RankReport report = many_ranks(4, 1);
  report.collectives[0].late = 3;
  for (std::size_t rank = 0; rank < 4; ++rank) {
    analysis::RankDigest& digest = report.ranks[rank];
    digest.names.push_back("a.py(1): f");
    if (rank == 0) continue;
    analysis::StretchCost cost;
    cost.name = 1;
    cost.time = static_cast<std::int64_t>(rank) * 100;
    digest.costs = {cost};
    digest.collectives[0].first_cost = 0;
    digest.collectives[0].costs = 1;
  }
  const Stretch stretch = stretch_before(report, report.collectives[0]);
  ASSERT_EQ(stretch.rows.size(), 1u);
  EXPECT_EQ(stretch.rows[0].late, 300);
  EXPECT_EQ(stretch.rows[0].others, 100) << "median of 0, 100 and 200";
}

TEST(RanksWhy, CopiesAreComparedByTheirCallWhateverTheirLine) {
  analysis::RankReport report = many_ranks(2, 1);
  for (analysis::RankDigest& digest : report.ranks) {
    digest.names = {"", "cudaMemcpyAsync", "a.py(1): f"};
    analysis::StretchCost cost;
    cost.name = 1;
    cost.line = digest.identity.rank == 0 ? 2 : 0;
    cost.kind = analysis::CostKind::transfer;
    cost.time = digest.identity.rank == 0 ? 600 : 700;
    digest.costs = {cost};
    digest.collectives[0].costs = 1;
  }
  const Stretch stretch = stretch_before(report, report.collectives[0]);
  ASSERT_EQ(stretch.rows.size(), 1u);
  EXPECT_EQ(stretch.rows[0].name, "cudaMemcpyAsync");
  EXPECT_EQ(stretch.rows[0].late, 700);
  EXPECT_EQ(stretch.rows[0].others, 600);
}

TEST(RanksWhy, SaysWhenItIsInconclusive) {
  const analysis::RankReport report = many_ranks(8, 5);
  EXPECT_EQ(ranks_at(&report, "why").title, "The trace does not show why rank 5 is late");
}

TEST(RanksTable, SumsByStepGroupAndKind) {
  analysis::RankReport report = late_ranks();
  report.collectives[5].kind = analysis::CollectiveKind::broadcast;
  const std::vector<CollectiveSums> sums = collective_sums(report);
  ASSERT_EQ(sums.size(), 4u);
  EXPECT_EQ(sums[0].step, 0);
  EXPECT_EQ(sums[0].count, 2u);
  EXPECT_EQ(sums[0].bytes, 29'000'000);
  EXPECT_EQ(sums[0].transfer, 1'490 * rank_us);
  EXPECT_EQ(sums[0].wait, 8'010 * rank_us);
  EXPECT_EQ(sums[0].last, 1u);
  EXPECT_NEAR(sums[0].bus_bandwidth(), 29e6 / 1.49e6, 1e-9);  // with two ranks, as much as the algorithm's
  EXPECT_EQ(sums[3].kind, analysis::CollectiveKind::broadcast);
  EXPECT_EQ(sums[3].last, analysis::MatchedCollective::nobody);
}

TEST(RanksTable, IsSortedByTheChosenColumn) {
  analysis::RankReport report = late_ranks();
  report.collectives[2].wait = 20 * rank_ms;  // of step 1
  report.collectives[4].bytes = 90'000'000;
  const auto steps = [&](double sort) {
    return column(panel_picture<TablePicture>(ranks_at(&report, "table", 1, with("sort", sort))), 0);
  };
  EXPECT_THAT(steps(0), ElementsAre("0", "1", "2"));
  EXPECT_THAT(steps(1), ElementsAre("1", "0", "2"));
  EXPECT_THAT(steps(4), ElementsAre("2", "0", "1"));
  const auto table = panel_picture<TablePicture>(ranks_at(&report, "table"));
  EXPECT_EQ(table.rows[1].rank, (RankTarget{1, 1002})) << "the work of rank 1 in the collective with the most waiting";
}

TEST(RanksSkew, IsDrawnByStepBesideTheUncertainty) {
  const analysis::RankReport report = late_ranks();
  const Stage stage = ranks_at(&report, "skew");
  EXPECT_EQ(shared_picture<Panels>(stage).rows.size(), 1u) << "no matrix of two ranks";
  const auto& plot = panel_picture<ScatterPicture>(stage);
  std::vector<std::pair<double, double>> points;
  for (const ScatterPoint& point : plot.points) points.emplace_back(point.x, point.y);
  EXPECT_THAT(points, ElementsAre(std::pair(0.0, 1e4), std::pair(0.0, 8e6), std::pair(1.0, 1e4), std::pair(1.0, 8e6),
                                  std::pair(2.0, 1e4), std::pair(2.0, 8e6)));
  ASSERT_EQ(plot.lines.size(), 1u);
  EXPECT_EQ(plot.lines[0].to.second, 2e4);
  EXPECT_EQ(fact_figure(stage, "Median skew").value(), 1e4);
}

TEST(RanksSkew, WithoutStepsCollectivesAreCounted) {
  analysis::RankReport report = late_ranks();
  for (analysis::MatchedCollective& one : report.collectives) one.step = -1;
  const SkewAxis axis = skew_axis(report, 4);
  EXPECT_FALSE(axis.steps);
  EXPECT_EQ(axis.width, 2);
  EXPECT_EQ(axis.columns(), 3u);
  EXPECT_EQ(axis.column_of(report, 0), 0u);
  EXPECT_EQ(axis.column_of(report, 5), 2u);
}

TEST(RanksSkew, TheMatrixOfManyRanksIsBucketed) {
  const analysis::RankReport report = many_ranks(64, 1000);
  const auto heat = panel_picture<HeatPicture>(ranks_at(&report, "skew"), 1);
  EXPECT_EQ(heat.column, 7);
  ASSERT_EQ(heat.groups.size(), 8u);
  const HeatRow& late = heat.groups[0].rows.at(5);
  EXPECT_TRUE(late.followed);
  ASSERT_EQ(late.shares.size(), 143u);
  for (const float share : late.shares) EXPECT_EQ(share, 1);
  EXPECT_EQ(heat.groups[0].rows.at(0).shares.at(0), 0) << "the first ones are not late";
  EXPECT_NEAR(heat.groups[0].rows.at(2).shares.at(0), 5.0 / 1995, 1e-6);
  EXPECT_EQ(late.ranks.at(0), (RankTarget{5, 5000}));
  EXPECT_EQ(late.ranks.size(), late.shares.size());
}

TEST(RanksOverlap, HiddenCommunicationIsWhatComputeCovers) {
  const analysis::RankReport report = late_ranks();
  const Stage stage = ranks_at(&report, "overlap");
  // Of 28.5 and 4.47 ms, 3 ms are hidden on each rank.
  EXPECT_EQ(fact_figure(stage, "Communication, of all ranks").value(), 32'970'000);
  EXPECT_EQ(fact_figure(stage, "Hidden behind compute").value(), 6'000'000);
  EXPECT_EQ(stage.title, "18.2 % of the communication is hidden behind compute");
  const auto& bars = panel_picture<TimelinePicture>(stage).groups.at(0).rows.at(1).bars;
  ASSERT_EQ(bars.size(), 3u);
  EXPECT_EQ(bars[0].end, 7 * rank_ms) << "10 ms of compute, 3 ms of them beside communication";
  EXPECT_EQ(bars[1].end, 10 * rank_ms);
  EXPECT_EQ(bars[2].end, 11'470 * rank_us);
  const auto& plot = panel_picture<ScatterPicture>(stage, 1, 1);
  ASSERT_EQ(plot.points.size(), 2u) << "one for each size";
  EXPECT_EQ(plot.points[0].x, 4e6);
  EXPECT_NEAR(plot.points[0].y, 4e6 / 490e3, 1e-9);
  analysis::RankReport on_cpu = late_ranks();
  for (analysis::RankDigest& digest : on_cpu.ranks) digest.communicating = digest.exposed = 0;
  EXPECT_EQ(ranks_at(&on_cpu, "overlap").title, "No communication on the GPU");
}

TEST(RanksHealthy, NobodyIsBlamed) {
  const analysis::RankReport report = healthy_ranks();
  const Stage stage = ranks_at(&report, "who");
  EXPECT_EQ(stage.title, "Nobody is to blame");
  EXPECT_THAT(stage.sentence,
              HasSubstr("the ranks arrive within 15 µs of each other, and their clocks agree within 20 µs"));
  EXPECT_EQ(fact_figure(stage, "The clocks agree within").origin(), Origin::derived);
  for (const TableRow& row : panel_picture<TablePicture>(stage, 1).rows) EXPECT_FALSE(row.followed);
  EXPECT_EQ(ranks_at(&report, "gates").title, "All ranks come together");
  EXPECT_EQ(ranks_at(&report, "why").title, "All ranks reach this all-reduce on time");
}

TEST(RanksHealthy, NobodyIsClearedWhileRanksAreMissing) {
  analysis::RankReport report = healthy_ranks();
  for (analysis::RankDigest& digest : report.ranks) digest.identity.world = 128;
  report.doubt = analysis::RankDoubt::missing;
  const Stage stage = ranks_at(&report, "who");
  EXPECT_EQ(stage.title, "It cannot be told who is late");
  EXPECT_THAT(stage.sentence, HasSubstr("126 of 128 ranks are not open"));
  EXPECT_FALSE(ranks_at(&report, "who", 1, {}, asking_ranks()).question);
}

TEST(RanksHealthy, ALateArrivalWithoutACauseIsNoBlame) {
  analysis::RankReport report = late_ranks();
  report.causes.clear();
  const Controls first = with("collective", 1);
  const Stage stage = ranks_at(&report, "gates", 1, first);
  EXPECT_EQ(stage.title, "Some rank always comes last");
  EXPECT_THAT(stage.sentence, HasSubstr("rank 1, 8 ms after the others"));
  EXPECT_EQ(shared_picture<GatesPicture>(stage).rows[1].cause, "no cause that recurs");
  EXPECT_EQ(ranks_at(&report, "why", 1, first).title, "Rank 1 is late at this all-reduce");
}

TEST(RanksHealthy, TheGpusWaitForTheRankThatIsBehind) {
  analysis::RankReport report = late_ranks();
  report.causes.clear();
  report.always_last = analysis::LastRank{.rank = 1, .last_in = 5, .of = 6, .slower_cpu = 0.24};
  const Stage slower = ranks_at(&report, "who");
  EXPECT_EQ(slower.title, "The GPUs wait for their CPUs");
  EXPECT_THAT(slower.sentence, HasSubstr("Rank 1 arrives last at 5 of 6 all-reduces: its CPU takes 24 % longer"));
  report.always_last->slower_cpu = -0.1;
  EXPECT_THAT(ranks_at(&report, "who").sentence, HasSubstr("its CPU takes no longer than the others'"));
  EXPECT_THAT(words::ranks_text(english(), report), HasSubstr("it began later"));
}

TEST(RanksHealthy, MessagesHaveNoSkew) {
  analysis::RankReport report = healthy_ranks();
  for (analysis::MatchedCollective& one : report.collectives) one.kind = analysis::CollectiveKind::send;
  EXPECT_EQ(ranks_at(&report, "skew").title, "Messages have no skew");
  EXPECT_EQ(panel_picture<TimelinePicture>(ranks_at(&report, "skew")).groups.at(0).rows.size(), 2u)
      << "waiting by rank";
  EXPECT_THAT(ranks_at(&report, "who").sentence, HasSubstr("Nobody is to blame"));
  report = late_ranks();
  for (analysis::MatchedCollective& one : report.collectives) one.kind = analysis::CollectiveKind::send;
  EXPECT_THAT(ranks_at(&report, "gates", 1, with("collective", 1)).sentence,
              HasSubstr("after the other, which waits 8 ms"));
}

TEST(RanksOverview, HasACardOfTheRanks) {
  const Trace trace = SmallTrace().op("aten::a", 0, 20).read();
  const analysis::RankReport report = late_ranks();
  const Stage stage = stage_of(*find_scene("lab/overview"), {.trace = trace,
                                                             .walk = default_walk(trace),
                                                             .narration = english(),
                                                             .hardware = hardware(),
                                                             .moment = {Moment::Kind::beat, 1, 1},
                                                             .ranks = &report});
  const Card& card = panel_picture<CardPicture>(stage).columns.at(0).cards.at(0);
  EXPECT_EQ(card.link.scene, "ranks");
  EXPECT_EQ(card.link.beat, "who");
  EXPECT_THAT(card.text, HasSubstr("load_batch (train.py:31) slept"));
}

// Transcripts of all beats, as they are stored. To renew: WARPWALK_RENEW=1 story_tests --gtest_filter='*Golden*'
TEST(RanksGolden, EveryBeatOfAMadeRun) {
  const std::pair<std::string_view, analysis::RankReport> runs[] = {
      {"late", late_ranks()}, {"healthy", healthy_ranks()}, {"many", many_ranks(8, 4)}};
  for (const auto& [name, report] : runs) {
    std::string text;
    for (const std::string_view beat : beats)
      text.append(text.empty() ? "" : "\n").append(transcript(ranks_at(&report, beat)));
    const std::string file = fmt::format("{}/tests/story/golden/made-ranks-{}.txt", WARPWALK_SOURCE_DIR, name);
    if (const char* const renew = std::getenv("WARPWALK_RENEW"); renew != nullptr && *renew != '\0') {
      std::ofstream(file, std::ios::binary) << text;
      continue;
    }
    std::ifstream in(file, std::ios::binary);
    std::stringstream stored;
    stored << in.rdbuf();
    EXPECT_EQ(stored.str(), text) << file;
  }
}

}  // namespace
}  // namespace warpwalk::story::testing
