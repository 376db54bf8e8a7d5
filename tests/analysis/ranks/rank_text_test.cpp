// Sentences about the ranks of a run, of reports that are made by hand.
#include "core/words/rank_text.h"

#include <cstdint>
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/analysis/ranks/rank_report.h"
#include "tests/analysis/assets.h"
#include "tests/traces/ranks_report.h"

namespace warpwalk::analysis {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t text_us = 1000, text_ms = 1000 * text_us;

TEST(RankText, TimesHaveThreeDigits) {
  EXPECT_EQ(words::short_time_text(0), "0 ns");
  EXPECT_EQ(words::short_time_text(999), "999 ns");
  EXPECT_EQ(words::short_time_text(820 * text_us), "820 µs");
  EXPECT_EQ(words::short_time_text(999'600), "1 ms");
  EXPECT_EQ(words::short_time_text(8'100'000), "8.1 ms");
  EXPECT_EQ(words::short_time_text(134'321'000), "134 ms");
  EXPECT_EQ(words::short_time_text(-2 * text_ms), "−2 ms");
  EXPECT_EQ(words::short_time_text(12'345'000'000'000), "12,345 s");
}

TEST(RankText, SaysWhoIsLateByWhatAndWhatItCosts) {
  const RankReport report = late_ranks();
  LateCause cause = report.causes.front();
  const auto text = [&] { return words::late_text(english(), report, cause); };
  EXPECT_EQ(
      text(),
      "Rank 1 arrives last at 3 of 6 all-reduces: load_batch (train.py:31) slept and delayed it by 8 ms on average, "
      "3 times; rank 0 waited 24 ms of the 28.5 ms that it spent in them.");
  cause.name = "read";
  cause.times = 1;
  EXPECT_THAT(text(),
              HasSubstr("load_batch (train.py:31) slept, read or waited for a lock and delayed it by 8 ms, once;"));
  cause.slept = false;
  cause.function.clear();
  EXPECT_THAT(text(), HasSubstr(": train.py:31 took longer than on the other ranks and delayed"));
  cause.function = "load_batch";
  cause.kind = LateKind::kernel;
  cause.name = "void at::native::gemm<float>(int)";
  EXPECT_THAT(text(), HasSubstr("gemm in load_batch (train.py:31) ran longer than on the other ranks"));
  cause.kind = LateKind::more_work;
  EXPECT_THAT(text(), HasSubstr("gemm in load_batch (train.py:31) had more work than on the other ranks"));
  cause.kind = LateKind::synchronize;
  cause.name = "cudaStreamSynchronize";
  EXPECT_THAT(text(), HasSubstr("cudaStreamSynchronize in load_batch (train.py:31) waited for the GPU"));
  cause.kind = LateKind::copy;
  cause.name = "Memcpy HtoD";
  cause.function.clear();
  cause.file.clear();
  EXPECT_THAT(text(), HasSubstr(": Memcpy HtoD took longer than on the other ranks"));
  cause.name.clear();
  EXPECT_THAT(text(), HasSubstr(": a copy took longer than on the other ranks"));
}

TEST(RankText, IsInconclusiveWhenTheTraceDoesNotShowWhy) {
  const RankReport report = many_ranks(8, 10);
  EXPECT_EQ(
      words::late_text(english(), report, report.causes.front()),
      "Rank 5 arrives last at 10 of 10 all-gathers, 2 ms late on average. Its trace does not show why; the other ranks "
      "waited 140 ms of the 210 ms that they spent in them, added up.");
}

TEST(RankText, NoKindOfCauseLacksAWord) {
  const RankReport report = late_ranks();
  for (const bool named : {true, false})
    for (const LateKind kind : {LateKind::line, LateKind::kernel, LateKind::synchronize, LateKind::copy,
                                LateKind::more_work, LateKind::unknown})
      for (const bool slept : {true, false})
        for (const char* const name : {"", "sleep"}) {
          LateCause cause = report.causes.front();
          cause.kind = kind;
          cause.slept = slept;
          cause.name = name;
          if (!named) cause.function = cause.file = "";
          const std::string text = words::late_text(english(), report, cause);
          EXPECT_THAT(text, Not(HasSubstr("(no "))) << name_of(kind);
          EXPECT_THAT(text, Not(HasSubstr("  "))) << name_of(kind);
        }
  for (std::size_t kind = 0; kind < collective_kinds; ++kind)
    EXPECT_THAT(words::collectives_name(english(), static_cast<CollectiveKind>(kind)), Not(HasSubstr("(no ")));
}

TEST(RankText, AWholeRunInOneParagraph) {
  EXPECT_EQ(
      words::ranks_text(english(), healthy_ranks()),
      "All 2 ranks of the run are open. They share 6 collectives of 1 group. Their clocks are aligned by the ends of 6 "
      "collectives and agree within 20 µs. Nobody is to blame: in half of the collectives, the ranks arrive within "
      "15 µs of each other.");
  RankReport few = healthy_ranks();
  for (RankDigest& digest : few.ranks) digest.identity.world = 128;
  few.doubt = RankDoubt::missing;
  EXPECT_THAT(words::ranks_text(english(), few),
              HasSubstr("Cannot tell who is to blame: 126 of 128 ranks are not open"));
  few.doubt = RankDoubt::clocks;
  EXPECT_THAT(words::ranks_text(english(), few), HasSubstr("Cannot tell who is to blame: the clocks agree only within"));
  RankReport report = late_ranks();
  for (RankDigest& digest : report.ranks) digest.identity.world = 8;
  report.alignment.ends = 0;
  EXPECT_THAT(words::ranks_text(english(), report), HasSubstr("2 of the 8 ranks of the run are open."));
  EXPECT_THAT(words::ranks_text(english(), report),
              HasSubstr("Their clocks could not be aligned. Rank 1 arrives last"));
  report.collectives.clear();
  EXPECT_THAT(words::ranks_text(english(), report), HasSubstr("share no collective"));
  EXPECT_EQ(words::ranks_text(english(), {}), "This file has one rank.");
}

}  // namespace
}  // namespace warpwalk::analysis
