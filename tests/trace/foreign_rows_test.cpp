// Rows without a category, flows that end without a start, ranks and device numbers, in the small.
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/link.h"
#include "core/trace/ranks.h"
#include "core/trace/read/read_trace.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

std::string row(std::string_view name, int pid, int tid, double ts, double dur, std::string_view args = "") {
  return fmt::format(
      R"({{"ph": "X", "name": "{}", "pid": {}, "tid": {}, "ts": {:.3f}, "dur": {:.3f}, "args": {{{}}}}})", name, pid,
      tid, ts, dur, args);
}
std::string named(std::string_view what, int pid, int tid, std::string_view name) {
  return fmt::format(R"({{"ph": "M", "name": "{}", "pid": {}, "tid": {}, "args": {{"name": "{}"}}}})", what, pid, tid,
                     name);
}
std::string flow_end_on(char phase, std::string_view cat, int id, int tid, double ts) {
  return fmt::format(R"({{"ph": "{}", "cat": "{}", "name": "{}", "id": {}, "pid": 1, "tid": {}, "ts": {:.3f}}})", phase,
                     cat, cat, id, tid, ts);
}
SliceKind kind_of(const Trace& trace, std::string_view name) { return trace.slices.kind[find_slice(trace, name)]; }

TEST(ForeignRows, NamesThatComeLastSayWhatRowsAre) {
  const ReadResult read = read_trace_text(with_events(
      {row("fusion.1", 3, 14, 10, 5), row("MemcpyD2H", 3, 14, 16, 2), row("memset32", 3, 14, 19, 1),
       row("transfer", 3, 15, 20, 1), row("jit_step", 3, 40, 10, 12), row("step 7", 9, 1, 1, 30),
       named("process_name", 3, 0, "/device:GPU:5"), named("thread_name", 3, 14, "Stream #14(Compute,MemcpyD2H)"),
       named("thread_name", 3, 15, "Stream #15(MemcpyH2D)"), named("thread_name", 3, 40, "XLA Modules"),
       named("process_name", 9, 0, "/host:CPU")}));
  const Trace& trace = read.trace;
  EXPECT_EQ(kind_of(trace, "fusion.1"), SliceKind::kernel);
  EXPECT_EQ(kind_of(trace, "MemcpyD2H"), SliceKind::memcpy);
  EXPECT_EQ(kind_of(trace, "memset32"), SliceKind::memset);
  EXPECT_EQ(kind_of(trace, "transfer"), SliceKind::memcpy);
  EXPECT_EQ(kind_of(trace, "jit_step"), SliceKind::gpu_annotation);
  EXPECT_EQ(kind_of(trace, "step 7"), SliceKind::other);
  for (const Track& track : trace.tracks) EXPECT_EQ(track.device, track.gpu ? 5 : absent);
  EXPECT_EQ(read.problems.count_of(ProblemKind::unread_device_rows), 0u);
}

TEST(ForeignRows, ATpusOpsAreItsWork) {
  const Trace trace =
      read_trace_text(with_events({row("fusion.1", 3, 2, 10, 5), row("jit_step", 3, 1, 10, 12),
                                   named("process_name", 3, 0, "/device:TPU:0"),
                                   named("thread_name", 3, 1, "XLA Modules"), named("thread_name", 3, 2, "XLA Ops")}))
          .trace;
  EXPECT_EQ(kind_of(trace, "fusion.1"), SliceKind::kernel);
  EXPECT_EQ(kind_of(trace, "jit_step"), SliceKind::gpu_annotation);
}

TEST(ForeignRows, AStepOfJaxIsARange) {
  const Trace trace =
      read_trace_text(with_events({row("train", 9, 1, 1, 30, R"("step_num": "3", "_r": "1")"),
                                   row("jit_step", 9, 1, 2, 5), named("process_name", 9, 0, "/host:CPU")}))
          .trace;
  EXPECT_EQ(kind_of(trace, "train"), SliceKind::annotation);
  EXPECT_EQ(kind_of(trace, "jit_step"), SliceKind::other);
}

TEST(ForeignRows, RowsOfUnknownDevicesAreCounted) {
  const ReadResult read = read_trace_text(with_events(
      {row("k", 3, 2, 10, 5), row("k", 3, 2, 20, 5), slice("kernel", "known", 5, 1, "", 3, 2), row("py", 4, 1, 1, 2),
       named("process_name", 3, 0, "Acme GPU 0"), named("process_name", 4, 0, "python")}));
  const Problem* const problem = find_problem(read, ProblemKind::unread_device_rows);
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(problem->count, 2u);
  EXPECT_THAT(problem->message, ::testing::HasSubstr("Acme GPU 0"));
  EXPECT_EQ(read.trace.kernel_order.size(), 1u);
}

TEST(ForeignRows, CategoriesOfOtherAccelerators) {
  const Trace trace =
      read_trace_text(with_events({slice("mtia_runtime", "launch", 1, 2, "\"correlation\": 4"),
                                   slice("mtia_ccp_events", "work", 5, 2, "\"correlation\": 4", 0, 1),
                                   slice("privateuse1_driver", "call", 8, 1), slice("hpu_op", "enqueue", 10, 1)}))
          .trace;
  EXPECT_EQ(trace.name(launch_of(trace, find_slice(trace, "work"))), "launch");
  EXPECT_EQ(kind_of(trace, "call"), SliceKind::driver);
  EXPECT_EQ(kind_of(trace, "enqueue"), SliceKind::runtime);
}

