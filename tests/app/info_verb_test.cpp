// `info` as people and scripts use it.
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

TEST(InfoVerb, StopsAtItsMemoryAndSaysSo) {
  const Outcome outcome = run({"info", walk("mlp_train"), "--memory-cap", "0.000001"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("memory"));
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("\nproblems\n"));
}

}  // namespace
}  // namespace warpwalk::testing
