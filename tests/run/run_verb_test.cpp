// Tests `run` with the real program, as users and scripts call it.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <thread>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/trace/read/read_trace.h"
#include "tests/app/parsed_json.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

const std::vector<std::string> product_expression = {"run",     "relu(a @ b)", "--shape",   "a=40x24",
                                                     "--shape", "b=24x33",     "--threads", "2"};

std::vector<std::string> with_arguments(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(RunVerb, TellsResultLaunchesAndChecks) {
  const Outcome outcome = run(product_expression);
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  for (const std::string_view words : {"relu(a @ b): 40x33 f32", "launches", "aten::mm", "matmul_tiled", "blocks of",
                                       "checks against the cpu", "to the bit", "whole expression"})
    EXPECT_THAT(outcome.out, ::testing::HasSubstr(words));
}

TEST(RunVerb, WritesTheSameWalkEachTime) {
  const Folder folder;
  for (const char* const name : {"one.json.gz", "two.json.gz"})
    EXPECT_EQ(run(with_arguments(product_expression, {"-o", folder.at(name)})).status, 0);
  EXPECT_FALSE(text_of(folder.at("one.json.gz")).empty());
  EXPECT_EQ(text_of(folder.at("one.json.gz")), text_of(folder.at("two.json.gz")));
  const auto read = trace::read_trace(folder.at("one.json.gz"));
  EXPECT_FALSE(read.error);
  EXPECT_EQ(read.trace.records.expression, "relu(a @ b)");
  for (const trace::Problem& problem : read.problems.rows())
    EXPECT_EQ(problem.kind, trace::ProblemKind::untimed) << problem.message;
}

TEST(RunVerb, CyclesOnTheSimulatedGpu) {
  const Outcome outcome = run(product_expression);
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("      simulated: "));
  const rapidjson::Document report = parsed_json(run(with_arguments(product_expression, {"--json", "-"})).out);
  for (const auto& launch : report["launches"].GetArray()) {
    EXPECT_GT(launch["cycles"].GetUint64(), 0u);
    EXPECT_GT(launch["time_us"].GetDouble(), 0);
  }
  EXPECT_THAT(run(with_arguments(product_expression, {"--cycles", "off"})).out,
              ::testing::Not(::testing::HasSubstr("simulated: ")));
  const Outcome refused = run(with_arguments(product_expression, {"--on", "cpu", "--cycles", "on"}));
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.error, ::testing::HasSubstr("only the simulated GPU"));
}

TEST(RunVerb, JsonSaysTheSame) {
  const Outcome outcome = run(with_arguments(product_expression, {"--json", "-"}));
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const rapidjson::Document report = parsed_json(outcome.out);
  EXPECT_STREQ(report["on"].GetString(), "sim");
  EXPECT_STREQ(report["gpu"].GetString(), "h200");
  EXPECT_TRUE(report["good"].GetBool());
  EXPECT_EQ(report["result"]["shape"][1].GetInt(), 33);
  EXPECT_EQ(report["launches"].Size(), 2u);
  EXPECT_STREQ(report["launches"][1]["op"].GetString(), "aten::relu");
  EXPECT_GE(report["checks"].Size(), 3u);
  EXPECT_EQ(report["inputs"].Size(), 2u);
}

TEST(RunVerb, SimAndCpuGiveTheSameBitsWhereNothingIsAdded) {
  const std::vector<std::string> arguments = {
      "run", "relu(a) * 2 - b / (b * b + 1)", "--shape", "a=33x5", "--shape", "b=5", "--dtype", "b=f16", "--json", "-"};
  const Outcome sim = run(arguments), cpu = run(with_arguments(arguments, {"--on", "cpu"}));
  ASSERT_EQ(sim.status, 0) << sim.error;
  ASSERT_EQ(cpu.status, 0) << cpu.error;
  const rapidjson::Document on_sim = parsed_json(sim.out), on_cpu = parsed_json(cpu.out);
  EXPECT_STREQ(on_sim["result"]["sha256"].GetString(), on_cpu["result"]["sha256"].GetString());
  EXPECT_EQ(on_cpu["checks"].Size(), 0u);
}

