// `predict` as people and scripts use it.
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/app/parsed_json.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;

TEST(PredictVerb, PrintsBarsAndWhatTheyRestOn) {
  const Outcome outcome = run({"predict", walk("mlp_train"), "--change", "drop-sync:all"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("recorded "));
  EXPECT_THAT(outcome.out, HasSubstr("predicted "));
  EXPECT_THAT(outcome.out, HasSubstr("drop-sync:all (derived): "));
}

TEST(PredictVerb, WritesJsonAndATraceThatCompares) {
  const Folder folder;
  const std::string changed = folder.at("changed.json.gz");
  const Outcome outcome =
      run({"predict", walk("mlp_train"), "--change", "kernel:gemm:x2", "--change", "cpu:x2", "-o", changed, "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  rapidjson::Document json;
  json.Parse(outcome.out.c_str());
  ASSERT_FALSE(json.HasParseError()) << outcome.out;
  const rapidjson::Value& prediction = json["prediction"];
  EXPECT_LT(prediction["step_ms"].GetDouble(), prediction["before_ms"].GetDouble());
  EXPECT_LE(prediction["low_ms"].GetDouble(), prediction["step_ms"].GetDouble());
  EXPECT_GE(prediction["high_ms"].GetDouble(), prediction["step_ms"].GetDouble());
  EXPECT_EQ(prediction["basis"].Size(), 2u);
  const Outcome compared = run({"info", walk("mlp_train"), "--compare", changed});
  EXPECT_EQ(compared.status, 0) << compared.error;
  EXPECT_EQ(compared.error, "");
}

TEST(PredictVerb, CannotTellAndBadInput) {
  const Outcome unknown = run({"predict", walk("two_streams"), "--change", "fused-optimizer", "--json"});
  EXPECT_EQ(unknown.status, 0) << unknown.error;
  EXPECT_THAT(unknown.out, HasSubstr("\"step_ms\": null"));
  EXPECT_THAT(unknown.out, HasSubstr("\"verdict\": \"Cannot tell: "));
  for (const std::string change : {"faster", "drop-sync:none.py:3", "kernel:absent:x2", "gpu:abacus"}) {
    const Outcome refused = run({"predict", walk("mlp_train"), "--change", change});
    EXPECT_EQ(refused.status, 2) << change;
    EXPECT_EQ(refused.error_lines(), 1u) << refused.error;
    EXPECT_THAT(refused.error, HasSubstr(change));
  }
}

}  // namespace
}  // namespace warpwalk::testing
