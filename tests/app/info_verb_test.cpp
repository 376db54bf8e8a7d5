// `info` as people and scripts use it.
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/app/parsed_json.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

TEST(InfoVerb, IsForReadingByPeople) {
  const Outcome outcome = run({"info", walk("mlp_train")});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.out.starts_with(walk("mlp_train") + "\n")) << outcome.out;
  for (const char* line :
       {"events                    1,544", "ops                       270", "kernels                   56",
        "  with their launch       56", "GPU 0                     NVIDIA H200, 132 SMs", "kernels by GPU time"})
    EXPECT_THAT(outcome.out, ::testing::HasSubstr(line));
}

TEST(InfoVerb, WritesJsonBesideTheTextOrAlone) {
  const Folder folder;
  const Outcome both = run({"info", walk("relu_matmul"), "--json", folder.at("info.json")});
  EXPECT_EQ(both.status, 0);
  EXPECT_THAT(both.out, ::testing::HasSubstr("kernels by GPU time"));
  EXPECT_EQ(parsed_json(text_of(folder.at("info.json")))["events"].GetUint64(), 202u);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"info.json"});
  const Outcome alone = run({"info", walk("relu_matmul"), "--json", "-"});
  EXPECT_EQ(alone.status, 0);
  EXPECT_EQ(alone.error, "");
  EXPECT_EQ(parsed_json(alone.out)["kernels"].GetUint64(), 2u);
  const Outcome last = run({"info", walk("relu_matmul"), "--json"});
  EXPECT_EQ(last.status, 0);
  EXPECT_EQ(last.error, "");
  EXPECT_EQ(parsed_json(last.out)["kernels"].GetUint64(), 2u);
}

TEST(InfoVerb, ADamagedTraceIsSalvagedAndItsDamageToldInBothForms) {
  const Folder folder;
  const std::string whole = text_of(walk("mlp_train"));
  const std::string cut = folder.file("cut.json.gz", whole.substr(0, whole.size() / 2));
  const Outcome outcome = run({"info", cut, "--json", folder.at("info.json")});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("\nproblems\n"));
  const rapidjson::Document json = parsed_json(text_of(folder.at("info.json")));
  EXPECT_GT(json["problems"].Size(), 0u);
  EXPECT_GT(json["events"].GetUint64(), 100u);
  EXPECT_LT(json["events"].GetUint64(), 1544u);
}

