// The registry of formats: which reader gets a file, by its first bytes.
#include "core/trace/read/formats.h"

#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"

namespace warpwalk::trace::test {
namespace {

using namespace std::string_view_literals;

struct FormatSample {
  std::string_view begin, format;
};

constexpr FormatSample format_samples[] = {
    {"SQLite format 3\0\x10\0\1\1"sv, "SQLite of Nsight Systems or rocprofv3"sv},
    {"\x80\4\x95\0\0\0\0\0\0\0\0}"sv, "pickle of PyTorch's memory snapshot"sv},
    {"{\n  \"rocprofiler-sdk-tool\": ["sv, "JSON of rocprofv3"sv},
    {"\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_"
     "Id\","
     "\"Start_Timestamp\",\"End_Timestamp\"\n"sv,
     "CSV of rocprofv3"sv},
    {"\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Metric Name\"\n"sv,
     "report of Nsight Compute"sv},
    {"{\"schemaVersion\": 1, \"traceEvents\": ["sv, "Chrome-trace JSON"sv},
    {"[{\"ph\": \"X\""sv, "Chrome-trace JSON"sv},
    {"nothing that is known"sv, "Chrome-trace JSON"sv},
    {""sv, "Chrome-trace JSON"sv},
};

TEST(Formats, AreFoundByTheFirstBytes) {
  for (const FormatSample& sample : format_samples)
    EXPECT_EQ(format_of(sample.begin).name, sample.format) << sample.begin;
}

TEST(Formats, HaveEachASampleAndOneThatTakesIt) {
  std::set<std::string_view> named, sampled;
  for (const Format& format : formats()) named.insert(format.name);
  EXPECT_EQ(named.size(), formats().size());
  for (const FormatSample& sample : format_samples) {
    sampled.insert(sample.format);
    int takers = 0;
    for (const Format& format : formats()) takers += format.begins(sample.begin);
    EXPECT_EQ(takers, sample.format == formats().back().name ? 1 : 2) << "its own and the last: " << sample.begin;
  }
  EXPECT_EQ(sampled, named);
}

// What a file is does not depend on how much of it is read at a time.
TEST(Formats, AreTheSameInPieces) {
  const std::string text =
      "\"ID\",\"Process ID\",\"Process Name\"\f\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\"";
  ReadOptions in_pieces;
  in_pieces.window_bytes = 58;
  const ReadResult whole = read_trace_text(text, {}, "report.csv"),
                   pieces = read_trace_text(text, in_pieces, "report.csv");
  ASSERT_TRUE(whole.error);
  EXPECT_EQ(pieces.error, whole.error);
  EXPECT_EQ(pieces.problems.rows().size(), whole.problems.rows().size());
}

}  // namespace
}  // namespace warpwalk::trace::test
