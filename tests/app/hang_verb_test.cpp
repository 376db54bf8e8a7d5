// `info` of the dumps of PyTorch's flight recorder: text, JSON, and what other verbs say of them.
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/app/parsed_json.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string flight_folder(std::string_view name) {
  return fmt::format("{}/tests/trace/data/flight/{}", WARPWALK_SOURCE_DIR, name);
}

constexpr std::string_view answer =
    "Rank 1 never called all_reduce 4 of group 0 (default_pg), for which rank 0 has waited since 2026-11-29 18:46:";

TEST(HangVerb, TheAnswerComesFirst) {
  const Outcome outcome = run({"info", flight_folder("missing")});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.error, "");
  EXPECT_THAT(outcome.out, StartsWith(flight_folder("missing") + "\n" + std::string(answer)));
  EXPECT_THAT(outcome.out, HasSubstr("record_flight.py:45 (work)"));
  EXPECT_THAT(outcome.out, HasSubstr("2 dumps with 7 calls in 1 group\n"));
}

TEST(HangVerb, Json) {
  const Outcome outcome = run({"info", flight_folder("missing"), "--json"});
  EXPECT_EQ(outcome.status, 0);
  const rapidjson::Document json = parsed_json(outcome.out);
  EXPECT_THAT(json["verdict"].GetString(), StartsWith(std::string(answer)));
  ASSERT_EQ(json["waits"].Size(), 1u);
  const auto& wait = json["waits"][0];
  EXPECT_STREQ(wait["group"].GetString(), "0");
  EXPECT_STREQ(wait["collective"].GetString(), "all_reduce");
  EXPECT_EQ(wait["sequence"].GetInt(), 4);
  EXPECT_STREQ(wait["state"].GetString(), "scheduled");
  ASSERT_EQ(wait["waiting"].Size(), 1u);
  EXPECT_EQ(wait["waiting"][0].GetInt(), 0);
  ASSERT_EQ(wait["missing"].Size(), 1u);
  EXPECT_EQ(wait["missing"][0].GetInt(), 1);
  ASSERT_EQ(wait["at"].Size(), 2u);
  EXPECT_EQ(wait["at"][0]["rank"].GetInt(), 0);
  EXPECT_EQ(wait["at"][0]["line"].GetInt(), 45);
  EXPECT_STREQ(wait["at"][0]["function"].GetString(), "work");
  EXPECT_EQ(wait["at"][1]["sequence"].GetInt(), 3);
  EXPECT_TRUE(wait["mismatch"].IsNull());
  const Outcome size = run({"info", flight_folder("size"), "--json"});
  EXPECT_STREQ(parsed_json(size.out)["waits"][0]["mismatch"]["what"].GetString(), "size");
  EXPECT_EQ(parsed_json(size.out)["waits"][0]["mismatch"]["sides"].Size(), 2u);
}

TEST(HangVerb, OneFileAndSeveral) {
  const std::string first = flight_folder("missing/nccl_trace_rank_0"),
                    second = flight_folder("missing/nccl_trace_rank_1");
  EXPECT_THAT(run({"info", first}).out, HasSubstr("There is no dump of rank 1, so it is not known who"));
  EXPECT_THAT(run({"info", first, second}).out, HasSubstr(answer));
}

TEST(HangVerb, OtherVerbsNameIt) {
  const Outcome query = run({"query", flight_folder("missing/nccl_trace_rank_0"), "select 1"});
  EXPECT_EQ(query.status, 2);
  EXPECT_THAT(query.error, HasSubstr("warpwalk info FILE"));
  const Outcome folder = run({"render", flight_folder("missing"), "-o", "x.png"});
  EXPECT_EQ(folder.status, 2);
  EXPECT_THAT(folder.error, HasSubstr("has dumps of PyTorch's flight recorder and no traces; warpwalk info "));
  const Outcome condition = run({"info", flight_folder("missing"), "--fail-if", "idle_pct>1"});
  EXPECT_EQ(condition.status, 2);
  EXPECT_THAT(condition.error, HasSubstr("is about a trace"));
}

TEST(HangVerb, AHostilePickleIsOneLine) {
  const Folder folder;
  std::ofstream(folder.path() / "nccl_trace_rank_0", std::ios::binary)
      << "\x80\x02}(X\x09" << std::string(3, '\0') << "pg_configcos\nsystem\nX\x04" << std::string(3, '\0')
      << "true\x85Ru.";
  const Outcome outcome = run({"info", folder.path().string()});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.error, HasSubstr("would call Python code (GLOBAL at byte "));
}

}  // namespace
}  // namespace warpwalk::testing
