// The steps of a trace: ranges named by the profiler, by servers of language models, or by the program.
#include "core/analysis/time/training_steps.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/slices.h"
#include "core/trace/read/read_trace.h"
#include "tests/traces/overview_trace.h"

namespace warpwalk::analysis {
namespace {

// "name: from-to, from-to ..."
std::string steps_of(const OverviewTrace& made) {
  const trace::Trace trace = made.read();
  const StepRanges steps = step_ranges(trace);
  std::string text = steps.name + ":";
  for (const StepRanges::Range& one : steps.ranges)
    text += fmt::format(" {}-{}", since_start(trace, one.from), since_start(trace, one.to));
  return text;
}

TEST(TrainingSteps, RangesOfTheProfilerComeFirst) {
  EXPECT_EQ(steps_of(OverviewTrace()
                         .range("ProfilerStep#1", 0, 100)
                         .range("ProfilerStep#2", 100, 190)
                         .range("step[DECODE bs=1]", 10, 50)
                         .range("step[DECODE bs=2]", 110, 150)),
            "ProfilerStep: 0-100 100-190");
}

TEST(TrainingSteps, StepsOfSglangHaveTheBatchInTheirNames) {
  EXPECT_EQ(steps_of(OverviewTrace()
                         .range("run_batch", 0, 500)
                         .range("step[EXTEND bs=1 toks=128]", 0, 100)
                         .range("step[DECODE bs=3]", 110, 150)
                         .range("step[DECODE bs=4]", 160, 200)),
            "step: 0-100 110-150 160-200");
}

TEST(TrainingSteps, StepsOfVllmHaveTheBatchInTheirNames) {
  EXPECT_EQ(steps_of(OverviewTrace()
                         .range("execute_context_1(512)_generation_0(0)", 0, 100)
                         .range("gpu_model_runner: forward", 10, 90)
                         .range("execute_context_0(0)_generation_8(8)", 110, 150)
                         .range("gpu_model_runner: forward", 115, 145)),
            "execute: 0-100 110-150");
  EXPECT_EQ(steps_of(OverviewTrace().range("execute_new_1_cached_0", 0, 100).range("execute_new_0_cached_1", 110, 150)),
            "execute: 0-100 110-150");
}

TEST(TrainingSteps, PhasesOfVllmMakeSteps) {
  OverviewTrace made;
  made.range("gpu_model_runner: sample", 0, 5);  // of a step whose begin is not in the trace
  for (const long at : {10, 210})
    made.range("gpu_model_runner: preprocess", at, at + 20)
        .range("gpu_model_runner: forward", at + 30, at + 120)
        .range("gpu_model_runner: sample", at + 130, at + 150);
  EXPECT_EQ(steps_of(made), "gpu_model_runner: 10-160 210-360");
}

TEST(TrainingSteps, ElseTheOutermostRangesOfOneName) {
  EXPECT_EQ(steps_of(OverviewTrace()
                         .range("epoch 1", 0, 100)
                         .range("step 1", 10, 50)
                         .range("step 2", 50, 90)
                         .range("epoch 2", 100, 200)),
            "epoch: 0-100 100-200");
}

TEST(TrainingSteps, XlaHasThemOnTheDevice) {
  std::string events = R"({"ph": "M", "pid": 3, "name": "process_name", "args": {"name": "/device:TPU:0"}},
    {"ph": "M", "pid": 3, "tid": 1, "name": "thread_name", "args": {"name": "Steps"}},
    {"ph": "M", "pid": 3, "tid": 2, "name": "thread_name", "args": {"name": "XLA Ops"}})";
  for (const int step : {0, 1, 2})
    events += fmt::format(R"(, {{"ph": "X", "pid": 3, "tid": 1, "ts": {0}, "dur": 9, "name": "{1}"}},
      {{"ph": "X", "pid": 3, "tid": 2, "ts": {0}, "dur": 4, "name": "fusion.1"}})",
                          10 * step, step);
  const trace::ReadResult read = trace::read_trace_text(fmt::format(R"({{"traceEvents": [{}]}})", events));
  ASSERT_FALSE(read.error);
  const StepRanges steps = step_ranges(read.trace);
  ASSERT_EQ(steps.ranges.size(), 3u);
  EXPECT_EQ(steps.name, "Steps");
  EXPECT_EQ(steps.ranges[1].to - steps.ranges[1].from, 9000);
}

}  // namespace
}  // namespace warpwalk::analysis
