// Ranges of NCCL, put into the words of PyTorch's record_param_comms.
#include "instrumentation/nccl_calls.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace warpwalk::instrumentation {
namespace {

constexpr std::uint64_t world_group = 0xabc, pair_group = 0xdef;
constexpr std::uint32_t a_thread = 7;
const ProcessRank rank_1_of_4 = {1, 4};

NcclRange range(std::string_view function, std::size_t slice, std::optional<std::uint64_t> communicator = {},
                std::optional<std::uint64_t> bytes = {}) {
  NcclRange out;
  out.thread = a_thread, out.function = function, out.slice = slice, out.communicator = communicator, out.bytes = bytes;
  return out;
}
NcclRange init(std::uint64_t communicator, std::int64_t ranks, std::int64_t rank,
               std::string_view function = "ncclCommInitRankConfig") {
  NcclRange out = range(function, 0, communicator);
  out.ranks = ranks, out.rank = rank;
  return out;
}
NcclRange to_peer(std::string_view function, std::size_t slice, std::int64_t peer, std::uint64_t bytes) {
  NcclRange out = range(function, slice, world_group, bytes);
  out.peer = peer;
  return out;
}

std::map<std::size_t, std::string> arguments(const NcclCalls& calls) {
  std::map<std::size_t, std::string> out;
  for (const auto& [slice, json] : calls.arguments(rank_1_of_4)) EXPECT_TRUE(out.emplace(slice, json).second) << slice;
  return out;
}

const std::string of_world =
    R"(, "Process Group Name": "0xabc", "Group size": 4, "Rank": 1, "Process Group Ranks": "[0, 1, 2, 3]")";

TEST(NcclCalls, BytesAreThoseThatARankGivesAndGets) {
  NcclCalls calls;
  calls.add(init(world_group, 4, 1));
  NcclRange reduce = range("ncclAllReduce", 1, world_group, 800);
  reduce.operation = "Sum";
  calls.add(reduce);
  calls.add(range("ncclAllGather", 2, world_group, 800));
  calls.add(range("ncclReduceScatter", 3, world_group, 800));
  calls.add(to_peer("ncclSend", 4, 3, 800));
  calls.add(to_peer("ncclRecv", 5, 2, 800));
  EXPECT_EQ(
      arguments(calls),
      (std::map<std::size_t, std::string>{
          {1, R"("Collective name": "allreduce", "In msg bytes": 800, "Out msg bytes": 800, )"
              R"("Reduction operation": "Sum")" +
                  of_world},
          {2, R"("Collective name": "all_gather", "In msg bytes": 800, "Out msg bytes": 3200)" + of_world},
          {3, R"("Collective name": "reduce_scatter", "In msg bytes": 3200, "Out msg bytes": 800)" + of_world},
          {4, R"("Collective name": "send", "In msg bytes": 800, "Out msg bytes": 800, "Dst Rank": 3)" + of_world},
          {5, R"("Collective name": "recv", "In msg bytes": 800, "Out msg bytes": 800, "Src Rank": 2)" + of_world}}));
}

TEST(NcclCalls, OnlyWhatIsKnownIsSaid) {
  NcclCalls old;  // before NCCL 2.25
  old.add(range("ncclAllGather", 1, {}, 800));
  old.add(range("ncclAllReduce", 2));
  old.add(range("ncclCommGetAsyncError", 3));
  EXPECT_EQ(arguments(old),
            (std::map<std::size_t, std::string>{{1, R"("Collective name": "all_gather", "In msg bytes": 800)"},
                                                {2, R"("Collective name": "allreduce")"}}));
  NcclCalls split;
  NcclRange child = init(pair_group, 4, 1, "ncclCommSplit");  // NCCL writes the size of the parent
  child.derived = true;
  split.add(child);
  split.add(range("ncclBroadcast", 4, pair_group, 8));
  EXPECT_EQ(arguments(split).at(4),
            R"("Collective name": "broadcast", "In msg bytes": 8, "Out msg bytes": 8, "Process Group Name": "0xdef")");
  // The size comes when the communicator is destroyed. It is smaller than the world, so its ranks are not known.
  split.add(init(pair_group, 2, 0, "ncclCommDestroy"));
  EXPECT_EQ(arguments(split).at(4),
            R"("Collective name": "broadcast", "In msg bytes": 8, "Out msg bytes": 8, "Process Group Name": "0xdef", )"
            R"("Group size": 2, "Rank": 0)");
}

TEST(NcclCalls, AGroupIsLaunchedByItsEnd) {
  NcclCalls calls;
  calls.add(init(world_group, 4, 1));
  calls.add(range("ncclGroupStart", 1));
  calls.add(range("ncclAllReduce", 2, world_group, 100));
  calls.add(range("ncclAllReduce", 3, world_group, 60));
  NcclRange elsewhere = range("ncclAllReduce", 4, world_group, 1);
  elsewhere.thread = a_thread + 1;
  calls.add(elsewhere);
  calls.add(range("ncclGroupEnd", 5));
  EXPECT_EQ(
      arguments(calls).at(5),
      R"("Collective name": "allreduce", "In msg bytes": 160, "Out msg bytes": 160, "Grouped calls": 2)" + of_world);
}

TEST(NcclCalls, SendsAndReceivesOfAGroup) {
  NcclCalls calls;
  calls.add(init(world_group, 4, 1));
  calls.add(range("ncclGroupStart", 0));
  for (std::size_t peer = 0; peer < 4; ++peer) {
    // Before NCCL 2.28, a send is a group of its own.
    calls.add(range("ncclGroupStart", 0));
    calls.add(range("ncclGroupEnd", 0));
    calls.add(to_peer("ncclSend", 10 + peer, static_cast<std::int64_t>(peer), 100));
    calls.add(to_peer("ncclRecv", 20 + peer, static_cast<std::int64_t>(peer), 200));
  }
  calls.add(range("ncclGroupEnd", 30));
  calls.add(range("ncclGroupStart", 0));
  calls.add(to_peer("ncclSend", 40, 2, 100));
  calls.add(to_peer("ncclRecv", 41, 0, 100));
  calls.add(range("ncclGroupEnd", 42));
  const auto found = arguments(calls);
  EXPECT_EQ(
      found.at(30),
      R"("Collective name": "all_to_all", "In msg bytes": 800, "Out msg bytes": 800, "Grouped calls": 8)" + of_world);
  EXPECT_EQ(
      found.at(42),
      R"("Collective name": "send_recv", "In msg bytes": 100, "Out msg bytes": 100, "Grouped calls": 2)" + of_world);
  EXPECT_FALSE(found.contains(0)) << "an empty group launches nothing";
}

TEST(NcclCalls, DistributedInfoAsTorchProfilerWritesIt) {
  NcclCalls calls;
  EXPECT_EQ(calls.distributed_info({3, 8}), R"({"rank": 3, "world_size": 8})");
  calls.add(init(world_group, 4, 1));
  calls.add(init(pair_group, 2, 0));
  calls.add(init(pair_group, 2, 0, "ncclCommDestroy"));
  EXPECT_EQ(calls.distributed_info(rank_1_of_4),
            R"({"backend": "nccl", "rank": 1, "world_size": 4, "pg_count": 2, "pg_config": [)"
            R"({"pg_name": "0xabc", "pg_desc": "NCCL communicator", "backend_config": "cuda:nccl", "pg_size": 4, )"
            R"("ranks": [0, 1, 2, 3]}, )"
            R"({"pg_name": "0xdef", "pg_desc": "NCCL communicator", "backend_config": "cuda:nccl", "pg_size": 2}]})");
}

TEST(ProcessRank, AsLaunchersSayIt) {
  const auto rank_of = [](std::map<std::string, const char*> set) {
    return rank_from_environment([&](const char* name) -> const char* {
      const auto found = set.find(name);
      return found == set.end() ? nullptr : found->second;
    });
  };
  EXPECT_EQ(rank_of({{"RANK", "3"}, {"WORLD_SIZE", "8"}}), (ProcessRank{3, 8}));
  EXPECT_EQ(rank_of({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "2"}}), (ProcessRank{0, 2}));
  EXPECT_EQ(rank_of({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"RANK", "5"}, {"WORLD_SIZE", "16"}}),
            (ProcessRank{5, 16}))
      << "torchrun under srun";
  EXPECT_EQ(rank_of({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}), std::nullopt) << "an allocation, not a step";
  EXPECT_EQ(rank_of({{"RANK", "0"}, {"WORLD_SIZE", "1"}}), std::nullopt);
  EXPECT_EQ(rank_of({{"RANK", "2"}, {"WORLD_SIZE", "2"}}), std::nullopt);
  EXPECT_EQ(rank_of({{"RANK", "x"}, {"WORLD_SIZE", "2"}}), std::nullopt);
  EXPECT_EQ(rank_of({}), std::nullopt);
}

}  // namespace
}  // namespace warpwalk::instrumentation
