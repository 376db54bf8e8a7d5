// `render --compare` and `info --compare`: two traces, and files that cannot be compared.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/app/parsed_json.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

TEST(RenderCompare, ShowsWhatDiffers) {
  const Outcome outcome = run({"render", walk("mlp_train"), "--compare", walk("two_streams"), "--at", "b6", "--text"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_TRUE(outcome.out.starts_with("lab/overview 6/8")) << outcome.out;
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("two_streams.json.gz"));
}

TEST(RenderCompare, SaysThatNothingChanged) {
  const Outcome outcome = run({"render", walk("mlp_train"), "--compare", walk("mlp_train"), "--at", "b6", "--text"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("Nothing changed"));
}

TEST(RenderCompare, RefusesWhatIsNoTraceInOneLine) {
  const Folder folder;
  const std::string empty = folder.file("empty.json", "");
  for (const std::string& other : {folder.at("none.json"), empty, folder.path().string()}) {
    const Outcome outcome = run({"render", walk("relu_matmul"), "--compare", other, "--text"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_THAT(outcome.error, ::testing::HasSubstr("--compare"));
    EXPECT_THAT(outcome.error, ::testing::HasSubstr(other));
  }
}

struct StepOp {
  std::string op, kernel;
  double duration = 0;  // µs of the kernel
};

// Steps of `length` µs, each with these ops.
std::string steps_of_ops(int steps, double length, const std::vector<StepOp>& ops) {
  std::string events;
  int id = 0;
  const auto event = [&](std::string_view category, std::string_view name, double start, double duration,
                         std::string_view pid_and_args) {
    events += fmt::format(R"({}{{"ph": "X", "cat": "{}", "name": "{}", "ts": {}, "dur": {}, {}}})",
                          events.empty() ? "" : ",\n", category, name, start, duration, pid_and_args);
  };
  for (int step = 0; step < steps; ++step) {
    const double at = length * step;
    event("user_annotation", fmt::format("ProfilerStep#{}", step), at, length, R"("pid": 1, "tid": 10)");
    double cpu = at + 1, gpu = at + 8;
    for (const StepOp& one : ops) {
      event("cpu_op", one.op, cpu, 4, R"("pid": 1, "tid": 10)");
      event("cuda_runtime", "cudaLaunchKernel", cpu + 1, 2,
            fmt::format(R"("pid": 1, "tid": 10, "args": {{"correlation": {}}})", ++id));
      event("kernel", one.kernel, gpu, one.duration,
            fmt::format(R"("pid": 0, "tid": 7, "args": {{"correlation": {}, "device": 0, "stream": 7}})", id));
      cpu += 5;
      gpu += one.duration + 1;
    }
  }
  return fmt::format(R"({{"schemaVersion": 1, "traceEvents": [{}]}})", events);
}

class InfoCompare : public ::testing::Test {
 protected:
  // `before` has five steps, `after` seven.
  const Folder folder_;
  const std::string before_ =
      folder_.file("before.json", steps_of_ops(5, 100, {{"aten::mm", "gemm", 10}, {"aten::relu", "relu", 5}}));
  const std::string after_ = folder_.file(
      "after.json",
      steps_of_ops(7, 120, {{"aten::mm", "gemm", 20}, {"aten::relu", "relu", 5}, {"aten::add", "add", 3}}));
};

TEST_F(InfoCompare, CountsByTheStepAndSaysWhy) {
  const Outcome outcome = run({"info", before_, "--compare", after_, "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const rapidjson::Document json = parsed_json(outcome.out);
  const rapidjson::Value& compare = json["compare"];
  EXPECT_STREQ(compare["per"].GetString(), "step");
  EXPECT_EQ(compare["steps"][0].GetInt(), 5);
  EXPECT_EQ(compare["steps"][1].GetInt(), 7);
  EXPECT_NEAR(compare["step_median_pct"].GetDouble(), 20, 0.01);
  EXPECT_TRUE(compare["significant"].GetBool());
  EXPECT_NEAR(compare["gpu_work_ns"][0].GetDouble(), 15'000, 1);
  EXPECT_NEAR(compare["gpu_work_ns"][1].GetDouble(), 28'000, 1);
  std::string kernels;
  for (const rapidjson::Value& row : compare["by_kernel"].GetArray())
    kernels += fmt::format("{} {:.0f} {:.0f} {} {}; ", row["name"].GetString(), row["ns"][0].GetDouble(),
                           row["ns"][1].GetDouble(), row["why"].GetString(), row["significant"].GetBool());
  EXPECT_EQ(kernels, "gemm 10000 20000 time true; add 0 3000 new true; relu 5000 5000 same false; ");
}

TEST_F(InfoCompare, TheOtherWayRoundChangesTheSigns) {
  const Outcome outcome = run({"info", after_, "--compare", before_});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  for (const char* part : {"before      after.json, 7 steps", "after       before.json, 5 steps", "-16.7 %", "gone"})
    EXPECT_THAT(outcome.out, ::testing::HasSubstr(part));
}

TEST_F(InfoCompare, ItsConditionsFailTheRun) {
  const std::vector<std::pair<const char*, int>> conditions = {{"step_median_pct>5", 1},
                                                               {"step_median_pct>25", 0},
                                                               {"gpu_work_pct>80", 1},
                                                               {"launches_pct>=50", 1},
                                                               {"launches_pct>50", 0}};
  for (const auto& [condition, status] : conditions)
    EXPECT_EQ(run({"info", before_, "--compare", after_, "--fail-if", condition}).status, status) << condition;
}

TEST_F(InfoCompare, RefusesWhatItCannotCompareInOneLine) {
  const std::vector<std::vector<std::string>> refused = {{"info", before_, "--compare", folder_.file("empty.json", "")},
                                                         {"info", before_, after_, "--compare", after_},
                                                         {"info", "-", "--compare", "-"}};
  for (const std::vector<std::string>& arguments : refused) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments.back();
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_EQ(outcome.out, "");
  }
}

}  // namespace
}  // namespace warpwalk::testing
