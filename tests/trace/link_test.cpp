#include "core/trace/link.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

std::string parent_of(const Trace& trace, std::string_view name) {
  const SliceId parent = trace.slices.parent[find_slice(trace, name)];
  return parent == no_slice ? "" : std::string(trace.name(parent));
}

TEST(Link, NestsByTimeOnEachThread) {
  const Trace trace =
      read_trace_text(with_events({slice("cuda_runtime", "launch", 12, 3), slice("cpu_op", "inner", 10, 10),
                                   slice("cpu_op", "outer", 0, 100), slice("cpu_op", "next", 20, 10),
                                   slice("cpu_op", "elsewhere", 11, 1, "", 1, 2)}))
          .trace;
  EXPECT_EQ(parent_of(trace, "launch"), "inner");
  EXPECT_EQ(parent_of(trace, "inner"), "outer");
  EXPECT_EQ(parent_of(trace, "next"), "outer");
  EXPECT_EQ(parent_of(trace, "outer"), "");
  EXPECT_EQ(parent_of(trace, "elsewhere"), "");
  EXPECT_EQ(enclosing(trace, find_slice(trace, "launch"), SliceKind::op), find_slice(trace, "inner"));
  EXPECT_EQ(enclosing(trace, find_slice(trace, "launch"), SliceKind::python), no_slice);
}

TEST(Link, OfEqualSpansPythonHoldsTheOpHoldsTheCall) {
  const Trace trace = read_trace_text(with_events({slice("cuda_runtime", "call", 1, 5), slice("cpu_op", "op", 1, 5),
                                                   slice("python_function", "python", 1, 5)}))
                          .trace;
  EXPECT_EQ(parent_of(trace, "call"), "op");
  EXPECT_EQ(parent_of(trace, "op"), "python");
}

TEST(Link, ASliceOfNoLengthAtTheEndOfAnotherLiesInIt) {
  const Trace trace = read_trace_text(with_events({slice("cpu_op", "op", 1, 5), slice("cuda_runtime", "call", 6, 0),
                                                   slice("cpu_op", "after", 6, 2)}))
                          .trace;
  EXPECT_EQ(parent_of(trace, "call"), "after");
  EXPECT_EQ(parent_of(trace, "after"), "");
  const Trace alone =
      read_trace_text(with_events({slice("cpu_op", "op", 1, 5), slice("cuda_runtime", "call", 6, 0)})).trace;
  EXPECT_EQ(parent_of(alone, "call"), "op");
}

TEST(Link, PartialOverlapsKeepTheOuterParent) {
  const ReadResult read = read_trace_text(
      with_events({slice("cpu_op", "outer", 0, 100), slice("cpu_op", "a", 10, 20), slice("cpu_op", "b", 20, 20),
                   slice("cpu_op", "in both", 22, 3), slice("cpu_op", "in b", 35, 3)}));
  EXPECT_EQ(parent_of(read.trace, "a"), "outer");
  EXPECT_EQ(parent_of(read.trace, "b"), "outer");
  EXPECT_EQ(parent_of(read.trace, "in both"), "b");
  EXPECT_EQ(parent_of(read.trace, "in b"), "b");
  EXPECT_EQ(read.problems.count_of(ProblemKind::partial_overlap), 1u);
}

