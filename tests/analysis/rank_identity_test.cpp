// Whose trace a file is: by distributedInfo, by the fields of collectives, by names.
#include "core/analysis/ranks/rank_identity.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"

namespace warpwalk::analysis {
namespace {

// A trace with these top-level entries, and a collective with these arguments.
trace::ReadResult trace_with(const std::string& entries, const std::string& args, const std::string& more = "") {
  const std::string text = "{" + entries + R"("traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "record_param_comms",
    "pid": 1, "tid": 1, "ts": 1, "dur": 5, "args": {)" +
                           args + "}}" + more + "]}";
  trace::ReadResult read = trace::read_trace_text(text);
  EXPECT_FALSE(read.error) << *read.error;
  return read;
}

std::string collective(int rank, std::string_view group, std::string_view description, std::string_view ranks,
                       int size) {
  return fmt::format(R"("Collective name": "allreduce", "Rank": {}, "Process Group Name": "{}",
    "Process Group Description": "{}", "Process Group Ranks": "{}", "Group size": {})",
                     rank, group, description, ranks, size);
}

TEST(RankIdentity, DistributedInfoComesFirst) {
  const auto read = trace_with(R"("distributedInfo": {"backend": "nccl", "rank": 5, "world_size": 8, "pg_config":
    [{"pg_name": "0", "pg_desc": "default_pg", "ranks": [0, 1, 2, 3, 4, 5, 6, 7]},
     {"pg_name": "3", "pg_desc": "tp", "ranks": [5, 4]}]}, )",
                               collective(1, "3", "tp", "[4, 5]", 2));
  const RankIdentity identity = identity_of(read.trace, "trace_rank2.json", 0);
  EXPECT_EQ(identity.rank, 5);
  EXPECT_EQ(identity.world, 8);
  EXPECT_EQ(identity.from, RankFrom::distributed_info);
  EXPECT_EQ(identity.backend, "nccl");
  ASSERT_EQ(identity.groups.size(), 2u) << "the collective's group is the second one";
  EXPECT_EQ(identity.groups[1].name, "3");
  EXPECT_EQ(identity.groups[1].description, "tp");
  EXPECT_EQ(identity.groups[1].ranks, (std::vector<std::int64_t>{4, 5}));
}

TEST(RankIdentity, AnOlderFileHasOnlySomeOfItsFields) {
  const auto read = trace_with(R"("distributedInfo": {"backend": "gloo", "world_size": 4}, )", "");
  const RankIdentity identity = identity_of(read.trace, "trace_rank2.json", 0);
  EXPECT_EQ(identity.rank, 2);
  EXPECT_EQ(identity.world, 4);
  EXPECT_EQ(identity.from, RankFrom::file_name);
  EXPECT_EQ(identity_of(read.trace, "trace_rank4.json", 1).from, RankFrom::order) << "there is no rank 4 of 4";
}

TEST(RankIdentity, ACollectiveSaysTheRankWithinItsGroup) {
  const auto read = trace_with("", collective(1, "7", "pp", "[2, 6]", 2));
  const RankIdentity identity = identity_of(read.trace, "out.json", 0);
  EXPECT_EQ(identity.rank, 6);
  EXPECT_EQ(identity.from, RankFrom::process_group);
  EXPECT_EQ(identity.world, 0) << "the group of two is not the whole run";
}

TEST(RankIdentity, AListThatPyTorchShortenedFollowsFromStartAndStride) {
  const auto read = trace_with("", collective(40, "0", "default_pg", "[0, 1, 2, ..., 63]", 64) +
                                       R"(, "Global rank start": 0, "Global rank stride": 1)");
  const RankIdentity identity = identity_of(read.trace, "out.json", 0);
  EXPECT_EQ(identity.rank, 40);
  EXPECT_EQ(identity.world, 64);
  ASSERT_EQ(identity.groups.size(), 1u);
  ASSERT_EQ(identity.groups[0].ranks.size(), 64u);
  EXPECT_EQ(identity.groups[0].ranks[63], 63);
}

TEST(RankIdentity, AProcessSaysItsRankByName) {
  const auto read =
      trace_with("", "", R"(, {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "rank 3"}})");
  const RankIdentity identity = identity_of(read.trace, "trace_rank2.json", 0);
  EXPECT_EQ(identity.rank, 3);
  EXPECT_EQ(identity.from, RankFrom::process_name);
}

TEST(RankIdentity, FileNames) {
  for (const auto& [name, rank] : std::vector<std::pair<const char*, std::optional<std::int64_t>>>{
           {"trace_rank1.json.gz", 1},
           {"rank-3.pt.trace.json", 3},
           {"Rank_12.1700000000001.pt.trace.json.gz", 12},
           {"node0_rank_3.sqlite", 3},
           {"r12.json", 12},
           {"out_0.json", 0},
           {"7.json", 7},
           {"rank0/trace.json", 0},
           {"worker3.1700000000000.pt.trace.json.gz", 3},
           {"host_4242.1700000000000.pt.trace.json", {}},  // a process and a time
           {"worker-3_4242.1700000000000.pt.trace.json", {}},
           {"for12.json", {}},
           {"ranks.json", {}},
           {"trace_123456.json", {}},
           {"model_v2.json", {}}})
    EXPECT_EQ(rank_of_file(name), rank) << name;
}

TEST(RankIdentity, MergedFilesHaveTheTracksOfEachRank) {
  const trace::ReadResult read = trace::read_trace_text(R"({"traceEvents": [
    {"ph": "M", "name": "process_name", "pid": 10, "args": {"name": "rank 10"}},
    {"ph": "M", "name": "process_name", "pid": 11, "args": {"name": "rank 10"}},
    {"ph": "M", "name": "process_name", "pid": 20, "args": {"name": "rank 2"}},
    {"ph": "M", "name": "process_name", "pid": 21, "args": {"name": "rank 2"}},
    {"ph": "X", "cat": "cpu_op", "name": "a", "pid": 10, "tid": 1, "ts": 1, "dur": 5},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 11, "tid": 7, "ts": 9, "dur": 5, "args": {"device": 0, "stream": 7}},
    {"ph": "X", "cat": "cpu_op", "name": "a", "pid": 20, "tid": 1, "ts": 1, "dur": 5},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 21, "tid": 7, "ts": 9, "dur": 5,
     "args": {"device": 1, "stream": 7}}]})");
  ASSERT_FALSE(read.error) << *read.error;
  const std::vector<RankTracks> ranks = merged_ranks(read.trace);
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_EQ(ranks[0].rank, 2) << "by number, not by name";
  EXPECT_EQ(ranks[1].rank, 10);
  for (const RankTracks& one : ranks) {
    std::string pids;
    for (trace::TrackId id = 0; id < read.trace.tracks.size(); ++id)
      if (one.tracks[id]) pids += std::string(read.trace.text(read.trace.tracks[id].pid)) + " ";
    EXPECT_EQ(pids, one.rank == 2 ? "20 21 " : "10 11 ");
  }
  EXPECT_EQ(digests_of(read.trace, "merged.json").size(), 2u);
}

}  // namespace
}  // namespace warpwalk::analysis
