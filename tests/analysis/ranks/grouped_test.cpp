// Collectives whose fields are not with their kernels: groups of PyTorch and NCCL, and work launched before the
// recording.
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/ranks/rank_digest.h"
#include "core/analysis/ranks/rank_identity.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::analysis {
namespace {

std::string event(std::string_view category, std::string_view name, int at, int duration, const std::string& args) {
  const bool gpu = category == "kernel";
  return fmt::format(R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {}, "dur": {},
    "args": {{{}}}}})",
                     category, name, gpu ? 0 : 1, gpu ? 7 : 1, at, duration, args);
}

std::string message(std::string_view name, std::string_view direction, int peer) {
  return fmt::format(R"("Collective name": "{}", "{} Rank": {}, "Process Group Name": "0",
    "Process Group Ranks": "[0, 1, 2]", "In msg nelems": 8, "Out msg nelems": 8, "dtype": "Float")",
                     name, direction, peer);
}

// A range that launches one kernel of NCCL 10 us after its start.
std::vector<std::string> launch(std::string_view range, std::string_view fields, int at, int correlation) {
  const std::string link = fmt::format(R"("correlation": {})", correlation);
  return {event("user_annotation", range, at, 30, std::string(fields)),
          event("cuda_runtime", "cudaLaunchKernelExC", at + 10, 10, link),
          event("kernel", "ncclDevKernel_SendRecv", at + 100, 50, link + R"(, "stream": 7, "device": 0)")};
}

RankDigest digest(const std::vector<std::vector<std::string>>& parts) {
  std::string text = "[";
  for (const std::vector<std::string>& part : parts)
    for (const std::string& one : part) text += one + ",";
  const trace::ReadResult read = trace::read_trace_text(text + "]");
  EXPECT_FALSE(read.error) << *read.error;
  return digest_of(read.trace, identity_of(read.trace, "rank1.json", 0));
}

TEST(GroupedCollectives, TheOpsBeforeACoalescedLaunchAreItsMessages) {
  const RankDigest rank = digest({{event("cpu_op", "record_param_comms", 100, 20, message("recv", "Src", 0))},
                                  launch("nccl:coalesced", "", 130, 1),
                                  {event("cpu_op", "record_param_comms", 300, 20, message("send", "Dst", 2)),
                                   event("cpu_op", "record_param_comms", 330, 20, message("recv", "Src", 2))},
                                  launch("nccl:coalesced", "", 400, 2)});
  ASSERT_EQ(rank.collectives.size(), 3u);
  EXPECT_EQ(rank.collectives[0].kind, CollectiveKind::receive);
  EXPECT_EQ(rank.collectives[0].peer, 0);
  EXPECT_EQ(rank.collectives[1].kind, CollectiveKind::send);
  EXPECT_EQ(rank.collectives[1].peer, 2);
  EXPECT_EQ(rank.collectives[1].bytes, 32);
  EXPECT_TRUE(rank.collectives[1].receives_too);
  EXPECT_EQ(rank.collectives[2].kind, CollectiveKind::receive);
  EXPECT_EQ(rank.collectives[1].work, rank.collectives[2].work);
  EXPECT_NE(rank.collectives[0].work, rank.collectives[1].work);
}

// The recorder writes NCCL's calls as ranges. The kernel is launched in ncclGroupEnd.
TEST(GroupedCollectives, TheCallsBeforeNcclGroupEndAreItsMessages) {
  const std::string one = message("recv", "Src", 0), both = R"("Collective name": "send_recv", "Grouped calls": 2)";
  const RankDigest rank = digest({{event("user_annotation", "ncclRecv", 100, 20, one)},
                                  launch("ncclGroupEnd", one, 130, 1),
                                  {event("user_annotation", "ncclSend", 300, 20, message("send", "Dst", 2)),
                                   event("user_annotation", "ncclRecv", 330, 20, message("recv", "Src", 2))},
                                  launch("ncclGroupEnd", both, 400, 2)});
  ASSERT_EQ(rank.collectives.size(), 3u);
  EXPECT_EQ(rank.collectives[0].peer, 0);
  EXPECT_EQ(rank.collectives[1].kind, CollectiveKind::send);
  EXPECT_EQ(rank.collectives[2].kind, CollectiveKind::receive);
  EXPECT_EQ(rank.collectives[2].peer, 2);
}

// The coalescing manager of PyTorch: several collectives, one kernel.
TEST(GroupedCollectives, CollectivesOfOneKernelAreOne) {
  const std::string fields = R"("Collective name": "allreduce", "Seq": 4, "Process Group Name": "0",
    "In msg nelems": 8, "Out msg nelems": 8, "dtype": "Float")";
  const RankDigest rank = digest(
      {{event("cpu_op", "record_param_comms", 100, 10, fields), event("cpu_op", "record_param_comms", 115, 10, fields)},
       launch("nccl:coalesced", "", 130, 1)});
  ASSERT_EQ(rank.collectives.size(), 1u);
  EXPECT_EQ(rank.collectives.front().kind, CollectiveKind::all_reduce);
  EXPECT_EQ(rank.collectives.front().sequence, 4);
  EXPECT_EQ(rank.collectives.front().bytes, 64);
}

TEST(GroupedCollectives, WhatWasLaunchedBeforeTheRecordingHasNoGroup) {
  const std::string before = event("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 10, 50,
                                   R"("stream": 7, "device": 0, "correlation": 9)");
  EXPECT_EQ(digest({{before}}).collectives.size(), 1u) << "without fields elsewhere, all are of one group";
  const RankDigest rank = digest({{before}, launch("nccl:send", message("send", "Dst", 2), 130, 1)});
  EXPECT_EQ(rank.collectives.size(), 1u);
  EXPECT_EQ(rank.launched_before, 1u);
}

}  // namespace
}  // namespace warpwalk::analysis
