// Known facts about the recorded samples. The numbers were counted independently of this program.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/trace/link.h"
#include "core/trace/read/read_trace.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

struct Expected {
  const char* file;
  std::size_t events, ops, kernels, memcpys, memsets, linked_to_launch, linked_to_op;
};

class Samples : public testing::TestWithParam<Expected> {};

TEST_P(Samples, CountsAndLinksAreThoseExpected) {
  const Expected& expected = GetParam();
  const ReadResult read = read_trace(std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets/walks" / expected.file);
  ASSERT_FALSE(read.error) << *read.error;
  const Trace& trace = read.trace;
  const auto count = [&](SliceKind kind) {
    return static_cast<std::size_t>(std::count(trace.slices.kind.begin(), trace.slices.kind.end(), kind));
  };
  EXPECT_EQ(read.events, expected.events);
  EXPECT_EQ(trace.op_order.size(), expected.ops);
  EXPECT_EQ(count(SliceKind::op), expected.ops);
  EXPECT_EQ(trace.kernel_order.size(), expected.kernels);
  EXPECT_EQ(count(SliceKind::memcpy), expected.memcpys);
  EXPECT_EQ(count(SliceKind::memset), expected.memsets);
  std::size_t to_launch = 0, to_op = 0;
  for (const SliceId kernel : trace.kernel_order) {
    to_launch += launch_of(trace, kernel) != no_slice;
    to_op += op_of(trace, kernel) != no_slice;
  }
  EXPECT_EQ(to_launch, expected.linked_to_launch);
  EXPECT_EQ(to_op, expected.linked_to_op);
  ASSERT_EQ(trace.devices.size(), 1u);
  EXPECT_EQ(trace.text(trace.devices[0].name), "NVIDIA H200");
  EXPECT_EQ(trace.devices[0].sms, 132);
  EXPECT_EQ(trace.base_time_ns, 1790857026000000000);
  EXPECT_FALSE(find_problem(read, ProblemKind::lost_event));
}

INSTANTIATE_TEST_SUITE_P(All, Samples,
                         testing::Values(Expected{"relu_matmul.json.gz", 202, 4, 2, 0, 0, 2, 2},
                                         Expected{"two_streams.json.gz", 255, 44, 16, 4, 4, 16, 16},
                                         Expected{"mlp_train.json.gz", 1544, 270, 56, 6, 4, 56, 56}));

TEST(Samples, TheReluWalkIsReadToTheLastDetail) {
  const ReadResult read = read_trace(std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets/walks/relu_matmul.json.gz");
  const Trace& trace = read.trace;
  const SliceId mm = find_slice(trace, "aten::mm");
  ASSERT_NE(mm, no_slice);
  EXPECT_EQ(trace.slices.start[mm], 4381490043748487);
  EXPECT_EQ(trace.slices.duration[mm], 1593870);
  EXPECT_EQ(trace.name(trace.slices.parent[mm]), "aten::matmul");
  const OpDetail& op = trace.ops[trace.slices.detail[mm]];
  EXPECT_EQ(op.external_id, 2);
  EXPECT_EQ(trace.text(op.input_dims), "[[1024, 1024], [1024, 1024]]");
  EXPECT_EQ(trace.text(op.input_types), "[\"float\", \"float\"]");
  EXPECT_EQ(op.event_index, 1);
  ASSERT_EQ(trace.memory.size(), 3u);
  EXPECT_EQ(trace.memory[0].address, 140130371239936);
  EXPECT_EQ(trace.memory[2].bytes, -4194304);
  EXPECT_EQ(trace.memory[2].reserved, 54525952);
  const KernelDetail& relu = trace.kernels[trace.slices.detail[trace.kernel_order[1]]];
  EXPECT_EQ(relu.stream, 7);
  EXPECT_EQ(relu.block, (std::array<std::int32_t, 3>{128, 1, 1}));
  EXPECT_EQ(trace.name(op_of(trace, trace.kernel_order[1])), "aten::clamp_min");
}

}  // namespace
}  // namespace warpwalk::trace::test