TEST(InfoVerb, OnlyMetadataIsNoFailure) {
  const Folder folder;
  const Outcome outcome =
      run({"info", folder.file("none.json", R"({"schemaVersion": 1, "traceEvents": []})"), "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(parsed_json(outcome.out)["events"].GetUint64(), 0u);
}

TEST(InfoVerb, FailsIfAConditionHolds) {
  const auto checked = [](std::vector<std::string> conditions) {
    std::vector<std::string> arguments = {"info", walk("mlp_train")};
    for (std::string& one : conditions) arguments.insert(arguments.end(), {"--fail-if", std::move(one)});
    return run(arguments);
  };
  const Outcome two = checked({"kernels>55", "idle_pct > 20", "kernels>56", "problems==0"});
  EXPECT_EQ(two.status, 1);
  EXPECT_EQ(two.error_lines(), 2u) << two.error;
  EXPECT_THAT(two.error, ::testing::HasSubstr("warpwalk: kernels>55: it is 56\n"));
  EXPECT_THAT(two.error, ::testing::HasSubstr("warpwalk: idle_pct > 20: it is 94."));
  EXPECT_THAT(two.out, ::testing::HasSubstr("kernels by GPU time")) << "the text is printed as always";
  const Outcome none = checked({"kernels!=56", "gpu_busy_pct<5", "communication_pct>0", "lost_data>0"});
  EXPECT_EQ(none.status, 0) << none.error;
  EXPECT_EQ(none.error, "");
  for (const auto& [condition, words] : std::initializer_list<std::pair<const char*, const char*>>{
           {"idl_pct>20", "unknown figure idl_pct; did you mean idle_pct?"},
           {"nonsense>20", "unknown figure nonsense; docs/verbs.md lists them"},
           {"idle_pct", "not a condition"},
           {"idle_pct=20", "not a condition"},
           {"idle_pct>", "not a condition"},
           {"idle_pct>20%", "not a condition"}}) {
    const Outcome outcome = checked({condition});
    EXPECT_EQ(outcome.status, 2) << condition;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_EQ(outcome.out, "") << condition;
    EXPECT_THAT(outcome.error, ::testing::HasSubstr(words));
  }
  const Folder folder;
  const Outcome lacking =
      run({"info", folder.file("none.json", R"({"schemaVersion": 1, "traceEvents": []})"), "--fail-if", "idle_pct>20"});
  EXPECT_EQ(lacking.status, 2);
  EXPECT_THAT(lacking.error, ::testing::HasSubstr("this trace does not have idle_pct"));
}

TEST(InfoVerb, ComparesASecondTrace) {
  const Outcome text = run({"info", walk("relu_matmul"), "--compare", walk("two_streams")});
  EXPECT_EQ(text.status, 0) << text.error;
  for (const char* part : {"before      relu_matmul.json.gz, no steps", "after       two_streams.json.gz",
                           "by category\n", "by op\n", "by kernel\n"})
    EXPECT_THAT(text.out, ::testing::HasSubstr(part));
  const Outcome outcome = run({"info", walk("mlp_train"), "--compare", walk("mlp_train"), "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  const rapidjson::Document json = parsed_json(outcome.out);
  ASSERT_TRUE(json.HasMember("compare"));
  const rapidjson::Value& compare = json["compare"];
  for (const char* key : {"by_category", "by_op", "by_module", "by_kernel"}) {
    double time = 0;
    for (const rapidjson::Value& row : compare[key].GetArray()) {
      EXPECT_EQ(row["ns"][0].GetDouble(), row["ns"][1].GetDouble());
      time += row["ns"][1].GetDouble();
    }
    EXPECT_NEAR(time, compare["gpu_work_ns"][1].GetDouble(), 1) << key;
  }
  EXPECT_EQ(compare["step_median_ms"][0].GetDouble(), compare["step_median_ms"][1].GetDouble());
  EXPECT_EQ(run({"info", walk("mlp_train"), "--compare", walk("mlp_train"), "--fail-if", "step_median_pct>0"}).status,
            0);
  EXPECT_EQ(run({"info", walk("mlp_train"), "--compare", walk("mlp_train"), "--fail-if", "launches_pct>-1"}).status, 1);
  const Outcome alone = run({"info", walk("mlp_train"), "--fail-if", "step_median_pct>0"});
  EXPECT_EQ(alone.status, 2);
  EXPECT_THAT(alone.error, ::testing::HasSubstr("does not have step_median_pct"));
  const Outcome missing = run({"info", walk("mlp_train"), "--compare", "/none.json"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_EQ(missing.error_lines(), 1u) << missing.error;
  EXPECT_EQ(missing.out, "");
}

TEST(InfoVerb, StopsAtItsMemoryAndSaysSo) {
  const Outcome outcome = run({"info", walk("mlp_train"), "--memory-cap", "0.000001"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("memory"));
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("\nproblems\n"));
}

TEST(InfoVerb, HasTheFiguresOfAMemorySnapshot) {
  const std::string snapshot = std::string(WARPWALK_SOURCE_DIR) + "/tests/trace/data/wild/26_snapshot_autograd.pickle";
  const Outcome outcome = run({"info", snapshot, "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  const rapidjson::Document json = parsed_json(outcome.out);
  ASSERT_TRUE(json.HasMember("memory_snapshot"));
  const auto& sums = json["memory_snapshot"];
  EXPECT_EQ(sums["reserved_bytes"].GetInt64(), 20 << 20);
  EXPECT_EQ(sums["allocated_bytes"].GetInt64(), 20 << 20);
  EXPECT_EQ(sums["inactive_bytes"].GetInt64(), 0);
  EXPECT_EQ(sums["blocks_in_use"].GetUint64(), 2u);
  const Outcome held = run({"info", snapshot, "--fail-if", "snapshot.allocated_bytes>20e6", "--fail-if",
                            "snapshot.inactive_pct>0", "--fail-if", "snapshot.out_of_memory>0"});
  EXPECT_EQ(held.status, 1);
  EXPECT_EQ(held.error_lines(), 1u) << held.error;
  EXPECT_THAT(held.error, ::testing::HasSubstr("snapshot.allocated_bytes>20e6: it is 20971520"));
  EXPECT_EQ(run({"info", walk("mlp_train"), "--fail-if", "snapshot.allocated_bytes>0"}).status, 2);
}

TEST(InfoVerb, NamesWhatIsNoTrace) {
  const Outcome outcome = run({"info", std::string(WARPWALK_SOURCE_DIR) + "/tests/trace/data/wild/23_proton.json"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1u);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("profile of Proton"));
}

TEST(InfoVerb, AllocationIsACauseOfIdleTime) {
  const Outcome outcome = run({"info", std::string(WARPWALK_SOURCE_DIR) + "/tests/trace/data/wild/18_allocation.json",
                               "--fail-if", "gaps.allocation_pct>88", "--fail-if", "gaps.late_launch_pct>1"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
  for (const char* part : {"its last work: allocating memory", "idle: allocation (4 gaps)",
                           "cudaFree takes memory from the driver or gives it back"})
    EXPECT_THAT(outcome.out, ::testing::HasSubstr(part));
}

}  // namespace
}  // namespace warpwalk::testing