// PyTorch lets a built-in function that raised an exception end with the recording.
TEST(Link, FramesWithoutAnEndEndWithTheirCaller) {
  const std::string text =
      with_events({slice("python_function", "main", 0, 100), slice("python_function", "caller", 10, 20),
                   slice("python_function", "raises", 12, 88), slice("python_function", "in it", 13, 87),
                   slice("cpu_op", "op", 14, 2), slice("python_function", "next", 40, 50),
                   slice("python_function", "other thread", 50, 50, "", 1, 2)});
  const ReadResult read = read_trace_text(text);
  const auto end_of = [&](std::string_view name) { return read.trace.slices.end(find_slice(read.trace, name)); };
  const std::int64_t begin = read.trace.slices.start[find_slice(read.trace, "main")];
  EXPECT_EQ(end_of("raises") - begin, 30'000);
  EXPECT_EQ(end_of("in it") - begin, 30'000);
  EXPECT_EQ(end_of("next") - begin, 90'000);
  EXPECT_EQ(end_of("other thread") - begin, 100'000);
  EXPECT_EQ(end_of("main") - begin, 100'000);
  EXPECT_EQ(parent_of(read.trace, "next"), "main");
  EXPECT_EQ(parent_of(read.trace, "op"), "in it");
  EXPECT_EQ(read.problems.count_of(ProblemKind::open_frame), 2u);
  EXPECT_EQ(read.problems.count_of(ProblemKind::partial_overlap), 0u);
}

TEST(Link, FramesThatEndWithTheirCallerAreSortedByTheirNewDuration) {
  const ReadResult read = read_trace_text(
      with_events({slice("python_function", "main", 0, 100), slice("python_function", "caller", 10, 20),
                   slice("python_function", "raises", 12, 88), slice("cpu_op", "longer", 12, 50)}));
  EXPECT_EQ(read.problems.count_of(ProblemKind::open_frame), 1u);
  EXPECT_LT(find_slice(read.trace, "longer"), find_slice(read.trace, "raises"));
  EXPECT_EQ(parent_of(read.trace, "raises"), "longer");
}

TEST(Link, ManyMutualOverlapsTakeNoSquareOfTime) {
  std::string text = "[";
  for (int i = 0; i < 200'000; ++i) text += slice("cpu_op", "o", i, 1e6) + ",";
  const ReadResult read = read_trace_text(text + "]");  // quadratic time would take minutes
  EXPECT_EQ(read.problems.count_of(ProblemKind::partial_overlap), 199'999u);
}

TEST(Link, TheOuterOfTwoCallsWithOneCorrelationLaunches) {
  const Trace trace =
      read_trace_text(with_events({slice("cuda_driver", "cuLaunchKernel", 11, 2, "\"correlation\": 4"),
                                   slice("cuda_runtime", "cudaLaunchKernel", 10, 5, "\"correlation\": 4"),
                                   slice("kernel", "k", 20, 1, "\"correlation\": 4", 0, 7)}))
          .trace;
  EXPECT_EQ(trace.name(launch_of(trace, find_slice(trace, "k"))), "cudaLaunchKernel");
}

TEST(Link, CorrelationZeroAndAbsentAreNoLaunch) {
  const ReadResult read = read_trace_text(with_events(
      {slice("cuda_runtime", "a", 1, 1, "\"correlation\": 0"), slice("cuda_runtime", "b", 3, 1),
       slice("kernel", "k", 20, 1, "\"correlation\": 0", 0, 7), slice("gpu_memcpy", "c", 22, 1, "", 0, 7)}));
  EXPECT_TRUE(read.trace.launched.empty());
  EXPECT_EQ(read.problems.count_of(ProblemKind::launch_outside_window), 2u);
}

TEST(Link, ReadsTheOldSpellings) {
  const ReadResult read = read_trace_text(
      std::string("[") + slice("Operator", "aten::mm", 1, 50, "\"external id\": 3") + "," +
      slice("Runtime", "cudaLaunchKernel", 10, 5, "\"external id\": 3, \"correlation\": 8") +
      R"(,{"ph": "X", "cat": "Kernel", "name": "gemm", "pid": "0", "tid": "stream 7", "ts": 30, "dur": 2,
          "args": {"correlation": 8, "external id": 3, "device": 0, "stream": 7}},
         {"ph": "s", "cat": "async", "name": "launch", "id": 8, "pid": 1, "tid": 1, "ts": 10},
         {"ph": "f", "cat": "async", "name": "launch", "id": 8, "pid": 0, "tid": "stream 7", "ts": 30, "bp": "e"},
         {"ph": "X", "cat": "Memcpy", "name": "copy", "pid": "0", "tid": "stream 7", "ts": 40, "dur": 2,
          "args": {"bytes": 4}},
         {"ph": "X", "cat": "Memset", "name": "fill", "pid": "0", "tid": "stream 7", "ts": 44, "dur": 2,
          "args": {"bytes": 9}}])");
  const Trace& trace = read.trace;
  EXPECT_EQ(trace.name(op_of(trace, find_slice(trace, "gemm"))), "aten::mm");
  EXPECT_EQ(trace.ops[0].external_id, 3);
  EXPECT_EQ(trace.transfers[1].bytes, 9);
  EXPECT_EQ(trace.tracks.back().stream, 7);
  EXPECT_TRUE(trace.flows.empty());  // launch flows are given by the correlation
  EXPECT_EQ(read.problems.count_of(ProblemKind::launch_outside_window), 2u);
  EXPECT_EQ(read.problems.rows().size(), 1u);
}

TEST(Link, AProcessWithTheNumberOfAGpuIsAnotherTrack) {
  const std::string thread_name =
      R"({"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7"}})";
  const Trace trace = read_trace_text(with_events({slice("cpu_op", "op", 1, 5, "", 0, 7),
                                                   slice("kernel", "k", 2, 5, "", 0, 7), thread_name}))
                          .trace;
  ASSERT_EQ(trace.tracks.size(), 2u);
  EXPECT_FALSE(trace.tracks[0].gpu);
  EXPECT_EQ(trace.tracks[0].device, absent);
  EXPECT_TRUE(trace.tracks[1].gpu);
  EXPECT_EQ(trace.tracks[1].device, 0);
  EXPECT_EQ(trace.tracks[1].stream, 7);
  EXPECT_EQ(trace.text(trace.tracks[1].name), "stream 7");
}

TEST(Link, TheArgsOfTheWorkNameTheStream) {
  const Trace trace =
      read_trace_text(with_events({slice("kernel", "k", 2, 5, "\"device\": 3, \"stream\": 21", 0, 7)})).trace;
  ASSERT_EQ(trace.tracks.size(), 1u);
  EXPECT_EQ(trace.tracks[0].device, 3);
  EXPECT_EQ(trace.tracks[0].stream, 21);
}

TEST(Link, AMomentOnAStreamMakesNoTrackOfItsOwn) {
  const Trace trace = read_trace_text(with_events({R"({"ph": "i", "name": "mark", "pid": 0, "tid": 7, "ts": 3})",
                                                   slice("kernel", "k", 2, 5, "", 0, 7)}))
                          .trace;
  ASSERT_EQ(trace.tracks.size(), 1u);
  EXPECT_EQ(trace.instants[0].track, 0u);
}

TEST(Link, TracksAreInOrderWhateverTheFilesOrder) {
  std::vector<std::string> events = {slice("kernel", "k", 1, 1, "", 1, 7), slice("kernel", "k", 1, 1, "", 0, 20),
                                     slice("kernel", "k", 1, 1, "", 0, 7), slice("cpu_op", "o", 1, 1, "", 90, 91),
                                     slice("cpu_op", "o", 1, 1, "", 90, 9)};
  const auto order = [&] {
    std::string out;
    const Trace trace = read_trace_text(with_events(events)).trace;
    for (const Track& track : trace.tracks)
      out += std::string(trace.text(track.pid)) + "/" + std::string(trace.text(track.tid)) + " ";
    return out;
  };
  EXPECT_EQ(order(), "90/9 90/91 0/7 0/20 1/7 ");
  std::reverse(events.begin(), events.end());
  EXPECT_EQ(order(), "90/9 90/91 0/7 0/20 1/7 ");
}

TEST(Link, RecordsThatAreNotThereCountAsNotRecorded) {
  const ReadResult read = read_trace_text(with_events({slice("kernel", "k", 2, 5, "\"warpwalk record\": 4", 0, 7),
                                                       slice("cpu_op", "o", 2, 5, "\"warpwalk dispatch\": -1")}));
  EXPECT_EQ(read.trace.kernels[0].record, absent);
  EXPECT_EQ(read.trace.ops[0].dispatch, absent);
  const Problem* problem = find_problem(read, ProblemKind::bad_record);
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(problem->count, 2u);
  EXPECT_THAT(problem->message, ::testing::HasSubstr("warpwalk dispatch"));
}

}  // namespace
}  // namespace warpwalk::trace::test
