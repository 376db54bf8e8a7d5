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
using ::testing::HasSubstr;
using ::testing::Not;

trace::Trace inside_trace() {
  return trace::read_trace(WARPWALK_SOURCE_DIR "/assets/walks/h200_relu_matmul_inside.json.gz").trace;
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
  const std::string run = "Its memory: of a second run of the same step";
  EXPECT_EQ(facts_with(trace, history),
            (Facts{"The recorded launch, run again: leaves the same bits that the GPU left", run}));
  history.digests = Digests::none;
  EXPECT_EQ(facts_with(trace, history),
            (Facts{"The recorded launch, run again: nothing was recorded to compare it with", run}));
  history.seeded = true;
  EXPECT_EQ(
      facts_with(trace, history),
      (Facts{"The recorded launch, run again: on random values; the contents of its memory are not in the walk", run}));
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

// The words of the beats in which the dispatcher's rows are gone through.
std::string dispatched_words(const trace::Trace& trace) {
  const Walk walk = default_walk(trace);
  SceneInput input{trace, walk, english(), hardware(), {Moment::Kind::beat, 3, 1}};
  return everything_on(find_scene("translator")->stage(input));
}

// The program registers a function of its own for aten::mm, so PyTorch's is not called.
TEST(InsideFacts, TheOpEndsInTheFunctionThatTheProgramRegistered) {
  const std::string words = dispatched_words(inside_trace());
  EXPECT_THAT(words, HasSubstr("this program has registered a function of its own"));
  EXPECT_THAT(words, Not(HasSubstr("mm_out_cuda")));
}

TEST(InsideFacts, AKernelOfALibraryIsCalledByPyTorchsFunction) {
  trace::Trace trace = inside_trace();
  for (trace::Module& module : trace.records.modules) module.source = {};
  const std::string words = dispatched_words(trace);
  EXPECT_THAT(words, HasSubstr("mm_out_cuda"));
  EXPECT_THAT(words, Not(HasSubstr("this program has registered")));
}

// An op that was registered in Python has the function's frame directly inside it.
TEST(InsideFacts, TheOpEndsInThePythonFunctionThatTheProgramRegistered) {
  const std::string text = R"({"traceEvents": [
    {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 10, "dur": 80, "args": {"External id": 1,
     "Input Dims": [[520, 32], [32, 328]], "Input type": ["float", "float"], "Input Strides": [[32, 1], [328, 1]]}},
    {"ph": "X", "cat": "python_function", "name": "own_mm.py(25): mm", "pid": 1, "tid": 1, "ts": 12, "dur": 70,
     "args": {"Python id": 1}},
    {"ph": "X", "cat": "cuda_driver", "name": "cuLaunchKernel", "pid": 1, "tid": 1, "ts": 40, "dur": 6,
     "args": {"correlation": 7, "External id": 1}},
    {"ph": "X", "cat": "kernel", "name": "matmul", "pid": 0, "tid": 7, "ts": 48, "dur": 3, "args": {"correlation": 7,
     "device": 0, "stream": 7, "grid": [21, 33, 1], "block": [16, 16, 1], "External id": 1}}]})";
  const auto read = trace::read_trace_text(text);
  ASSERT_FALSE(read.error);
  const std::string words = dispatched_words(read.trace);
  EXPECT_THAT(words, HasSubstr("own_mm.py(25): mm"));
  EXPECT_THAT(words, HasSubstr("this program has registered a Python function"));
  EXPECT_THAT(words, Not(HasSubstr("mm_out_cuda")));
}

// The default walk shows a typical launch: the call takes some microseconds, and the kernel begins after it.
TEST(InsideFacts, TheDefaultWalkHasTimesOfAWarmLaunch) {
  const trace::Trace trace = inside_trace();
  const Walk walk = default_walk(trace);
  const trace::Slices& rows = trace.slices;
  EXPECT_GE(rows.duration[walk.launch], 5000);
  EXPECT_LE(rows.duration[walk.launch], 10000);
  EXPECT_GT(rows.start[walk.kernel], rows.end(walk.launch));
  EXPECT_LT(rows.start[walk.kernel], rows.end(walk.launch) + 5000);
  EXPECT_TRUE(trace.python.empty()) << "the times are of a run with Python frames";
  const trace::KernelRecord* const record = analysis::kernel_record(trace, walk);
  ASSERT_NE(record, nullptr);
  ASSERT_TRUE(record->state);
  EXPECT_EQ(record->state->recorded_in, "a second run of the same step");
}

// The op's call stack gives the line of Python, without a time.
TEST(InsideFacts, TheLineOfTheCallIsThatOfTheCallStack) {
  const trace::Trace trace = inside_trace();
  const Walk walk = default_walk(trace);
  SceneInput input{trace, walk, english(), hardware(), {Moment::Kind::beat, 3, 1}};
  EXPECT_THAT(everything_on(find_scene("boardroom")->stage(input)), HasSubstr("relu_matmul_inside.py(38): step"));
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
