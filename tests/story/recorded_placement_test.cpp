// Compares the block scheduler with the block placement recorded on an H200 (assets/walks/h200_*.json.gz). The
// scheduler's state before a launch comes from the first blocks of the record (gpu::state_before); the model predicts
// the rest.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/facts/launch/launch_plan.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

class RecordedPlacement : public ::testing::TestWithParam<const char*> {};

TEST_P(RecordedPlacement, TheModelPutsEachBlockWhereItRan) {
  const Trace& trace = sample(GetParam());
  ASSERT_GT(trace.kernels.size(), 0u);
  for (std::size_t k = 0; k < trace.kernels.size(); ++k) {
    const auto walk = follow(trace, fmt::format("kernel:{}", k));
    ASSERT_TRUE(walk) << walk.error();
    const auto plan = launch_plan({trace, *walk, english(), hardware(), {}}, Placed::several_waves);
    ASSERT_TRUE(plan && plan->counted() && plan->recorded);
    // All blocks of the first fill are compared. For these grids, that is at least 132 blocks on 132 SMs.
    EXPECT_EQ(plan->compared, std::min(plan->blocks, plan->slots()));
    EXPECT_GE(plan->compared, 132u);
    EXPECT_EQ(plan->equal, plan->compared);
  }
}

INSTANTIATE_TEST_SUITE_P(H200, RecordedPlacement,
                         ::testing::Values("h200_vecadd", "h200_relu", "h200_matmul", "h200_relu_matmul"));

}  // namespace
}  // namespace warpwalk::story::testing
