// Traces as users report them from other devices, profilers and tools (data/wild). The numbers are those that the
// reports or the programs that made the files give, not what this reader once returned.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/chrome/writer.h"
#include "core/trace/link.h"
#include "core/trace/read/read_trace.h"
#include "core/trace/snapshot/memory_snapshot.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

ReadResult wild(std::string_view name) {
  ReadResult read =
      read_trace(std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/trace/data/wild" / std::string(name));
  EXPECT_FALSE(read.error) << *read.error;
  return read;
}

std::size_t count_of(const Trace& trace, SliceKind kind) {
  return static_cast<std::size_t>(std::count(trace.slices.kind.begin(), trace.slices.kind.end(), kind));
}
std::size_t count_named(const Trace& trace, std::string_view name) {
  const std::vector<std::string> names = names_of(trace);
  return static_cast<std::size_t>(std::ranges::count(names, name));
}
std::size_t linked_to_launch(const Trace& trace) {
  return static_cast<std::size_t>(std::count_if(trace.kernel_order.begin(), trace.kernel_order.end(),
                                                [&](SliceId s) { return launch_of(trace, s) != no_slice; }));
}
std::string op_name(const Trace& trace, SliceId work) {
  const SliceId op = op_of(trace, work);
  return op == no_slice ? "" : std::string(trace.name(op));
}

struct Times {
  std::int64_t sum = 0, busy = 0;  ///< of all GPU work, and while any runs, ns
};
std::map<std::int64_t, Times> times_by_device(const Trace& trace) {
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::int64_t>>> spans;
  for (SliceId s = 0; s < trace.slices.size(); ++s)
    if (is_gpu_work(trace.slices.kind[s]))
      spans[trace.tracks[trace.slices.track[s]].device].emplace_back(trace.slices.start[s], trace.slices.end(s));
  std::map<std::int64_t, Times> times;
  for (auto& [device, list] : spans) {
    std::ranges::sort(list);
    std::int64_t until = list.front().first;
    for (const auto& [start, end] : list) {
      times[device].sum += end - start;
      times[device].busy += std::max<std::int64_t>(0, end - std::max(start, until));
      until = std::max(until, end);
    }
  }
  return times;
}

std::set<ProblemKind> problem_kinds(const ReadResult& read) {
  std::set<ProblemKind> kinds;
  for (const Problem& problem : read.problems.rows()) kinds.insert(problem.kind);
  return kinds;
}
using Kinds = std::set<ProblemKind>;

// What the file lacks or says otherwise, the written file says in the same way.
void expect_same_file(const Trace& trace) {
  const std::string text = write_trace_text(trace);
  const ReadResult again = read_trace_text(text);
  ASSERT_FALSE(again.error);
  EXPECT_EQ(write_trace_text(again.trace), text);
  EXPECT_EQ(again.trace.launched.size(), trace.launched.size());
}

TEST(Wild, N01DurationsThatPassLaterWorkOfTheStreamAreDoubted) {
  const ReadResult read = wild("01_rocm_dur_overflows.json.gz");
  EXPECT_EQ(read.trace.kernel_order.size(), 40u);
  EXPECT_EQ(problem_kinds(read), (Kinds{ProblemKind::stream_overlap}));
  const Problem* const problem = find_problem(read, ProblemKind::stream_overlap);
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(problem->count, 2u);
  // The sixth of 40 kernels: 34 start later, all before its end.
  for (const char* says :
       {"attn_bwd_kernel", "1300.000 us", "1600000.000 us", "34 later", "cannot be right", "doubtful"})
    EXPECT_THAT(problem->message, ::testing::HasSubstr(says));
  EXPECT_FALSE(loses_data(ProblemKind::stream_overlap));
  ASSERT_EQ(read.trace.devices.size(), 1u);
  EXPECT_EQ(read.trace.devices[0].warp_size, 64);
}

TEST(Wild, N02ProgrammaticDependentLaunchIsNoProblem) {
  const ReadResult read = wild("02_pdl_overlap_same_stream.json.gz");
  EXPECT_EQ(read.trace.kernel_order.size(), 40u);
  EXPECT_TRUE(read.problems.rows().empty());
  const Times times = times_by_device(read.trace).at(0);
  EXPECT_EQ(times.sum, 320'000);
  EXPECT_EQ(times.busy, 260'000);
}

TEST(Wild, N03AscendRowsOfTheDeviceAreWork) {
  const ReadResult read = wild("03_ascend_string_ts.json");
  const Trace& trace = read.trace;
  EXPECT_TRUE(read.problems.rows().empty());
  EXPECT_EQ(trace.op_order.size(), 12u);
  ASSERT_EQ(trace.kernel_order.size(), 12u);
  EXPECT_EQ(trace.slices.start[trace.op_order[0]], 1715500000123456123);
  EXPECT_EQ(trace.slices.start[trace.kernel_order[0]], 1715500000123486777);
  EXPECT_EQ(trace.slices.duration[trace.kernel_order[0]], 40020);
  for (const SliceId kernel : trace.kernel_order) {
    EXPECT_EQ(trace.name(kernel), "MatMulV2");
    EXPECT_EQ(op_name(trace, kernel), "aten::matmul");
    const Track& track = trace.tracks[trace.slices.track[kernel]];
    EXPECT_TRUE(track.gpu);
    EXPECT_EQ(track.device, 0);
    EXPECT_EQ(track.stream, 2);
    EXPECT_EQ(trace.text(track.process_name), "Ascend Hardware");
  }
  EXPECT_EQ(op_of(trace, trace.kernel_order[11]), trace.op_order[11]);
  EXPECT_EQ(trace.slices.kind[find_slice(trace, "AscendCL@aclnnMatmul")], SliceKind::runtime);
  expect_same_file(trace);
}

TEST(Wild, N04TheLegacyProfilersProcessesSayWhatRowsAre) {
  const ReadResult read = wild("04_legacy_autograd_profiler.legacy.json");
  const Trace& trace = read.trace;
  EXPECT_TRUE(read.problems.rows().empty());
  EXPECT_EQ(trace.op_order.size(), 8u);
  ASSERT_EQ(trace.kernel_order.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(op_of(trace, trace.kernel_order[i]), trace.op_order[i]);
    EXPECT_EQ(trace.slices.start[trace.kernel_order[i]], 102'500 + 200'000 * static_cast<std::int64_t>(i));
    EXPECT_EQ(trace.kernels[trace.slices.detail[trace.kernel_order[i]]].stream, absent);
  }
  EXPECT_TRUE(trace.flows.empty());
  expect_same_file(trace);

  const ReadResult broken = wild("04_legacy_autograd_profiler.broken.json");
  EXPECT_EQ(broken.trace.op_order.size(), 8u);
  EXPECT_EQ(broken.trace.kernel_order.size(), 8u);
  EXPECT_EQ(linked_to_launch(broken.trace), 7u);  // the broken row was a flow
  EXPECT_EQ(broken.problems.count_of(ProblemKind::lost_event), 1u);
  EXPECT_EQ(find_problem(broken, ProblemKind::lost_event)->byte_offset, 233u);
  EXPECT_EQ(problem_kinds(broken), (Kinds{ProblemKind::lost_event, ProblemKind::launch_outside_window}));
}

// Python's JSON decoder finds 229 whole events at the 240 places where one begins.
TEST(Wild, N05TwoWritersOfOneFileLoseOnlyBrokenEvents) {
  const ReadResult read = wild("05_two_ranks_interleaved.json.gz");
  const Trace& trace = read.trace;
  EXPECT_EQ(count_of(trace, SliceKind::op), 78u);
  EXPECT_EQ(count_of(trace, SliceKind::runtime), 76u);
  EXPECT_EQ(trace.kernel_order.size(), 75u);
  const std::uint64_t reported =
      read.problems.count_of(ProblemKind::lost_event) + read.problems.count_of(ProblemKind::missing_field);
  EXPECT_GE(reported, 10u);
  EXPECT_LE(reported, 11u);
  const Problem* const lost = find_problem(read, ProblemKind::lost_event);
  ASSERT_NE(lost, nullptr);
  EXPECT_EQ(lost->byte_offset, 12165u);  // the first place where Python's decoder fails and this one, too
  EXPECT_THAT(lost->message, ::testing::HasSubstr("byte 12165"));
  EXPECT_EQ(find_problem(read, ProblemKind::truncated)->byte_offset, 62346u);
}

TEST(Wild, N06RanksOfAMergedFileStayApart) {
  const ReadResult read = wild("06_merged_ranks.json");
  const Trace& trace = read.trace;
  EXPECT_TRUE(read.problems.rows().empty());
  std::map<std::pair<std::string, std::string>, int> pairs;
  for (const SliceId kernel : trace.kernel_order) ++pairs[{std::string(trace.name(kernel)), op_name(trace, kernel)}];
  EXPECT_EQ((pairs[{"gemm_r0", "aten::mm"}]), 10);
  EXPECT_EQ((pairs[{"gemm_r1", "aten::bmm"}]), 10);
  for (const SliceId kernel : trace.kernel_order) {
    const auto rank = [&](SliceId s) { return trace.text(trace.tracks[trace.slices.track[s]].pid).substr(0, 6); };
    EXPECT_EQ(rank(kernel), rank(launch_of(trace, kernel)));
    const Track& track = trace.tracks[trace.slices.track[kernel]];
    EXPECT_EQ(trace.kernels[trace.slices.detail[kernel]].device, track.device);
    EXPECT_EQ(track.device, rank(kernel) == "[TP00]" ? 0 : 1);
  }
  const auto times = times_by_device(trace);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times.at(0).busy, 100'000 + 5'000);
  EXPECT_EQ(times.at(1).busy, 300'000 + 5'000);
  ASSERT_EQ(trace.devices.size(), 2u);
  EXPECT_EQ(trace.devices[0].id, 0);
  EXPECT_EQ(trace.devices[1].id, 1);
  EXPECT_EQ(trace.text(trace.devices[1].name), "NVIDIA H100 80GB HBM3");
  expect_same_file(trace);
}

TEST(Wild, N07CorrelationZeroIsNoLaunch) {
  const ReadResult read = wild("07_rccl_correlation_zero.json");
  const Trace& trace = read.trace;
  EXPECT_EQ(trace.kernel_order.size(), 18u);
  EXPECT_EQ(linked_to_launch(trace), 12u);
  for (const SliceId kernel : trace.kernel_order)
    EXPECT_EQ(launch_of(trace, kernel) == no_slice, trace.name(kernel).starts_with("ncclDevKernel_Generic"));
  EXPECT_EQ(problem_kinds(read), (Kinds{ProblemKind::launch_outside_window}));
  EXPECT_EQ(read.problems.rows()[0].count, 6u);
  EXPECT_EQ(trace.devices[0].warp_size, 64);
}

TEST(Wild, N08IntelXpuHasLaunchesAndQueuesButNoGrid) {
  const ReadResult read = wild("08_intel_xpu.json");
  const Trace& trace = read.trace;
  EXPECT_TRUE(read.problems.rows().empty());
  EXPECT_TRUE(trace.devices.empty());
  ASSERT_EQ(trace.kernel_order.size(), 10u);
  EXPECT_EQ(trace.launched.size(), 11u);  // and the copy
  std::set<std::string> queues;
  for (const SliceId kernel : trace.kernel_order) {
    EXPECT_EQ(trace.name(launch_of(trace, kernel)), "urEnqueueKernelLaunch");
    EXPECT_EQ(op_name(trace, kernel), "aten::addmm");
    const KernelDetail& detail = trace.kernels[trace.slices.detail[kernel]];
    EXPECT_EQ(detail.grid, (std::array<std::int32_t, 3>{}));
    EXPECT_EQ(detail.block, (std::array<std::int32_t, 3>{}));
    EXPECT_EQ(detail.stream, absent);
    const std::string extra(trace.text(trace.slices.extra[kernel]));
    EXPECT_THAT(extra, ::testing::HasSubstr("\"l0 queue\": \"0x"));
    queues.insert(extra.substr(extra.find("\"sycl queue\": "), 16));
  }
  EXPECT_EQ(queues, (std::set<std::string>{"\"sycl queue\": 64", "\"sycl queue\": 65"}));
}

TEST(Wild, N09XlaRowsOfTheDeviceAreWork) {
  const ReadResult read = wild("09_jax_empty_last_event.json.gz");
  const Trace& trace = read.trace;
  ASSERT_EQ(trace.kernel_order.size(), 15u);
  EXPECT_EQ(count_of(trace, SliceKind::memcpy), 3u);
  EXPECT_EQ(problem_kinds(read), (Kinds{ProblemKind::launch_outside_window}));  // of the copies; {} is no problem
  const SliceId first = trace.kernel_order[0];
  EXPECT_EQ(trace.slices.start[first], 3'017'069);
  EXPECT_EQ(trace.slices.duration[first], 45'780);
  const KernelDetail& detail = trace.kernels[trace.slices.detail[first]];
  EXPECT_EQ(detail.grid, (std::array<std::int32_t, 3>{40, 20, 1}));
  EXPECT_EQ(detail.block, (std::array<std::int32_t, 3>{256, 1, 1}));
  EXPECT_EQ(detail.registers, 255);
  EXPECT_EQ(detail.shared_bytes, 73728);
  EXPECT_EQ(detail.correlation, 30);
  const SliceId copy = find_slice(trace, "MemcpyH2D");
  EXPECT_EQ(trace.transfers[trace.slices.detail[copy]].bytes, 4096);
  std::set<std::pair<std::int64_t, std::int64_t>> streams;
  for (const Track& track : trace.tracks)
    if (track.gpu) streams.emplace(track.device, track.stream);
  EXPECT_EQ(streams, (std::set<std::pair<std::int64_t, std::int64_t>>{{0, 16}, {0, 20}}));
  expect_same_file(trace);
}

TEST(Wild, N10CommunicationKernelsAreRead) {
  const ReadResult read = wild("10_comm_kernel_names.json.gz");
  EXPECT_TRUE(read.problems.rows().empty());
  EXPECT_EQ(read.trace.kernel_order.size(), 40u);
  EXPECT_EQ(count_named(read.trace, "void mscclKernel_Sum_half_LL_false(ncclDevComm*, mscclAlgo*, mscclWork)"), 4u);
  EXPECT_EQ(linked_to_launch(read.trace), 40u);
}

TEST(Wild, N11NewFieldsOfSnapshots) {
  for (const char* name : {"11_snapshot_new_fields.snap_p4.pickle", "11_snapshot_new_fields.snap_p5.pickle"}) {
    SCOPED_TRACE(name);
    const ReadResult read = wild(name);
    EXPECT_TRUE(read.problems.rows().empty());
    int allocations = 0, frees = 0, refused = 0;
    for (const MemoryEvent& event : read.trace.memory) {
      EXPECT_EQ(event.device, 1);
      allocations += !event.out_of_memory && event.bytes > 0;
      frees += !event.out_of_memory && event.bytes < 0;
      refused += event.out_of_memory;
    }
    EXPECT_EQ(allocations, 6);
    EXPECT_EQ(frees, 2);
    EXPECT_EQ(refused, 1);
    const auto snapshot = memory_snapshot(read.trace);
    ASSERT_TRUE(snapshot);
    ASSERT_EQ(snapshot->segments.size(), 4u);  // the last one is of a private pool
    EXPECT_EQ(snapshot->segments[3].address, 11485760u);
    EXPECT_EQ(snapshot->segments[3].bytes, 2097152);
  }
}

TEST(Wild, N12DriverCallsLaunchTritonKernels) {
  const ReadResult read = wild("12_triton_driver_launch.json");
  const Trace& trace = read.trace;
  EXPECT_TRUE(read.problems.rows().empty());
  ASSERT_EQ(trace.kernel_order.size(), 10u);
  for (const SliceId kernel : trace.kernel_order) {
    ASSERT_NE(launch_of(trace, kernel), no_slice);
    EXPECT_EQ(trace.name(launch_of(trace, kernel)), "cuLaunchKernelEx");
    EXPECT_NE(op_of(trace, kernel), no_slice);
  }
}

TEST(Wild, N13MisnestedRangesAreKept) {
  const ReadResult read = wild("13_with_stack_misnested.json");
  const Trace& trace = read.trace;
  EXPECT_EQ(problem_kinds(read), (Kinds{ProblemKind::partial_overlap}));
  EXPECT_EQ(count_named(trace, "forward"), 4u);
  for (int step = 0; step < 4; ++step) {
    const SliceId range = find_slice(trace, "ProfilerStep#" + std::to_string(step));
    ASSERT_NE(range, no_slice);
    EXPECT_EQ(trace.slices.start[range], 10'002'500 + 1'000'000 * step);
    const auto kernels = std::count_if(trace.kernel_order.begin(), trace.kernel_order.end(), [&](SliceId s) {
      return trace.slices.start[s] >= trace.slices.start[range] && trace.slices.start[s] < trace.slices.end(range);
    });
    EXPECT_EQ(kernels, 3);
  }
  EXPECT_EQ(linked_to_launch(trace), 12u);
}

TEST(Wild, N14TheOnlyDescribedDeviceIsThatOfAllWork) {
  const ReadResult read = wild("14_rocm_device_numbers.json");
  const Trace& trace = read.trace;
  EXPECT_TRUE(read.problems.rows().empty());
  ASSERT_EQ(trace.devices.size(), 1u);
  EXPECT_EQ(trace.text(trace.devices[0].name), "AMD Instinct MI300X");
  EXPECT_EQ(trace.devices[0].warp_size, 64);
  ASSERT_EQ(trace.launched.size(), 8u);
  for (const auto& [launch, work] : trace.launched)
    EXPECT_EQ(trace.tracks[trace.slices.track[work]].device, trace.devices[0].id);
  expect_same_file(trace);
}

TEST(Wild, N15GraphReplaysOnManyStreams) {
  const ReadResult read = wild("15_graph_many_streams.json.gz");
  const Trace& trace = read.trace;
  EXPECT_TRUE(read.problems.rows().empty());
  ASSERT_EQ(trace.launched.size(), 240u);
  std::map<SliceId, int> by_launch;
  for (const auto& [launch, work] : trace.launched) {
    ++by_launch[launch];
    EXPECT_EQ(trace.name(launch), "cudaGraphLaunch");
    EXPECT_EQ(op_name(trace, work), "cudagraph_replay");
  }
  EXPECT_EQ(by_launch.size(), 3u);
  for (const auto& [launch, kernels] : by_launch) EXPECT_EQ(kernels, 80);
  EXPECT_EQ(std::ranges::count_if(trace.tracks, &Track::gpu), 40);
}

TEST(Wild, N16StacksOfCppFramesAreRead) {
  const ReadResult read = wild("16_snapshot_cpp_frames.pickle");
  EXPECT_TRUE(read.problems.rows().empty());
  const auto snapshot = memory_snapshot(read.trace);
  ASSERT_TRUE(snapshot);
  ASSERT_EQ(snapshot->segments.size(), 5u);
  ASSERT_EQ(snapshot->segments[0].blocks.size(), 1u);
  const auto& stack = snapshot->stacks.at(snapshot->segments[0].blocks[0].stack);
  ASSERT_EQ(stack.size(), 10u);
  EXPECT_EQ(snapshot->frames[stack[0]].name, "torch::unwind::unwind()");
  EXPECT_EQ(snapshot->frames[stack[8]].file, "/home/user/proj/model.py");
}

// https://github.com/pytorch/pytorch/issues/98432: paths of Windows, in which some backslashes happen to begin an
// escape.
TEST(Wild, BackslashesOfPathsAreKept) {
  const ReadResult read = wild("20_backslashes.json");
  const std::vector<std::string> names = names_of(read.trace);
  EXPECT_EQ(std::vector(names.begin(), names.begin() + 3),
            (std::vector<std::string>{R"(C:\Users\someone\train.py(12): step)",
                                      R"(torch\nn\modules\module.py(1500): _call_impl)",
                                      R"(torch\utils\data.py(7): fetch)"}));
  EXPECT_EQ(read.problems.count_of(ProblemKind::bad_escape), 3u);
}

// IBM/aiu-trace-analyzer, NCCL's profiler plugin and Horovod write slices as two events.
TEST(Wild, BeginAndEndEventsAreSlices) {
  const ReadResult read = wild("21_begin_end.json");
  EXPECT_EQ(read.events, 12u);
  EXPECT_TRUE(read.problems.rows().empty());
  ASSERT_EQ(read.trace.slices.size(), 6u);
  for (SliceId s = 0; s < 6; s += 2) {
    EXPECT_EQ(read.trace.name(s), "allreduce.grad");
    EXPECT_EQ(read.trace.slices.duration[s], 70'000);
    EXPECT_EQ(read.trace.name(s + 1), "NCCL_ALLREDUCE");
    EXPECT_EQ(read.trace.slices.duration[s + 1], 50'000);
    EXPECT_EQ(read.trace.slices.parent[s + 1], s);
  }
}

}  // namespace
}  // namespace warpwalk::trace::test
