#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/trace/chrome/writer.h"
#include "core/trace/read/read_trace.h"
#include "tests/trace/equal.h"
#include "tests/trace/random_trace.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

void expect_round_trip(const Trace& trace) {
  const std::string text = write_trace_text(trace);
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
  ASSERT_FALSE(document.HasParseError()) << "not strict JSON at byte " << document.GetErrorOffset() << ": "
                                         << text.substr(document.GetErrorOffset(), 80);
  const ReadResult read = read_trace_text(text);
  ASSERT_FALSE(read.error) << *read.error;
  EXPECT_EQ(equal(trace, read.trace).value_or("equal"), "equal");
  EXPECT_EQ(write_trace_text(read.trace), text);
  for (const ProblemKind kind : {ProblemKind::lost_event, ProblemKind::lost_metadata, ProblemKind::bad_record,
                                 ProblemKind::missing_field, ProblemKind::unmatched_flow, ProblemKind::duplicate_flow})
    if (const Problem* problem = find_problem(read, kind)) ADD_FAILURE() << problem->message;
}

class Sample : public testing::TestWithParam<const char*> {};

TEST_P(Sample, WriteThenReadIsEqual) {
  const ReadResult read = read_trace(std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets/walks" / GetParam());
  ASSERT_FALSE(read.error) << *read.error;
  ASSERT_GT(read.trace.slices.size(), 50u);
  expect_round_trip(read.trace);
}

INSTANTIATE_TEST_SUITE_P(RoundTrip, Sample,
                         testing::Values("relu_matmul.json.gz", "two_streams.json.gz", "mlp_train.json.gz"));

TEST(RoundTrip, RandomTraces) {
  std::size_t slices = 0, flows = 0, records = 0, launched = 0;
  for (std::uint64_t seed = 0; seed < 400 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Trace trace = random_trace(seed);
    expect_round_trip(trace);
    slices += trace.slices.size();
    flows += trace.flows.size();
    records += trace.records.kernels.size();
    launched += trace.launched.size();
  }
  // Check that the generator produces enough of each.
  EXPECT_GT(slices, 10'000u);
  EXPECT_GT(flows, 1'000u);
  EXPECT_GT(records, 100u);
  EXPECT_GT(launched, 500u);
}

TEST(RoundTrip, ThroughFiles) {
  const TemporaryFolder folder;
  const Trace trace = random_trace(7);
  for (const char* name : {"walk.json", "walk.json.gz"}) {
    ASSERT_TRUE(write_trace(trace, folder / name));
    const ReadResult read = read_trace(folder / name);
    ASSERT_FALSE(read.error) << *read.error;
    EXPECT_EQ(equal(trace, read.trace).value_or("equal"), "equal");
  }
  EXPECT_EQ(read_file(folder / "walk.json"), write_trace_text(trace));
  EXPECT_EQ(read_file(folder / "walk.json.gz").substr(0, 2), "\x1f\x8b");
}

}  // namespace
}  // namespace warpwalk::trace::test
