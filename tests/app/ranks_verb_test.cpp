// The traces of ranks opened together: `info FOLDER` and its JSON, `render FOLDER`, and folders that are none.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/app/parsed_json.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string rank_trace(std::string_view name) {
  return fmt::format("{}/tests/analysis/ranks/data/{}.json.gz", WARPWALK_SOURCE_DIR, name);
}

/// A folder with copies of recordings, by their names.
class RankFolder : public Folder {
 public:
  explicit RankFolder(const std::vector<std::string>& names) {
    for (const std::string& name : names) std::filesystem::copy_file(rank_trace(name), path() / (name + ".json.gz"));
  }
  std::string all() const { return path().string(); }
};

const std::vector<std::string> late_loader = {"late_loader_rank0", "late_loader_rank1"};

/// A trace of one kernel. `rank` of `world`; no distributedInfo if `world` is 0.
std::string one_kernel(int rank, int world) {
  const std::string info =
      world == 0
          ? ""
          : fmt::format(R"("distributedInfo": {{"backend": "nccl", "rank": {}, "world_size": {}}}, )", rank, world);
  return "{" + info + R"("traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10,
    "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 1}}]})";
}

constexpr std::string_view launcher =
    R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]})";

TEST(RanksVerb, InfoNamesTheLateRankAndItsLine) {
  const RankFolder folder(late_loader);
  const Outcome outcome = run({"info", folder.all()});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.out.starts_with(folder.all() + "\n")) << outcome.out;
  for (const char* const text : {"Rank 1", "load_batch", "record.py:41", "all_reduce", "late_loader_rank0.json.gz",
                                 "change this first\n  at most", "prefetching"})
    EXPECT_THAT(outcome.out, HasSubstr(text));
}

