// Walks that warpwalk made from an expression: no sentence mentions Python, and the typed text is called neither
// measured nor simulated.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/analysis/slices.h"
#include "core/story/transcript.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

/// Everything that the boardroom says of the walk of an op, beat by beat.
std::vector<std::string> boardroom_of(const Trace& trace, const Walk& walk) {
  std::vector<std::string> beats;
  for_each_beat(
      trace, walk, english(), [&](const Scene&, const Stage& stage) { beats.push_back(transcript(stage)); }, {}, {}, {},
      [](const Scene& scene) { return scene.name == "boardroom"; });
  return beats;
}

TEST(TypedLine, TheBoardroomTellsOfNoPython) {
  const Trace& trace = sample("h200_relu_matmul");
  ASSERT_TRUE(analysis::is_typed(trace));
  for (const SliceId op : trace.op_order)
    for (const std::string& beat : boardroom_of(trace, follow_op(trace, op))) {
      EXPECT_THAT(beat, ::testing::Not(::testing::HasSubstr("Called from")));
      EXPECT_THAT(beat, ::testing::Not(::testing::HasSubstr("Python:")));
      EXPECT_THAT(beat, ::testing::Not(::testing::HasSubstr("with_stack")));
      EXPECT_THAT(beat, ::testing::Not(::testing::HasSubstr("<expression>")));
      EXPECT_THAT(beat, ::testing::Not(::testing::HasSubstr("Python asks")));
      EXPECT_THAT(beat, ::testing::Not(::testing::HasSubstr("line of Python")));
    }
}

TEST(TypedLine, StandsWhereFramesDo) {
  const std::string call = boardroom_of(sample("h200_relu_matmul"), default_walk(sample("h200_relu_matmul"))).at(2);
  EXPECT_THAT(call, ::testing::HasSubstr("The typed line calls the op aten::matmul\n"));
  EXPECT_THAT(call, ::testing::HasSubstr("without Python"));
  EXPECT_THAT(call, ::testing::HasSubstr("The typed line: relu(a @ b) [explained]\n"));
  EXPECT_THAT(call, ::testing::HasSubstr("/ typed line: "));
  EXPECT_THAT(call, ::testing::HasSubstr("relu(a @ b), "));
}

TEST(TypedLine, WithoutTimesToo) {
  Trace trace = SmallTrace()
                    .frame("<expression>(1): relu(a)", 0, 300)
                    .op("aten::relu", 1, 100)
                    .call("cudaLaunchKernel", 10, 5, 1)
                    .kernel("relu", -1000, 0, 1)
                    .read();
  trace.records.expression = "relu(a)";
  const std::string call = boardroom_of(trace, default_walk(trace)).at(2);
  EXPECT_THAT(call, ::testing::HasSubstr("The typed line calls the op aten::relu\n"));
  EXPECT_THAT(call, ::testing::HasSubstr("/ typed line: relu(a)\n"));
}

TEST(TypedLine, ProgramsHaveFrames) {
  const Trace& trace = sample("relu_matmul");
  EXPECT_FALSE(analysis::is_typed(trace));
  const std::string call = boardroom_of(trace, default_walk(trace)).at(2);
  EXPECT_THAT(call, ::testing::HasSubstr("Called from: "));
  EXPECT_THAT(call, ::testing::HasSubstr("/ Python: "));
}

}  // namespace
}  // namespace warpwalk::story::testing
