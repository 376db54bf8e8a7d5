// Tests against sentences that contradict the trace. Those that hold for every walk are in sweep/statement_checks.cpp.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/story/facts/words/rows.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

// Every sentence of the walk, titles too.
std::string summary(const Trace& trace, const Walk& walk) {
  std::string text;
  for_each_beat(
      trace, walk, english(),
      [&](const Scene&, const Stage& stage) { text += stage.title + "\n" + stage.sentence + "\n"; }, {}, {}, {},
      is_of_the_walk);
  return text;
}

std::string summary(std::string_view name) {
  for (const Crafted& made : crafted())
    if (made.name == name) return summary(made.trace, made.walk);
  ADD_FAILURE() << "no crafted trace is named " << name;
  return {};
}

TEST(Statements, WithClocksThatDifferNoTimeBetweenThemIsTold) {
  const std::string text = summary("clocks that differ");
  for (const std::string_view untrue : {"before the GPU is done", "after the call began", "after the call returned"})
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(untrue)));
}

TEST(Statements, AGraphsLaunchIsSharedAmongItsNodes) {
  const std::string text = summary("a CUDA graph of four nodes");
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("which kernel, how many blocks")));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("It says how many")));
  EXPECT_THAT(text, ::testing::HasSubstr("starts 4 graph nodes"));
  EXPECT_THAT(text, ::testing::HasSubstr("an equal share: 75.0 µs"));  // 300 us for four
  const Crafted* graph = nullptr;
  for (const Crafted& made : crafted())
    if (made.name == "one of two CUDA graphs") graph = &made;
  ASSERT_NE(graph, nullptr);
  for_each_beat(graph->trace, graph->walk, english(), [&](const Scene& scene, const Stage& stage) {
    if (scene.name != "boardroom" || stage.beat != 3) return;
    // The third launch is that of another graph.
    EXPECT_THAT(transcript(stage), ::testing::HasSubstr("Other launches of this graph: 8.0 µs [derived"));
  });
}

TEST(Statements, ACopyIsNoArithmetic) {
  const std::string text = summary("a copy");
  for (const std::string_view untrue : {"arithmetic", "how many blocks"})
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(untrue)));
}

TEST(Statements, AFillIsNoCopy) {
  const std::string text = summary("a fill");
  for (const std::string_view untrue : {"from where", "copy engine", "arithmetic"})
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(untrue)));
}

TEST(Statements, AnOpThatOrdersNothingIsNotSaidToBeOrdered) {
  // The op after the launch is a view: it stays on the CPU.
  const Trace trace = SmallTrace()
                          .op("aten::relu", 0, 20)
                          .call("cudaLaunchKernel", 10, 5, 1)
                          .kernel("k", 20, 100, 1)
                          .op("aten::view", 30, 4)
                          .read();
  EXPECT_THAT(summary(trace, default_walk(trace)),
              ::testing::Not(::testing::HasSubstr("queues the next op behind this one")));
}

TEST(Statements, WhereNoGpuWorkIsOnRecordTheOpIsNotSaidToHaveOrderedNone) {
  // A profile without ProfilerActivity.CUDA looks the same as an op over CPU tensors.
  const Trace trace = SmallTrace().op("aten::relu", 0, 100).read();
  const std::string text = summary(trace, default_walk(trace));
  for (const std::string_view untrue : {"never left the CPU", "ordered no work", "orders nothing"})
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(untrue)));
}

TEST(Statements, NeighboursThatAreDrawnAsOneAreCountedInEnglish) {
  SmallTrace busy;
  busy.op("aten::relu", 0, 1000).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 900, 1);
  for (int i = 0; i < 20; ++i) busy.copy("Memcpy DtoD", 930 + 0.01 * i, 0.005, 0);
  const Trace trace = busy.read();
  const std::vector<Bar> bars = bars_of(english(), trace, trace.slices.track[default_walk(trace).kernel],
                                        trace.begin_ns, trace.end_ns + 1, 1000, {}, [](SliceId) { return true; });
  ASSERT_EQ(bars.size(), 2u);
  EXPECT_EQ(bars[1].label, "20 copies");
}

TEST(Statements, AFillIsNotDrawnAsACopy) {
  SmallTrace busy;
  busy.op("aten::relu", 0, 1000).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 900, 1);
  for (int i = 0; i < 20; ++i) busy.fill(930 + 0.01 * i, 0.005, 0);
  const Trace trace = busy.read();
  const std::vector<Bar> bars = bars_of(english(), trace, trace.slices.track[default_walk(trace).kernel],
                                        trace.begin_ns, trace.end_ns + 1, 1000, {}, [](SliceId) { return true; });
  ASSERT_EQ(bars.size(), 2u);
  EXPECT_EQ(bars[1].label, "20 fills");
  EXPECT_EQ(bars[1].role, Role::fill);
}

TEST(Statements, ABarThatTheAxisCutsNamesItsWholeTime) {
  // The kernel takes 1 ms, and the stream's picture shows only the first part.
  const Trace trace =
      SmallTrace().op("aten::relu", 0, 30).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 1000, 1).read();
  for_each_beat(trace, default_walk(trace), english(), [&](const Scene& scene, const Stage& stage) {
    if (scene.name != "launch" || stage.beat != 1) return;
    EXPECT_THAT(transcript(stage), ::testing::HasSubstr("1,000.0 µs in all: k"));
  });
}

}  // namespace
}  // namespace warpwalk::story::testing