// Walks with two kernels, with a backward pass and without a GPU: every beat of every scene must have text.
TEST(RunVerb, EveryStageOfItsWalkHasWords) {
  const Folder folder;
  const std::vector<std::vector<std::string>> runs = {product_expression,
                                                      with_arguments(product_expression, {"--gradients"}),
                                                      with_arguments(product_expression, {"--on", "cpu"})};
  for (const std::vector<std::string>& arguments : runs) {
    ASSERT_EQ(run(with_arguments(arguments, {"-o", folder.at("walk.json.gz")})).status, 0);
    const Outcome rendered = run({"render", folder.at("walk.json.gz"), "--text", "-o", folder.at("walk.txt")});
    ASSERT_EQ(rendered.status, 0) << rendered.error;
    const std::string text = text_of(folder.at("walk.txt"));
    for (const std::string_view scene : {"boardroom", "translator", "warehouse", "launch", "sm", "map"})
      EXPECT_THAT("\n" + text, ::testing::HasSubstr("\n" + std::string(scene) + " 1/")) << scene;
    // A stage has at least a head, a title and a sentence.
    std::size_t lines = 0;
    std::string head;
    std::istringstream in(text + "\n\n");
    for (std::string line; std::getline(in, line);) {
      if (!line.empty()) {
        if (lines++ == 0) head = line;
        continue;
      }
      if (lines > 0) {
        EXPECT_GE(lines, 3u) << head;
      }
      lines = 0;
    }
  }
}

struct Bad {
  std::vector<std::string> arguments;
  std::string words;
};