TEST(RanksVerb, TheJsonHasTheCauseWithItsTimes) {
  const RankFolder folder(late_loader);
  const Outcome outcome = run({"info", folder.all(), "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const rapidjson::Document json = parsed_json(outcome.out);
  ASSERT_TRUE(json.HasMember("ranks"));
  const rapidjson::Value& ranks = json["ranks"];
  EXPECT_EQ(ranks["count"].GetInt64(), 2);
  EXPECT_GE(ranks["clock_uncertainty_ns"].GetInt64(), 0);
  ASSERT_GT(ranks["waits"].Size(), 0u);
  const rapidjson::Value& wait = ranks["waits"][0];
  EXPECT_EQ(wait["late_rank"].GetInt64(), 1);
  EXPECT_STREQ(wait["cause"].GetString(), "line");
  EXPECT_STREQ(wait["function"].GetString(), "load_batch");
  EXPECT_STREQ(wait["file"].GetString(), "record.py");
  EXPECT_EQ(wait["line"].GetInt64(), 41);
  EXPECT_TRUE(wait["slept"].GetBool());
  // The program sleeps 8 ms at each of three steps.
  EXPECT_EQ(wait["times"].GetInt64(), 3);
  EXPECT_GT(wait["late_ns"].GetInt64(), 7'000'000);
  EXPECT_LT(wait["late_ns"].GetInt64(), 10'000'000);
  EXPECT_GE(wait["waited_ns"].GetInt64(), 20'000'000);
  // What to change first says the same.
  ASSERT_EQ(ranks["advice"].Size(), ranks["waits"].Size());
  const rapidjson::Value& first = ranks["advice"][0];
  EXPECT_EQ(first["rank"].GetInt64(), 1);
  EXPECT_STREQ(first["file"].GetString(), "record.py");
  EXPECT_EQ(first["line"].GetInt64(), 41);
  EXPECT_NEAR(first["at_most_ms"].GetDouble(), 3 * static_cast<double>(wait["late_ns"].GetInt64()) / 1e6, 1e-6);
  EXPECT_THAT(first["action"].GetString(), HasSubstr("prefetching")) << "it sleeps";
}

TEST(RanksVerb, TheJsonHasEveryCollectiveOfBothRanks) {
  const RankFolder folder(late_loader);
  const Outcome outcome = run({"info", folder.all(), "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const rapidjson::Document json = parsed_json(outcome.out);
  // The files have 34 and 30 kernels of all-reduces: the first rank was recorded a little earlier.
  std::size_t of_both = 0;
  for (const rapidjson::Value& one : json["ranks"]["collectives"].GetArray()) {
    EXPECT_STREQ(one["kind"].GetString(), "all_reduce");
    EXPECT_STREQ(one["group"].GetString(), "0");
    EXPECT_FALSE(one["mixed"].GetBool());
    ++of_both;
    EXPECT_EQ(one["missing_ranks"].GetInt64(), 0);
    EXPECT_GT(one["bytes"].GetInt64(), 0);
    ASSERT_EQ(one["ranks"].Size(), 2u);
    EXPECT_EQ(one["ranks"][0].GetInt64(), 0);
    EXPECT_EQ(one["ranks"][1].GetInt64(), 1);
    ASSERT_EQ(one["arrivals"].Size(), 2u);
    ASSERT_EQ(one["waits_ns"].Size(), 2u);
    const std::int64_t first = one["arrivals"][0].GetInt64(), second = one["arrivals"][1].GetInt64();
    EXPECT_GE(std::min(first, second), 0);
    // Each waits from its arrival to the last one.
    EXPECT_EQ(one["waits_ns"][0].GetInt64(), std::max(first, second) - first);
    EXPECT_EQ(one["waits_ns"][1].GetInt64(), std::max(first, second) - second);
    EXPECT_EQ(one["wait_ns"].GetInt64(), one["waits_ns"][0].GetInt64() + one["waits_ns"][1].GetInt64());
    EXPECT_GE(one["transfer_ns"].GetInt64(), 0);
    // With two ranks, the bus carries as much as the algorithm: 2 (n - 1) / n is 1.
    if (one["bus_gb_s"].IsNumber()) {
      EXPECT_DOUBLE_EQ(one["bus_gb_s"].GetDouble(), one["algorithm_gb_s"].GetDouble());
    }
    if (!one["late_rank"].IsNull()) {
      EXPECT_EQ(one["late_rank"].GetInt64(), first > second ? 0 : 1);
    }
  }
  EXPECT_EQ(of_both, 30u);
  const rapidjson::Value& traces = json["ranks"]["traces"];
  ASSERT_EQ(traces.Size(), 2u);
  // The sums of these kernels' durations in the files: 95.23 ms and 0.97 ms.
  EXPECT_NEAR(static_cast<double>(traces[0]["communicating_ns"].GetInt64()), 95.23e6, 0.05e6);
  EXPECT_NEAR(static_cast<double>(traces[1]["communicating_ns"].GetInt64()), 0.97e6, 0.05e6);
  EXPECT_GT(traces[0]["waited_ns"].GetInt64(), 20 * traces[1]["waited_ns"].GetInt64());
}

TEST(RanksVerb, AHealthyRunBlamesNobody) {
  const RankFolder folder({"ok_rank0", "ok_rank1"});
  const Outcome outcome = run({"info", folder.all(), "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const rapidjson::Document json = parsed_json(outcome.out);
  EXPECT_EQ(json["ranks"]["count"].GetInt64(), 2);
  EXPECT_EQ(json["ranks"]["waits"].Size(), 0u);
}

TEST(RanksVerb, FilesInAnyOrderAreTheSameAsTheirFolder) {
  const RankFolder folder(late_loader);
  const Outcome by_folder = run({"info", folder.all(), "--json", "-"});
  const Outcome by_files =
      run({"info", folder.at("late_loader_rank1.json.gz"), folder.at("late_loader_rank0.json.gz"), "--json", "-"});
  EXPECT_EQ(by_files.status, 0) << by_files.error;
  EXPECT_EQ(by_files.out, by_folder.out);
}

TEST(RanksVerb, WhatDoesNotBelongIsNamedAndLeftOut) {
  const RankFolder folder(late_loader);
  folder.file("config.json", R"({"some": 1})");
  folder.file("launcher.json", launcher);
  folder.file("other_run.json", one_kernel(1, 4));
  folder.file("trace.json.notes.json", "{}");  // notes on a trace are none
  std::filesystem::copy_file(rank_trace("ok_rank0"), folder.path() / "ok_rank0.json.gz");
  const Outcome outcome = run({"info", folder.all(), "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const rapidjson::Document json = parsed_json(outcome.out);
  EXPECT_EQ(json["ranks"]["count"].GetInt64(), 2);
  std::string problems;
  for (const rapidjson::Value& problem : json["ranks"]["problems"].GetArray())
    problems += std::string(problem.GetString()) + "\n";
  for (const char* const part : {"config.json", "launcher.json: has no GPU work and no collectives",
                                 "other_run.json: is of a run of 4 ranks, the others of 2", "ok_rank0.json.gz"})
    EXPECT_THAT(problems, HasSubstr(part));
  EXPECT_THAT(problems, Not(HasSubstr("notes.json")));
}

TEST(RanksVerb, AFolderWithOneTraceIsThatTrace) {
  const RankFolder folder({"late_loader_rank1"});
  folder.file("launcher.json", launcher);
  const Outcome outcome = run({"info", folder.all()});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_TRUE(outcome.out.starts_with(folder.at("late_loader_rank1.json.gz") + "\n")) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("kernels by GPU time"));
}

TEST(RanksVerb, FoldersThatAreNoRunAreRefusedInOneLine) {
  const Folder empty, strangers, unrelated;
  strangers.file("a.json", one_kernel(0, 2));
  strangers.file("b.json", one_kernel(0, 4));
  unrelated.file("a.json", one_kernel(0, 0));
  unrelated.file("b.json", one_kernel(0, 0));
  const Folder programs;
  programs.file("a.json", launcher);
  programs.file("b.json", "[1, 2");
  struct Case {
    const Folder& folder;
    const char* part;
  };
  for (const auto& [folder, part] : {Case{empty, "has no traces"},
                                     {strangers, "not of one distributed run"},
                                     {unrelated, "not of one distributed run"},
                                     {programs, "none of 2 files is the trace of a rank"}})
    for (const char* const verb : {"info", "render", ""}) {
      std::vector<std::string> arguments = {folder.path().string()};
      if (*verb != '\0') arguments.insert(arguments.begin(), verb);
      if (std::string_view(verb) == "render") arguments.emplace_back("--text");
      const Outcome outcome = run(arguments);
      EXPECT_EQ(outcome.status, 2) << verb << ' ' << part;
      EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
      EXPECT_THAT(outcome.error, HasSubstr(part)) << verb;
      EXPECT_THAT(outcome.error, HasSubstr(folder.path().string())) << verb;
    }
}

TEST(RanksVerb, ARankThatIsNotThereAndARankOfOneFile) {
  const RankFolder folder(late_loader);
  const Outcome absent = run({"render", folder.all(), "--rank", "7", "--text"});
  EXPECT_EQ(absent.status, 2);
  EXPECT_THAT(absent.error, HasSubstr("there is no rank 7; the ranks are 0, 1"));
  const Outcome one = run({"render", folder.at("late_loader_rank1.json.gz"), "--rank", "1", "--text"});
  EXPECT_EQ(one.status, 2);
  EXPECT_THAT(one.error, HasSubstr("--rank 1: "));
  const Outcome condition = run({"info", folder.all(), "--fail-if", "idle_pct>20"});
  EXPECT_EQ(condition.status, 2);
  EXPECT_EQ(condition.error_lines(), 1u) << condition.error;
}

TEST(RanksVerb, RenderShowsTheSceneOfRanks) {
  const RankFolder folder(late_loader);
  const Outcome outcome = run({"render", folder.all(), "--text"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("load_batch"));
  const Outcome named = run({"render", folder.all(), "--scene", "ranks", "--text"});
  EXPECT_EQ(named.out, outcome.out);
  // Another scene is about the trace of one rank.
  const Outcome map = run({"render", folder.all(), "--rank", "0", "--scene", "map", "--text"});
  const Outcome alone = run({"render", folder.at("late_loader_rank0.json.gz"), "--scene", "map", "--text"});
  EXPECT_EQ(map.status, 0) << map.error;
  EXPECT_EQ(map.out, alone.out);
}

}  // namespace
}  // namespace warpwalk::testing
