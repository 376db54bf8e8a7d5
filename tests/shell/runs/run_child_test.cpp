// A run on cuda in a child process: a script replaces the program, so that it can fail in every way.
#include <cerrno>
#include <chrono>
#include <cmath>
#include <sstream>
#include <thread>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "app/runs/run_job.h"
#include "core/records/hardware.h"
#include "tests/shell/driver.h"
#include "tests/shell/fake_program.h"

namespace warpwalk::runs {
namespace {

using shell::FakeProgram;

run::RunRequest request() {
  run::RunRequest request;
  request.expression = "relu(a @ b)";
  request.inputs = {{"a", ops::DType::f32, {256, 128}}, {"b", ops::DType::f16, {128, 64}}};
  request.seed = 18446744073709551615u;
  request.on = run::Target::cuda;
  return request;
}

// The outcome of a job, and the stages that were seen on the way.
RunOutcome outcome_of(RunJob& job, std::vector<std::string>* stages = nullptr) {
  for (;;) {
    const std::string what = job.stage().what;
    if (stages != nullptr && !what.empty() && (stages->empty() || stages->back() != what)) stages->push_back(what);
    if (auto outcome = job.poll()) return std::move(*outcome);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

RunOutcome outcome_of(const FakeProgram& program) {
  RunJob job(program.path(), shell::english());
  job.start(request(), "a walk");
  RunOutcome outcome = outcome_of(job);
  EXPECT_FALSE(std::filesystem::exists(program.text_of("tmpdir"))) << "a temporary folder is left";
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
  EXPECT_EQ(errno, ECHILD);
  EXPECT_THAT(outcome.summary, ::testing::Not(::testing::HasSubstr("\n")));
  return outcome;
}

TEST(RunChild, TheWalkAndItsChecksComeBack) {
  const FakeProgram program(FakeProgram::walks(FakeProgram::good_report()));
  const RunOutcome outcome = outcome_of(program);
  ASSERT_NE(outcome.document, nullptr) << outcome.summary;
  EXPECT_EQ(outcome.summary, "relu(a @ b): 256x64 f32, checked against the cpu");
  EXPECT_EQ(outcome.document->file, "a walk");
  EXPECT_TRUE(outcome.document->unsaved);
  EXPECT_EQ(outcome.document->trace().records.expression, "relu(a @ b)");
  EXPECT_FALSE(outcome.document->trace().kernel_order.empty());
  EXPECT_FALSE(outcome.document->outline.kernels.empty());
  EXPECT_FALSE(outcome.document->tracks.empty());
  ASSERT_EQ(outcome.checks.size(), 2u);
  EXPECT_EQ(outcome.checks[0].op, "aten::mm");
  EXPECT_EQ(outcome.checks[0].kernel, "matmul_tiled");
  EXPECT_EQ(outcome.checks[0].elements, 16384u);
  EXPECT_EQ(outcome.checks[0].max_error_share, 0.25);
  EXPECT_EQ(outcome.checks[0].allowed, "so much");
  EXPECT_EQ(outcome.checks[1].reason, "one way");
}

TEST(RunChild, TheProgramIsGivenTheWholeRequest) {
  const FakeProgram program("exit 3\n");
  run::RunRequest all = request();
  all.expression = "-a @ b";
  all.inputs[1].sizes = {};
  all.gradients = true;
  all.placement = true;
  all.autocast = ops::DType::bf16;
  RunJob job(program.path(), shell::english());
  job.start(all, "a walk");
  outcome_of(job);
  std::istringstream lines(program.text_of("words"));
  std::vector<std::string> words;
  for (std::string word; std::getline(lines, word);) words.push_back(word);
  const std::string folder = program.text_of("tmpdir");
  const std::vector<std::string> wanted = {"run",
                                           "--on",
                                           "cuda",
                                           "--seed",
                                           "18446744073709551615",
                                           "--shape",
                                           "a=256x128",
                                           "--dtype",
                                           "a=f32",
                                           "--shape",
                                           "b=scalar",
                                           "--dtype",
                                           "b=f16",
                                           "--gradients",
                                           "--placement",
                                           "--autocast",
                                           "bf16",
                                           "--progress",
                                           "--json",
                                           folder + "/report.json",
                                           "-o",
                                           folder + "/walk.json.gz",
                                           "--",
                                           "-a @ b"};
  EXPECT_EQ(words, wanted);
}

// The real verb with sim in place of cuda: it accepts these arguments and writes the files that are read here.
FakeProgram real_verb() {
  return FakeProgram(R"(for word; do
  shift
  [ "$word" = cuda ] && word=sim
  set -- "$@" "$word"
done
exec ')" WARPWALK_PROGRAM R"(' "$@"
)");
}

TEST(RunChild, TheRealVerbIsUnderstood) {
  const FakeProgram program = real_verb();
  run::RunRequest all = request();
  all.expression = "-relu(a @ b) + c";
  all.inputs = {{"a", ops::DType::f32, {32, 24}}, {"b", ops::DType::f32, {24, 8}}, {"c", ops::DType::f32, {}}};
  all.gradients = true;
  all.seed = 7;
  RunJob here(program.path(), shell::english()), apart(program.path(), shell::english());
  apart.start(all, "a walk");
  std::vector<std::string> stages;
  const RunOutcome got = outcome_of(apart, &stages);
  all.on = run::Target::sim;
  all.assets = WARPWALK_SOURCE_DIR "/assets";
  all.device = *shell::hardware().find("h200");
  here.start(all, "a walk");
  const RunOutcome want = outcome_of(here);
  ASSERT_NE(want.document, nullptr) << want.summary;
  ASSERT_NE(got.document, nullptr) << got.summary;
  EXPECT_EQ(got.summary, want.summary);
  EXPECT_EQ(got.summary, "-relu(a @ b) + c: 32x8 f32, checked against the cpu");
  ASSERT_EQ(got.checks.size(), want.checks.size());
  for (std::size_t i = 0; i < got.checks.size(); ++i) {
    EXPECT_EQ(got.checks[i].op, want.checks[i].op);
    EXPECT_EQ(got.checks[i].kernel, want.checks[i].kernel);
    EXPECT_EQ(got.checks[i].elements, want.checks[i].elements);
    EXPECT_EQ(got.checks[i].mismatches, want.checks[i].mismatches);
    EXPECT_DOUBLE_EQ(got.checks[i].max_error_share, want.checks[i].max_error_share);
    EXPECT_EQ(got.checks[i].reason, want.checks[i].reason);
  }
  EXPECT_EQ(got.document->trace().slices.size(), want.document->trace().slices.size());
  EXPECT_EQ(got.document->trace().records.kernels.size(), want.document->trace().records.kernels.size());
}

TEST(RunChild, ARefusalOfTheRealVerbIsUnderstood) {
  const FakeProgram program = real_verb();
  run::RunRequest wrong = request();
  wrong.expression = "relu(a @ b) @ c";
  wrong.inputs[1].dtype = ops::DType::f32;
  wrong.inputs.push_back({"c", ops::DType::f32, {63, 2}});
  RunJob job(program.path(), shell::english());
  job.start(wrong, "a walk");
  const RunOutcome got = outcome_of(job);
  const auto want = ops::check(std::get<ops::Expression>(ops::Expression::parse(wrong.expression)), wrong.inputs);
  const auto& error = std::get<ops::ExpressionError>(want);
  EXPECT_EQ(got.summary, error.message);
  ASSERT_TRUE(got.place);
  EXPECT_EQ(got.place->position, error.position);
  EXPECT_EQ(got.place->length, error.length);
  EXPECT_EQ(got.place->hint, error.hint);
}

TEST(RunChild, AFailedCheckIsSaidAndTheWalkOpens) {
  const FakeProgram program(FakeProgram::walks(
      R"({"result": {"dtype": "f32", "shape": [256, 64]}, "checks": [
        {"op": "aten::relu", "kernel": "relu", "elements": 9, "mismatches": 3, "max_abs_error": 1,
         "max_error_share": null, "allowed": "to the bit", "reason": "one way"}]})",
      1));
  const RunOutcome outcome = outcome_of(program);
  ASSERT_NE(outcome.document, nullptr);
  EXPECT_EQ(outcome.summary, "relu(a @ b): 256x64 f32, 1 of 1 checks FAILED");
  EXPECT_EQ(outcome.checks.at(0).mismatches, 3u);
  EXPECT_TRUE(std::isinf(outcome.checks.at(0).max_error_share));
}

TEST(RunChild, WithoutAReportNothingIsCalledChecked) {
  for (const char* report : {"garbage", "{\"result\": 3, \"checks\": 4}", "{\"result\": {\"dtype\": \"f33\"}}", "[]"}) {
    const RunOutcome outcome = outcome_of(FakeProgram(FakeProgram::walks(report)));
    EXPECT_NE(outcome.document, nullptr);
    EXPECT_EQ(outcome.summary, "relu(a @ b): the report of its checks cannot be read");
    EXPECT_TRUE(outcome.checks.empty());
  }
}

TEST(RunChild, ARefusalIsItsOneLine) {
  const RunOutcome outcome = outcome_of(
      FakeProgram("echo 'the driver talks' >&2\n"
                  "echo 'warpwalk: --on cuda: no usable GPU: CUDA reports \"out of memory\"' >&2\nexit 2\n"));
  EXPECT_EQ(outcome.document, nullptr);
  EXPECT_EQ(outcome.summary, "no usable GPU: CUDA reports \"out of memory\"");
  EXPECT_FALSE(outcome.place);
}

TEST(RunChild, ARefusalWithAPlaceComesBackWithIt) {
  const RunOutcome outcome = outcome_of(FakeProgram(R"(cat >&2 <<'END'
warpwalk: columns 8 to 10 of `relu(a @ b)`: a is 256x128, b is 100x64; hint: b needs 128 rows: --shape b=128x64
END
exit 2
)"));
  EXPECT_EQ(outcome.summary, "a is 256x128, b is 100x64");
  ASSERT_TRUE(outcome.place);
  EXPECT_EQ(outcome.place->position, 7u);
  EXPECT_EQ(outcome.place->length, 3u);
  EXPECT_EQ(outcome.place->message, outcome.summary);
  EXPECT_EQ(outcome.place->hint, "b needs 128 rows: --shape b=128x64");
}

TEST(RunChild, HoweverItFailsThereIsOneLine) {
  const auto summary = [](const std::string& script) {
    const RunOutcome outcome = outcome_of(FakeProgram(script));
    EXPECT_EQ(outcome.document, nullptr);
    return outcome.summary;
  };
  EXPECT_EQ(summary("kill -SEGV $$\n"), "the run on cuda was terminated by signal 11 (Segmentation fault)");
  EXPECT_EQ(summary("echo first >&2; echo 'Xid 79' >&2; echo >&2; kill -ABRT $$\n"),
            "the run on cuda was terminated by signal 6 (Aborted): Xid 79");
  EXPECT_EQ(summary("exit 0\n"), "the run on cuda ended without a walk (exit status 0)");
  EXPECT_EQ(summary("printf 'no end of line' >&2; exit 2\n"),
            "the run on cuda ended without a walk (exit status 2): no end of line");
  EXPECT_EQ(summary("for i in $(seq 500); do echo line $i >&2; done; exit 7\n"),
            "the run on cuda ended without a walk (exit status 7): line 500");
  const std::string garbage = summary("echo garbage > \"$walk\"\n");
  EXPECT_TRUE(garbage.starts_with("the run on cuda left no walk that can be read: ")) << garbage;
  EXPECT_THAT(garbage, ::testing::Not(::testing::HasSubstr("/walk.json.gz")));
  // A walk left by a failed run is not used.
  EXPECT_EQ(summary("cp '" WARPWALK_SOURCE_DIR "/assets/walks/h200_relu.json.gz' \"$walk\"; kill -KILL $$\n"),
            "the run on cuda was terminated by signal 9 (Killed)");
}

TEST(RunChild, AProgramThatCannotBeStarted) {
  RunJob job("/no/such/program", shell::english());
  job.start(request(), "a walk");
  EXPECT_EQ(outcome_of(job).summary, "the run on cuda cannot be started: No such file or directory");
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(RunChild, StagesAreSeenAndCancellingEndsItsWholeGroup) {
  const FakeProgram program(R"(echo 'progress: checking each op against the cpu' >&2
sleep 60 & echo $! > "$here/helper"
touch "$TMPDIR/half a walk"
sleep 0.2
trap 'echo yes > "$here/asked"; exit' TERM
echo 'progress: recording the run' >&2
echo $$ > "$here/number"
wait
)");
  RunJob job(program.path(), shell::english());
  job.start(request(), "a walk");
  std::vector<std::string> stages;
  ASSERT_TRUE(program.has_written("number"));
  while (job.stage().what != "recording the run") std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_FALSE(job.stage().share);
  EXPECT_GT(job.stage().seconds, 0.1);
  const std::string folder = program.text_of("tmpdir");
  EXPECT_TRUE(std::filesystem::exists(folder));
  job.cancel();
  EXPECT_EQ(outcome_of(job).summary, "the run was cancelled");
  EXPECT_TRUE(program.has_written("asked"));  // it could end in its own way
  EXPECT_TRUE(program.has_ended("number"));
  EXPECT_TRUE(program.has_ended("helper"));
  EXPECT_FALSE(std::filesystem::exists(folder));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(RunChild, StagesCanBeSeenInTheirOrder) {
  const FakeProgram program("for s in one two three; do echo progress: $s >&2; sleep 0.2; done; exit 3\n");
  RunJob job(program.path(), shell::english());
  job.start(request(), "a walk");
  std::vector<std::string> stages;
  outcome_of(job, &stages);
  EXPECT_EQ(stages, (std::vector<std::string>{"one", "two", "three"}));
}

TEST(RunChild, WhatDoesNotEndWhenAskedToIsEnded) {
  for (const char* stubborn : {"trap '' TERM INT HUP; echo $$ > \"$here/number\"; while :; do sleep 0.1; done\n",
                               "trap '' TERM; echo $$ > \"$here/number\"; exec yes >&2\n"}) {
    const FakeProgram program(stubborn);
    RunJob job(program.path(), shell::english());
    job.start(request(), "a walk");
    ASSERT_TRUE(program.has_written("number"));
    job.cancel();
    EXPECT_EQ(outcome_of(job).summary, "the run was cancelled");  // the program itself would never end
    EXPECT_TRUE(program.has_ended("number"));
    EXPECT_FALSE(std::filesystem::exists(program.text_of("tmpdir")));
  }
}

TEST(RunChild, ARunGoesWithTheWindow) {
  const FakeProgram program("echo $$ > \"$here/number\"; exec sleep 60\n");
  {
    RunJob job(program.path(), shell::english());
    job.start(request(), "a walk");
    ASSERT_TRUE(program.has_written("number"));
  }
  EXPECT_TRUE(program.has_ended("number"));
  EXPECT_FALSE(std::filesystem::exists(program.text_of("tmpdir")));
}

TEST(RunChild, WhatItLeavesRunningIsEnded) {
  const FakeProgram program("sleep 60 & echo $! > \"$here/helper\"; exit 3\n");
  outcome_of(program);
  EXPECT_TRUE(program.has_ended("helper"));
}

}  // namespace
}  // namespace warpwalk::runs
