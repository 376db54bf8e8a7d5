// `answers`, and questions in `render`, as people and scripts use them.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

std::string line(const std::string& answer, const std::string& student = "", const std::string& more = "") {
  return "{\"warpwalk_answer\": 1, \"walk\": \"relu.json.gz\", \"scene\": \"lanes\", \"key\": \"lanes.fold\", "
         "\"about\": \"kernel 4\", \"question\": \"How many sectors?\", \"options\": [\"1 sector\", \"4 sectors\", "
         "\"8 sectors\"], \"right\": \"4 sectors\", \"answer\": " +
         answer + (student.empty() ? "" : ", \"student\": \"" + student + "\"") + more + "}\n";
}

TEST(AnswersVerb, CollectsFilesIntoOneTable) {
  const Folder folder;
  const std::string one = folder.file("one.jsonl", line("\"4 sectors\"", "Ada") + line("\"8 sectors\"", "Bo"));
  const std::string two = folder.file("two.jsonl", line("\"8 sectors\"", "Cy") + line("null", "Di"));
  const Outcome outcome = run({"answers", one, two});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  for (const char* words :
       {"relu.json.gz", "How many sectors?", "lanes.fold, kernel 4", "asked 4, answered 3, right 1 (33 %)",
        "right answer: 4 sectors", "most common wrong answer: 8 sectors (2 of 3)",
        "Ada: asked 1, answered 1, right 1 (100 %)", "Di: asked 1, answered 0, right 0 (-)"})
    EXPECT_THAT(outcome.out, ::testing::HasSubstr(words));
}

TEST(AnswersVerb, WritesJson) {
  const Folder folder;
  const Outcome outcome = run({"answers", folder.file("a.jsonl", line("\"8 sectors\"")), "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  rapidjson::Document json;
  json.Parse(outcome.out.c_str());
  ASSERT_FALSE(json.HasParseError()) << outcome.out;
  ASSERT_EQ(json["questions"].Size(), 1u);
  EXPECT_EQ(json["questions"][0]["answered"].GetUint(), 1u);
  EXPECT_EQ(json["questions"][0]["right"].GetUint(), 0u);
  EXPECT_STREQ(json["questions"][0]["most_common_wrong_answer"].GetString(), "8 sectors");
}

TEST(AnswersVerb, CountsEachOptionByDayAndLeavesARehearsalOut) {
  const Folder folder;
  const auto at = [](const char* time) { return ", \"time\": \"" + std::string(time) + "\""; };
  const std::string file = folder.file("a.jsonl", line("\"1 sector\"", "Eve", at("2026-11-22T18:00:00Z")) +
                                                      line("\"8 sectors\"", "Ada", at("2026-11-23T08:00:00Z")) +
                                                      line("\"4 sectors\"", "=Bo", at("2026-11-23T08:01:00Z")) +
                                                      line("\"4 sectors\"", "Cy", at("2026-11-30T08:01:00Z")));
  const Outcome outcome = run({"answers", file, "--since", "2026-11-23", "--csv", folder.at("a.csv")});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  for (const char* words : {"asked 3, answered 3, right 2", "\n        0                                 1 sector\n",
                            "\n        2 ################         right: 4 sectors\n",
                            "2026-11-23: right 1 of 2 (50 %)", "2026-11-30: right 1 of 1 (100 %)"})
    EXPECT_THAT(outcome.out, ::testing::HasSubstr(words));
  const std::string rows = text_of(folder.at("a.csv"));
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 4);
  EXPECT_THAT(rows,
              ::testing::HasSubstr(",'=Bo,relu.json.gz,lanes,1,lanes.fold,kernel 4,How many sectors?,4 sectors,"));
  EXPECT_EQ(run({"answers", file, "--until", "2026-11-23T08:00"}).status, 0);
  EXPECT_EQ(run({"answers", file, "--since", "yesterday"}).status, 2);
}

TEST(AnswersVerb, BadLinesAreNamedAndTheOthersCount) {
  const Folder folder;
  const std::string file = folder.file("a.jsonl", line("\"4 sectors\"") + "{\"warpwalk_answer\": 1, \"key\":\n" +
                                                      line("\"none\"") + line("\"4 sectors\""));
  const Outcome outcome = run({"answers", file});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("a.jsonl: line 2: byte"));
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("left out (and 1 more)"));
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("asked 2, answered 2, right 2 (100 %)"));
  const Outcome one = run({"answers", folder.file("b.jsonl", line("\"none\""))});
  EXPECT_THAT(one.error, ::testing::HasSubstr("b.jsonl: line 1: \"answer\" is not one of \"options\""));
  EXPECT_THAT(one.error, ::testing::Not(::testing::HasSubstr("more")));
}

