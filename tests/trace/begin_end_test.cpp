// Slices that the file has as two events: B and E of a thread, b and e of asynchronous ones.
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/chrome/writer.h"
#include "tests/trace/equal.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

std::string edge(char phase, std::string_view name, double ts, std::string_view more = "") {
  return fmt::format(R"({{"ph": "{}", "name": "{}", "pid": 1, "tid": 1, "ts": {}{}{}}})", phase, name, ts,
                     more.empty() ? "" : ", ", more);
}
std::string nameless_end(double ts) { return fmt::format(R"({{"ph": "E", "pid": 1, "tid": 1, "ts": {}}})", ts); }

// "name from-to" in µs, by row.
std::vector<std::string> spans_of(const Trace& trace) {
  std::vector<std::string> spans;
  for (SliceId s = 0; s < trace.slices.size(); ++s)
    spans.push_back(fmt::format("{} {}-{}", trace.name(s), trace.slices.start[s] / 1000, trace.slices.end(s) / 1000));
  return spans;
}
using Spans = std::vector<std::string>;

TEST(BeginEnd, SlicesOfAThreadNest) {
  const ReadResult read = read_trace_text(with_events(
      {edge('B', "step", 0), edge('B', "aten::mm", 1, R"("cat": "cpu_op", "args": {"Sequence number": 7})"),
       nameless_end(5), edge('B', "b", 5), edge('E', "b", 6, R"("args": {"bytes": 8})"), nameless_end(10)}));
  EXPECT_TRUE(read.problems.rows().empty());
  EXPECT_EQ(spans_of(read.trace), (Spans{"step 0-10", "aten::mm 1-5", "b 5-6"}));
  EXPECT_EQ(read.trace.slices.kind[1], SliceKind::op);
  EXPECT_EQ(read.trace.ops[0].sequence, 7);
  EXPECT_EQ(read.trace.slices.parent[2], 0u);
  EXPECT_EQ(read.trace.text(read.trace.slices.extra[2]), R"("bytes": 8)");
}

TEST(BeginEnd, EventsOutOfOrderAreSortedByTheirTimes) {
  const ReadResult read =
      read_trace_text(with_events({edge('E', "outer", 9), edge('B', "inner", 3), edge('B', "outer", 1),
                                   edge('E', "inner", 4), edge('B', "next", 9), edge('E', "next", 12)}));
  EXPECT_TRUE(read.problems.rows().empty());
  EXPECT_EQ(spans_of(read.trace), (Spans{"outer 1-9", "inner 3-4", "next 9-12"}));
}

TEST(BeginEnd, AnEndWithANameEndsTheSliceOfThatName) {
  const ReadResult read = read_trace_text(with_events({edge('B', "a", 0), edge('B', "b", 1), edge('E', "a", 4),
                                                       edge('E', "b", 6), edge('B', "c", 7), edge('E', "x", 8)}));
  EXPECT_EQ(spans_of(read.trace), (Spans{"a 0-4", "b 1-6", "c 7-8"}));
}

TEST(BeginEnd, WhatLacksAnEndOrABeginIsReported) {
  const std::string text = with_events({nameless_end(1), edge('B', "open", 2), first_slice, second_slice});
  const ReadResult read = read_trace_text(text);
  EXPECT_EQ(read.events, 4u);
  EXPECT_EQ(spans_of(read.trace), (Spans{"first 1-11", "open 2-30", "second 20-30"}));
  const Problem* const end = find_problem(read, ProblemKind::unmatched_end);
  ASSERT_NE(end, nullptr);
  EXPECT_EQ(end->byte_offset, text.find(nameless_end(1)));
  const Problem* const open = find_problem(read, ProblemKind::open_slice);
  ASSERT_NE(open, nullptr);
  EXPECT_EQ(open->byte_offset, text.find(edge('B', "open", 2)));
  EXPECT_THAT(open->message, ::testing::HasSubstr("\"open\""));
}

TEST(BeginEnd, AsynchronousSlicesGetTracksBesideTheirThread) {
  const auto coll = [](char phase, int id, double ts) {
    return edge(phase, "AllReduce", ts, fmt::format(R"("cat": "COLL", "id": {})", id));
  };
  const ReadResult read = read_trace_text(with_events(
      {first_slice, coll('b', 1, 2), coll('b', 2, 4), coll('n', 1, 5), coll('e', 1, 8), coll('e', 2, 12),
       coll('b', 1, 20), coll('e', 1, 22),
       R"({"ph": "b", "cat": "NET", "name": "Send", "id2": {"local": "0x1"}, "pid": 1, "tid": 1, "ts": 5})",
       R"({"ph": "e", "cat": "NET", "name": "Send", "id2": {"local": "0x1"}, "pid": 1, "tid": 1, "ts": 6})"}));
  EXPECT_TRUE(read.problems.rows().empty());
  EXPECT_EQ(spans_of(read.trace),
            (Spans{"first 1-11", "AllReduce 2-8", "Send 5-6", "AllReduce 20-22", "AllReduce 4-12"}));
  ASSERT_EQ(read.trace.tracks.size(), 3u);
  EXPECT_EQ(read.trace.text(read.trace.tracks[1].tid), "1 asynchronous 1");
  EXPECT_EQ(read.trace.text(read.trace.tracks[2].name), "asynchronous");
  EXPECT_EQ(read.trace.instants.size(), 1u);
  // As the writer writes them, they are complete events.
  const ReadResult again = read_trace_text(write_trace_text(read.trace));
  EXPECT_EQ(spans_of(again.trace), spans_of(read.trace));
}

TEST(BeginEnd, OfManyThatOverlapTheLastShareATrack) {
  std::vector<std::string> events;
  for (int id = 0; id < 100; ++id) {
    events.push_back(edge('b', "request", id, fmt::format(R"("cat": "r", "id": "0x{:x}")", id)));
    events.push_back(edge('e', "request", 200 + id, fmt::format(R"("cat": "r", "id": "0x{:x}")", id)));
  }
  const ReadResult read = read_trace_text(with_events(events));
  EXPECT_EQ(read.trace.slices.size(), 100u);
  EXPECT_EQ(read.trace.tracks.size(), 32u);
}

TEST(BeginEnd, PathsOfPythonFramesWithoutInvalidEscapesToo) {
  const ReadResult read = read_trace_text(
      with_events({slice("python_function", R"(torch\nn\functional.py(1): relu)", 1, 2),
                   slice("cpu_op", R"(two\nlines)", 5, 1), slice("python_function", R"(C:\\new\\t.py(2): f)", 8, 1)}));
  EXPECT_EQ(names_of(read.trace),
            (std::vector<std::string>{R"(torch\nn\functional.py(1): relu)", "two\nlines", R"(C:\new\t.py(2): f)"}));
}

}  // namespace
}  // namespace warpwalk::trace::test
