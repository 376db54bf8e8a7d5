// Durations that an in-order stream rules out.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

std::string work(std::string_view name, double ts, double dur, int correlation, std::string_view more = "",
                 int stream = 7) {
  return slice("kernel", name, ts, dur,
               fmt::format("\"device\": 0, \"stream\": {}, \"correlation\": {}{}", stream, correlation, more), 0,
               stream);
}

std::uint64_t overlaps_in(const std::vector<std::string>& events) {
  return read_trace_text(with_events(events)).problems.count_of(ProblemKind::stream_overlap);
}

TEST(StreamOverlap, OnlyWorkThatOutlivesTheSecondNextIsDoubted) {
  // Three kernels of programmatic dependent launch: each starts before the one before it ends, and ends after it.
  EXPECT_EQ(overlaps_in({work("a", 10, 9, 1), work("b", 15, 9, 2), work("c", 18, 9, 3)}), 0u);
  // The end of the first covers one later kernel, as two writers of one stream can leave it.
  EXPECT_EQ(overlaps_in({work("a", 10, 20, 1), work("b", 12, 3, 2), work("c", 40, 5, 3)}), 0u);
  EXPECT_EQ(overlaps_in({work("a", 10, 20, 1), work("b", 12, 3, 2), work("c", 20, 5, 3)}), 1u);
  EXPECT_EQ(overlaps_in({work("a", 10, 20, 1), work("b", 12, 17, 2), work("c", 15, 3, 3), work("d", 20, 3, 4)}), 2u);
}

TEST(StreamOverlap, OtherStreamsAndWorkWithoutAStreamAreNoProblem) {
  EXPECT_EQ(overlaps_in({work("a", 10, 20, 1), work("b", 12, 3, 2, "", 8), work("c", 20, 5, 3, "", 8)}), 0u);
  // One line of the file, two streams.
  EXPECT_EQ(overlaps_in({slice("kernel", "a", 10, 20, "\"stream\": 7, \"correlation\": 1", 0, 7),
                         slice("kernel", "b", 12, 3, "\"stream\": 8, \"correlation\": 2", 0, 7),
                         slice("kernel", "c", 20, 5, "\"stream\": 8, \"correlation\": 3", 0, 7)}),
            0u);
  EXPECT_EQ(overlaps_in({slice("kernel", "a", 10, 20, "\"correlation\": 1", 0, 7),
                         slice("kernel", "b", 12, 3, "\"correlation\": 2", 0, 7),
                         slice("kernel", "c", 20, 5, "\"correlation\": 3", 0, 7)}),
            0u);
}

TEST(StreamOverlap, NodesOfAGraphMayRunAtTheSameTime) {
  const std::string_view graph = ", \"graph id\": 3, \"graph node id\": 12";
  EXPECT_EQ(overlaps_in({work("a", 10, 20, 1, graph), work("b", 12, 3, 1, graph), work("c", 20, 5, 1, graph)}), 0u);
  EXPECT_EQ(overlaps_in({work("a", 10, 20, 1), work("b", 12, 3, 1), work("c", 20, 5, 1)}), 0u) << "one launch";
}

TEST(StreamOverlap, TheLongestIsTheExample) {
  const ReadResult read = read_trace_text(
      with_events({work("short", 10, 20, 1), work("b", 12, 3, 2), work("c", 20, 5, 3), work("long", 50, 100, 4),
                   work("e", 60, 5, 5), work("f", 70, 5, 6), work("g", 80, 5, 7), work("later", 160, 5, 8)}));
  const Problem* const problem = find_problem(read, ProblemKind::stream_overlap);
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(problem->count, 2u);
  for (const char* says : {"\"long\" (at 50.000 us) lasts 100.000 us", "3 later"})
    EXPECT_THAT(problem->message, ::testing::HasSubstr(says));
}

}  // namespace
}  // namespace warpwalk::trace::test
