// How losses noted in a recording are reported when it is opened.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"

namespace warpwalk::trace::test {
namespace {

// "COUNT: MESSAGE" for a file with this entry; empty if nothing is reported.
std::string report_of(std::string_view entry) {
  const ReadResult read = read_trace_text(fmt::format(R"({{"warpwalk_recording": {}, "traceEvents": []}})", entry));
  for (const Problem& problem : read.problems.rows())
    if (problem.kind == ProblemKind::incomplete_recording) return fmt::format("{}: {}", problem.count, problem.message);
  return "";
}

TEST(RecordingLosses, AreToldTogether) {
  EXPECT_EQ(report_of(R"({"dropped_records": 0, "unwritten_rows": 0, "signal": 11})"), "");
  EXPECT_EQ(report_of(R"({"unwritten_rows": 2, "dropped_records": 3})"),
            "5: the recording lacks 3 records that CUPTI dropped, 2 rows that did not fit on the disk");
}

// Lost bytes are not events: they are reported but not added to the count.
TEST(RecordingLosses, BytesAreNotAdded) {
  EXPECT_EQ(report_of(R"({"dropped_records": 3, "damaged_bytes": 4000})"),
            "3: the recording lacks 3 records that CUPTI dropped, 4000 bytes at the end that were cut off");
  EXPECT_EQ(report_of(R"({"damaged_bytes": 4000})"), "1: the recording lacks 4000 bytes at the end that were cut off");
}

TEST(RecordingLosses, ThatAreNoCountsAreNotBelieved) {
  for (const char* entry : {"null", "7", "[]", R"({"dropped_records": "x", "unwritten_rows": -3})",
                            R"({"dropped_records": 1e300, "damaged_bytes": [1], "left_out_rows": {"a": 1}})"})
    EXPECT_EQ(report_of(entry), "") << entry;
}

TEST(RecordingLosses, TheirSumDoesNotGoAround) {
  EXPECT_TRUE(report_of(R"({"dropped_records": 18446744073709551615, "left_out_rows": 2})")
                  .starts_with("18446744073709551615: the recording lacks "));
}

}  // namespace
}  // namespace warpwalk::trace::test