TEST(AnswersVerb, SeveralFilesThatAreNotThereAreOneLine) {
  const Folder folder;
  const Outcome outcome = run({"answers", folder.at("no1"), folder.at("no2"), folder.at("no3")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("no1: there is no such file; left out (and 2 more)"));
}

TEST(AnswersVerb, WithoutAFileOrWithOneThatIsNotThereItSaysSo) {
  const Folder folder;
  const Outcome none = run({"answers"}, {"XDG_CONFIG_HOME=" + folder.path().string()});
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.error_lines(), 1u) << none.error;
  EXPECT_THAT(none.error, ::testing::HasSubstr("no answers have been kept yet"));
  const Outcome missing = run({"answers", folder.at("missing.jsonl")});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.error, ::testing::HasSubstr("missing.jsonl"));
  EXPECT_EQ(run({"answers", folder.file("empty.jsonl", "")}).out, "no answers\n");
}

std::vector<std::string> lanes(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"render", walk("h200_relu"), "--scene", "lanes", "--at", "b2", "--text"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(RenderQuestions, AskOnlyIfToldTo) {
  const Outcome usual = run(lanes({}));
  EXPECT_EQ(usual.status, 0) << usual.error;
  EXPECT_THAT(usual.out, ::testing::Not(::testing::HasSubstr("option 1")));
  const Outcome asked = run(lanes({"--questions"}));
  EXPECT_EQ(asked.status, 0) << asked.error;
  EXPECT_THAT(asked.out, ::testing::HasSubstr("How many sectors do these 32 lanes need?"));
  EXPECT_THAT(asked.out, ::testing::HasSubstr("option 1: 1 sector\n"));
  EXPECT_THAT(asked.out, ::testing::Not(::testing::HasSubstr("become")));
  const Outcome wrong = run(lanes({"--answer", "lanes.fold=1"}));
  EXPECT_EQ(wrong.status, 0) << wrong.error;
  EXPECT_THAT(wrong.out, ::testing::HasSubstr("option 1: 1 sector (wrong)\n"));
  EXPECT_THAT(wrong.out, ::testing::HasSubstr("answer: Not 1 sector.\n"));
  EXPECT_THAT(wrong.out, ::testing::HasSubstr("why: A sector has 32 bytes"));
  EXPECT_THAT(wrong.out, ::testing::Not(::testing::HasSubstr("become")));
  const Outcome right = run(lanes({"--answer", "lanes.fold=3"}));
  EXPECT_EQ(right.status, 0) << right.error;
  EXPECT_THAT(right.out, ::testing::HasSubstr("answer: Right on the first try: 4 sectors\n"));
  EXPECT_THAT(right.out, ::testing::HasSubstr("become"));
}

TEST(RenderQuestions, AnswersToNothingAreRefused) {
  for (const auto& [answer, words] : std::vector<std::pair<std::string, std::string>>{
           {"lanes.fold", "KEY=N"},
           {"lanes.fold=9", "the options are 1 to 6"},
           {"lanes.banks=1", "no beat that is rendered asks this; asked: lanes.fold"},
           {"nonsense", "KEY=skip"}}) {
    const Outcome outcome = run(lanes({"--answer", answer}));
    EXPECT_EQ(outcome.status, 2) << answer;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_THAT(outcome.error, ::testing::HasSubstr("--answer " + answer));
    EXPECT_THAT(outcome.error, ::testing::HasSubstr(words));
  }
}

}  // namespace
}  // namespace warpwalk::testing
