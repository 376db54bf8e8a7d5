// Walks that warpwalk made from an expression: no sentence mentions Python, and the typed text is called neither
// measured nor simulated.
#include <gtest/gtest.h>

#include "core/story/facts/words/rows.h"
#include "core/story/transcript.h"
#include "tests/story/small_trace.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

/// Everything that the boardroom says of the walk of an op, beat by beat.
std::vector<std::string> boardroom_of(const Trace& trace, const Walk& walk) {
  std::vector<std::string> beats;
  for_each_beat(trace, walk, english(), [&](const Scene& scene, const Stage& stage) {
    if (scene.name == "boardroom") beats.push_back(transcript(stage));
  });
  return beats;
}

bool meaning(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

TEST(TypedLine, TheBoardroomTellsOfNoPython) {
  const Trace& trace = sample("h200_relu_matmul");
  ASSERT_TRUE(is_typed(trace));
  for (const SliceId op : trace.op_order)
    for (const std::string& beat : boardroom_of(trace, follow_op(trace, op))) {
      EXPECT_FALSE(meaning(beat, "Called from")) << beat;
      EXPECT_FALSE(meaning(beat, "Python:")) << beat;
      EXPECT_FALSE(meaning(beat, "with_stack")) << beat;
      EXPECT_FALSE(meaning(beat, "<expression>")) << beat;
      EXPECT_FALSE(meaning(beat, "Python asks")) << beat;
      EXPECT_FALSE(meaning(beat, "line of Python")) << beat;
    }
}

TEST(TypedLine, StandsWhereFramesDo) {
  const std::string call = boardroom_of(sample("h200_relu_matmul"), default_walk(sample("h200_relu_matmul"))).at(2);
  EXPECT_TRUE(meaning(call, "The typed line calls the op aten::matmul\n")) << call;
  EXPECT_TRUE(meaning(call, "without Python")) << call;
  EXPECT_TRUE(meaning(call, "The typed line: relu(a @ b) [explained]\n")) << call;
  EXPECT_TRUE(meaning(call, "/ typed line: ") && meaning(call, "relu(a @ b), ")) << call;
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
  EXPECT_TRUE(meaning(call, "The typed line calls the op aten::relu\n")) << call;
  EXPECT_TRUE(meaning(call, "/ typed line: relu(a)\n")) << call;
}

TEST(TypedLine, ProgramsHaveFrames) {
  const Trace& trace = sample("relu_matmul");
  EXPECT_FALSE(is_typed(trace));
  const std::string call = boardroom_of(trace, default_walk(trace)).at(2);
  EXPECT_TRUE(meaning(call, "Called from: ")) << call;
  EXPECT_TRUE(meaning(call, "/ Python: ")) << call;
}

}  // namespace
}  // namespace warpwalk::story::testing