// On a machine with a GPU, the tests labelled gpu cover this.
TEST(RunVerb, CudaWithoutAGpuIsOneLine) {
  if (std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP() << "there is a GPU here";
  const Outcome outcome = run({"run", "a", "--shape", "a=4", "--on", "cuda"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(outcome.error.starts_with("warpwalk: --on cuda: ")) << outcome.error;
  EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
}

TEST(RunVerb, BadInputGetsItsLine) {
  const std::string a = "a=2x3";
  const Bad bads[] = {
      {{"run"}, "EXPRESSION"},
      {{"run", "-a @ b", "--shape", a}, "put an expression that begins with - in brackets, \"(-a)\""},
      {{"run", ""}, "empty"},
      {{"run", "relu(a @ b)"}, "a and b have no shape"},
      {{"run", "relu(a @ b)", "--shape", a}, "b has no shape"},
      {{"run", "a + A", "--shape", a}, "A has no shape"},
      {{"run", "2", "--shape", a}, "only numbers"},
      {{"run", "a", "--shape", a, "--dtype", "i32", "--gradients"},
       "only floating-point names have a gradient, but a is i32"},
      {{"run", "a + 9007199254740993", "--shape", a, "--dtype", "i64"}, "up to 2^53"},
      {{"run", "a", "--shape", a, "--shape", "c=3"}, "c has a shape, but is not in a"},
      {{"run", "a", "--shape", a, "--shape", a}, "two shapes"},
      {{"run", "a", "--shape", "a=2y3"}, "2y3 is not a shape"},
      {{"run", "a", "--shape", "a"}, "write NAME=SHAPE"},
      {{"run", "a", "--shape", "=2"}, "write NAME=SHAPE"},
      {{"run", "a", "--shape", a, "--dtype", "u8"}, "f16, bf16, f32, f64, i32 or i64"},
      {{"run", "a", "--shape", a, "--dtype", "b=f16"}, "b has no --shape"},
      {{"run", "a", "--shape", a, "--on", "tpu"}, "write sim, cpu or cuda"},
      {{"run", "a", "--shape", a, "--placement"}, "needs a real GPU"},
      {{"run", "a", "--shape", a, "--on", "cuda", "--counters"}, "add -o walk.json.gz"},
      {{"run", "a", "--shape", a, "--gpu", "h300"}, "unknown GPU; use one of"},
      {{"run", "a", "--shape", a, "--autocast", "f32"}, "write f16 or bf16"},
      {{"run", "a", "--shape", a, "--threads", "0"}, "--threads"},
      {{"run", "a", "--shape", a, "--seed", "-1x"}, "--seed"},
      {{"run", "a", "--shape", a, "--seed", "-1"}, "--seed -1: write a whole number from 0 to 2^64 - 1"},
      {{"run", "a", "--shape", a, "--seed", "18446744073709551616"}, "from 0 to 2^64 - 1"},
      {{"run", "a", "--shape", a, "--seed", ""}, "--seed: the value is empty"},
      {{"run", "a", "--shape", a, "-o", ""}, "--output: the value is empty"},
      {{"run", "a", "--shape", a, "--json", ""}, "--json: the value is empty"},
      {{"run", "a", "--shape", a, "-o", "-"}, "-o -: a walk cannot be written to stdout"},
      {{"run", "a @ b", "--shape", a, "--shape", "b=4x5"}, "must be equal"},
      {{"run", "relu(a", "--shape", a}, "never closed"},
      {{"run", "a @ a", "--shape", "a=1048576x1048576"}, "smaller shapes"},
      {{"run", "a + 1", "--shape", a, "-o", "/nowhere/walk.json.gz"}, "cannot be written"},
      {{"run", "a + 1", "--shape", a, "-o", "one.json", "--json", "./one.json"},
       "--json ./one.json: the walk is written to this file"},
  };
  for (const Bad& bad : bads) {
    const Outcome outcome = run(bad.arguments);
    EXPECT_EQ(outcome.status, 2) << bad.words << ": " << outcome.error;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.error, ::testing::HasSubstr(bad.words));
  }
}

TEST(RunVerb, WhereNothingCanBeWrittenIsToldBeforeAnythingIs) {
  const Folder folder;
  const Outcome outcome =
      run({"run", "a", "--shape", "a=2", "-o", folder.at("walk.json"), "--json", "/nowhere/report.json"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("/nowhere/report.json: cannot be written"));
  EXPECT_TRUE(folder.names().empty());
}

TEST(RunVerb, AWrongShapeIsShownAtItsPlace) {
  const Outcome outcome = run({"run", "relu(a @ b)", "--shape", "a=256x128", "--shape", "b=100x64"});
  EXPECT_EQ(outcome.error,
            "warpwalk: column 8 of `relu(a @ b)`: a is 256x128, b is 100x64: the columns of a (128) and the rows of b "
            "(100) must be equal; hint: b needs 128 rows: --shape b=128x64\n");
}

TEST(RunVerb, ProgressIsLinesOnStderr) {
  const Outcome outcome = run({"run", "a @ b", "--shape", "a=256x256", "--shape", "b=256x256", "--progress"});
  EXPECT_EQ(outcome.status, 0);
  std::istringstream lines(outcome.error);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_TRUE(line.starts_with("progress: matmul_")) << line;
    EXPECT_THAT(line, ::testing::HasSubstr(" of "));
  }
  EXPECT_GT(count, 1);
  EXPECT_THAT(outcome.error, ::testing::HasSubstr(", cycles: "));
}

TEST(RunVerb, CtrlCEndsItWithNothingWritten) {
  const Folder folder;
  Program program(
      {"run", "a @ b", "--shape", "a=1024x1024", "--shape", "b=1024x1024", "-o", folder.at("walk.json.gz")});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ASSERT_TRUE(program.running()) << program.error();
  kill(program.pid(), SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.status, 128 + SIGINT);
  EXPECT_TRUE(folder.names().empty());
}

TEST(RunVerb, CtrlCEndsTheSecondPassToo) {
  const Folder folder;
  Program program({"run", "a @ b", "--shape", "a=1024x128", "--shape", "b=128x1024", "--progress", "-o",
                   folder.at("walk.json.gz")});
  while (program.running() && program.error().find(", cycles: ") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_TRUE(program.running()) << program.error();
  kill(program.pid(), SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.status, 128 + SIGINT);
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("stopped before the end; nothing was written"));
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace warpwalk::testing
