// The block scheduler against what an H200 wrote down of its blocks (assets/walks/h200_*.json.gz). Where the scheduler
// stood before a launch is taken from the first blocks of the record (gpu::state_before); the rest is the model.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/story/facts/launch_plan.h"
#include "tests/story/small_trace.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

class RecordedPlacement : public ::testing::TestWithParam<const char*> {};

TEST_P(RecordedPlacement, TheModelPutsEachBlockWhereItRan) {
  const Trace& trace = sample(GetParam());
  ASSERT_GT(trace.kernels.size(), 0u);
  for (std::size_t k = 0; k < trace.kernels.size(); ++k) {
    const auto [walk, error] = follow(trace, fmt::format("kernel:{}", k));
    ASSERT_FALSE(error) << *error;
    const auto plan = launch_plan({trace, walk, english(), hardware(), {}}, Placed::several_waves);
    ASSERT_TRUE(plan && plan->counted() && plan->recorded);
    // Of the first fill, which on 132 SMs is never less than 132 blocks of these grids.
    EXPECT_EQ(plan->compared, std::min(plan->blocks, plan->slots()));
    EXPECT_GE(plan->compared, 132u);
    EXPECT_EQ(plan->equal, plan->compared);
  }
}

INSTANTIATE_TEST_SUITE_P(H200, RecordedPlacement,
                         ::testing::Values("h200_vecadd", "h200_relu", "h200_matmul", "h200_relu_matmul"));

}  // namespace
}  // namespace warpwalk::story::testing
