// Python frames of several threads that the profiler writes to thread 0.
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/chrome/writer.h"
#include "core/trace/read/read_trace.h"
#include "tests/trace/equal.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

std::string frame(std::string_view name, double ts, double dur, int id, std::string_view parent, int tid = 0,
                  std::string_view more = "") {
  return slice("python_function", name, ts, dur,
               fmt::format("\"Python id\": {}, \"Python parent id\": {}{}", id, parent, more), 5, tid);
}

std::map<std::string, std::string> tid_by_name(const Trace& trace) {
  std::map<std::string, std::string> tids;
  for (SliceId s = 0; s < trace.slices.size(); ++s)
    tids[std::string(trace.name(s))] = trace.text(trace.tracks[trace.slices.track[s]].tid);
  return tids;
}
using Tids = std::map<std::string, std::string>;

TEST(PythonThreads, OverlappingStacksWithoutAParentAreDifferentThreads) {
  // Two workers that wait all the time, and a thread that runs twice, the second time after the second worker ended.
  const ReadResult read = read_trace_text(with_events(
      {frame("worker 1", 0, 100, 1, "null"), frame("recv 1", 1, 98, 2, "1"), frame("worker 2", 5, 50, 3, "null"),
       frame("recv 2", 6, 40, 4, "3"), frame("later", 60, 10, 5, "null"), frame("inner", 61, 5, 6, "5"),
       slice("cpu_op", "aten::mm", 20, 5, "", 5, 0)}));
  const Trace& trace = read.trace;
  EXPECT_EQ(tid_by_name(trace), (Tids{{"worker 1", "0"},
                                      {"recv 1", "0"},
                                      {"worker 2", "0 #2"},
                                      {"recv 2", "0 #2"},
                                      {"later", "0 #2"},
                                      {"inner", "0 #2"},
                                      {"aten::mm", "0"}}));
  EXPECT_EQ(trace.slices.parent[find_slice(trace, "recv 2")], find_slice(trace, "worker 2"));
  EXPECT_EQ(trace.slices.parent[find_slice(trace, "worker 2")], no_slice);
  EXPECT_TRUE(read.problems.rows().empty());
  const ReadResult again = read_trace_text(write_trace_text(trace));
  EXPECT_EQ(equal(trace, again.trace).value_or("equal"), "equal");
}

TEST(PythonThreads, ThePythonThreadTellsStacksApart) {
  const ReadResult read = read_trace_text(with_events({frame("a", 0, 10, 1, "null", 0, ", \"Python thread\": 4"),
                                                       frame("b", 20, 10, 2, "null", 0, ", \"Python thread\": 9"),
                                                       frame("c", 22, 5, 3, "2", 0, ", \"Python thread\": 9")}));
  EXPECT_EQ(tid_by_name(read.trace), (Tids{{"a", "0"}, {"b", "0 #2"}, {"c", "0 #2"}}));
}

TEST(PythonThreads, OtherTracksAndBrokenChainsStay) {
  // A known thread; frames whose parent is missing, or their own ancestor; ids that are not unique.
  EXPECT_EQ(tid_by_name(
                read_trace_text(with_events({frame("a", 0, 10, 1, "null", 3), frame("b", 5, 10, 2, "null", 3)})).trace),
            (Tids{{"a", "3"}, {"b", "3"}}));
  EXPECT_EQ(tid_by_name(read_trace_text(with_events({frame("a", 0, 10, 1, "null"), frame("b", 5, 10, 2, "77"),
                                                     frame("c", 5, 9, 3, "4"), frame("d", 6, 9, 4, "3")}))
                            .trace),
            (Tids{{"a", "0"}, {"b", "0"}, {"c", "0"}, {"d", "0"}}));
  EXPECT_EQ(
      tid_by_name(read_trace_text(with_events({frame("a", 0, 10, 1, "null"), frame("b", 5, 10, 1, "null")})).trace),
      (Tids{{"a", "0"}, {"b", "0"}}));
}

}  // namespace
}  // namespace warpwalk::trace::test
