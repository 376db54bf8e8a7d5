// The sentences of a stage about a launch that was recorded with its memory, or about its stand-in.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/run/replay/history.h"
#include "core/run/replay/load_recorded.h"
#include "core/story/facts/launch/input_values.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "core/trace/read/read_trace.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/words.h"

namespace warpwalk::story {
namespace {

using testing::english;
using testing::hardware;

trace::Trace inside_trace() {
  return trace::read_trace(WARPWALK_SOURCE_DIR "/assets/walks/h100_relu_matmul_inside.json.gz").trace;
}

/// The facts on a stage with this history of the followed kernel, "label: value" each.
std::vector<std::string> facts_with(const trace::Trace& trace, const run::History& history) {
  const Walk walk = default_walk(trace);
  SceneInput input{trace, walk, english(), hardware(), {Moment::Kind::beat, 1, 1}};
  input.history.state = HistoryView::State::ready;
  input.history.history = &history;
  Stage stage;
  add_replay_facts(input, stage);
  std::vector<std::string> facts;
  for (const Fact& fact : stage.facts) facts.push_back(fact.label + ": " + fact.figure.text());
  return facts;
}

using Facts = std::vector<std::string>;
using Digests = run::History::Digests;

TEST(InsideFacts, SayWhetherTheBitsAreThoseOfTheGpu) {
  const trace::Trace trace = inside_trace();
  run::History history;
  history.device.compared = true;
  history.recorded = true;
  history.digests = Digests::equal;
  EXPECT_EQ(facts_with(trace, history),
            Facts{"The recorded launch, run again: leaves the same bits that the GPU left"});
  history.digests = Digests::none;
  EXPECT_EQ(facts_with(trace, history),
            Facts{"The recorded launch, run again: nothing was recorded to compare it with"});
  history.seeded = true;
  EXPECT_EQ(facts_with(trace, history),
            Facts{"The recorded launch, run again: on random values; the contents of its memory are not in the walk"});
  history.seeded = false;
  history.digests = Digests::different;
  history.announced = "simulated, k leaves other bits than the GPU in argument 2";
  EXPECT_EQ(facts_with(trace, history),
            Facts{"The result differs: simulated, k leaves other bits than the GPU in argument 2"});
}

TEST(InsideFacts, SayWhyAStandInIsShown) {
  const trace::Trace trace = inside_trace();
  run::History history;
  history.device.compared = true;
  history.stand_in = true;
  EXPECT_EQ(facts_with(trace, history), Facts{});
  history.stands_in_because = "the machine code of k: instruction 0x0f00: `X` is not supported";
  EXPECT_EQ(facts_with(trace, history),
            Facts{"Why not the kernel itself: the machine code of k: instruction 0x0f00: `X` is not supported"});
}

// The script registers a matmul of its own for aten::mm, so PyTorch's own function is not called.
TEST(InsideFacts, TheOpEndsInThePythonFunctionThatTheProgramRegistered) {
  const trace::Trace trace = inside_trace();
  const Walk walk = default_walk(trace);
  SceneInput input{trace, walk, english(), hardware(), {Moment::Kind::beat, 3, 1}};
  const std::string words = everything_on(find_scene("translator")->stage(input));
  EXPECT_THAT(words, ::testing::HasSubstr("relu_matmul_inside.py(25): mm"));
  EXPECT_THAT(words, ::testing::HasSubstr("this program has registered a Python function"));
  EXPECT_THAT(words, ::testing::Not(::testing::HasSubstr("mm_out_cuda")));
}

// The script's random integers from -4 to 4.
TEST(InsideFacts, InputsAreTheRecordedElements) {
  const trace::Trace trace = inside_trace();
  const auto values = input_values(trace, default_walk(trace));
  ASSERT_EQ(values.size(), 2u);
  std::set<double> seen;
  for (const InputValues& one : values) {
    EXPECT_TRUE(one.recorded);
    const auto& sizes = one.geometry.sizes;
    for (std::int64_t row = 0; row < sizes[0]; ++row)
      for (std::int64_t column = 0; column < sizes[1]; ++column) seen.insert(one.at(row, column));
  }
  EXPECT_EQ(seen, (std::set<double>{-4, -3, -2, -1, 0, 1, 2, 3, 4}));
}

TEST(InsideFacts, TheOpeningSaysWhereItsNumbersAreFrom) {
  const trace::Trace trace = inside_trace();
  const Walk walk = default_walk(trace);
  SceneInput input{trace, walk, english(), hardware(), {Moment::Kind::beat, 1, 1}};
  const Stage stage = find_scene("boardroom")->stage(input);
  EXPECT_THAT(everything_on(stage), ::testing::HasSubstr("from the memory that was recorded before the kernel ran"));
}

}  // namespace
}  // namespace warpwalk::story