TEST(Flows, EndsThatTheProfilerOrTheWindowExplainsAreNoProblem) {
  const ReadResult read = read_trace_text(with_events(
      {slice("cuda_runtime", "cudaStreamIsCapturing", 9, 1, "\"correlation\": 3"), flow_end_on('f', "ac2g", 3, 1, 9),
       slice("kernel", "from before", 12, 1, "\"correlation\": 2", 0, 7), flow_end_on('f', "ac2g", 2, 7, 12),
       slice("cpu_op", "backward", 20, 5, "\"Sequence number\": 40"), flow_end_on('f', "fwdbwd", 1, 1, 20)}));
  EXPECT_EQ(read.problems.count_of(ProblemKind::unmatched_flow), 0u);
  EXPECT_EQ(read.problems.count_of(ProblemKind::launch_outside_window), 1u);
}

TEST(Flows, EndsWhoseStartIsMissingAreReported) {
  // The forward op is in the file, so the start of the first flow is lost; nothing has the correlation 8.
  const ReadResult read = read_trace_text(
      with_events({slice("cpu_op", "forward", 2, 5, "\"Sequence number\": 40"),
                   slice("cpu_op", "backward", 20, 5, "\"Sequence number\": 40"), flow_end_on('f', "fwdbwd", 1, 1, 20),
                   flow_end_on('f', "ac2g", 8, 1, 20), flow_end_on('f', "other", 1, 1, 20)}));
  EXPECT_EQ(read.problems.count_of(ProblemKind::unmatched_flow), 3u);
}

TEST(Flows, AFlowWithoutWorkAtItsEndStaysAnArrow) {
  const Trace trace =
      read_trace_text(with_events({slice("cpu_op", "op", 1, 5), slice("cpu_op", "other", 10, 5),
                                   flow_end_on('s', "async_npu", 1, 1, 1), flow_end_on('f', "async_npu", 1, 1, 10)}))
          .trace;
  ASSERT_EQ(trace.flows.size(), 1u);
  EXPECT_EQ(trace.text(trace.flows[0].category), "async_npu");
  EXPECT_TRUE(trace.calls.empty());
}

TEST(Ranks, NamesAtTheBeginningOfATextAreRanks) {
  EXPECT_EQ(rank_name("[TP00] 700"), "[TP00]");
  EXPECT_EQ(rank_name("rank 3: GPU 0"), "rank 3");
  EXPECT_EQ(rank_name("Rank_12"), "Rank_12");
  for (const char* none : {"", "700", "[] 1", "[TP00", "ranked", "GPU 0", "CPU"})
    EXPECT_EQ(rank_name(none), "") << none;
}

// Labels instead of pids: each rank's processes have numbers of their own, and equal correlations.
TEST(Ranks, LabelsNameRanksToo) {
  std::vector<std::string> events;
  for (const int rank : {0, 1}) {
    const int cpu = 100 * rank + 50, gpu = 100 * rank;
    events.push_back(slice("cuda_runtime", fmt::format("launch {}", rank), 10, 2, "\"correlation\": 4", cpu, 1));
    events.push_back(
        slice("kernel", fmt::format("k{}", rank), 15, 2, "\"correlation\": 4, \"device\": 0, \"stream\": 7", gpu, 7));
    for (const int pid : {cpu, gpu})
      events.push_back(fmt::format(
          R"({{"ph": "M", "name": "process_labels", "pid": {}, "tid": 0, "args": {{"labels": "rank {}"}}}})", pid,
          rank));
  }
  const Trace trace = read_trace_text(with_events(events)).trace;
  EXPECT_EQ(trace.name(launch_of(trace, find_slice(trace, "k0"))), "launch 0");
  EXPECT_EQ(trace.name(launch_of(trace, find_slice(trace, "k1"))), "launch 1");
  std::set<std::int64_t> devices;
  for (const Track& track : trace.tracks)
    if (track.gpu) devices.insert(track.device);
  EXPECT_EQ(devices.size(), 2u);
}

TEST(DeviceNumbers, SeveralDescriptionsOrSeveralDevicesStayAsTheyAre) {
  const auto devices_of = [](std::string_view described, int first, int second) {
    const Trace trace =
        read_trace_text(fmt::format("{{\"deviceProperties\": [{}], \"traceEvents\": [{}, {}]}}", described,
                                    slice("kernel", "a", 1, 1, fmt::format("\"device\": {}", first), first, 7),
                                    slice("kernel", "b", 1, 1, fmt::format("\"device\": {}", second), second, 7)))
            .trace;
    return std::set<std::int64_t>{trace.tracks[0].device, trace.tracks.back().device};
  };
  using Devices = std::set<std::int64_t>;
  EXPECT_EQ(devices_of(R"({"id": 0})", 9, 9), Devices{0});
  EXPECT_EQ(devices_of(R"({"id": 0})", 8, 9), (Devices{8, 9}));
  EXPECT_EQ(devices_of(R"({"id": 0})", 0, 9), (Devices{0, 9}));
  EXPECT_EQ(devices_of(R"({"id": 0}, {"id": 1})", 9, 9), Devices{9});
}

}  // namespace
}  // namespace warpwalk::trace::test
