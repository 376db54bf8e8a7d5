// Questions as a person answers them: real keys in the real window, and the file that a teacher collects.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/e2e/desktop.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

class QuestionWindow : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = Display::missing(); !missing.empty()) GTEST_SKIP() << missing;
  }
  static std::vector<std::string> lanes(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {walk("h200_relu"), "--scene", "lanes", "--at", "b2", "--route", "all"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

// The lines of an answers file.
std::vector<rapidjson::Document> lines_of(const std::filesystem::path& file) {
  std::vector<rapidjson::Document> lines;
  std::string text = text_of(file);
  for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
    rapidjson::Document& line = lines.emplace_back();
    line.Parse(text.substr(0, end).c_str());
    EXPECT_FALSE(line.HasParseError()) << text.substr(0, end);
  }
  return lines;
}

TEST_F(QuestionWindow, IsAskedAnsweredWronglyShownAndKept) {
  const Folder folder;
  const std::filesystem::path file = folder.path() / "class" / "answers.jsonl";
  Desktop desktop(lanes({"--answers", file.string(), "--student", "Ada"}));
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.question_state == "asked" && !now.moving; }, 60s))
      << desktop.state() << desktop.program().error();
  EXPECT_EQ(desktop.state().question, "lanes.fold");
  const std::string question = desktop.state().title;
  EXPECT_TRUE(question.ends_with("?")) << question;
  desktop.key("1");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.question_option == 1; })) << desktop.state();
  EXPECT_FALSE(std::filesystem::exists(file));
  desktop.key("Return");
  // A wrong answer is kept; its reason is shown, and another option may be chosen.
  ASSERT_TRUE(desktop.wait_for([&](const State&) { return std::filesystem::exists(file); })) << desktop.state();
  EXPECT_EQ(desktop.state().question_state, "asked");
  {
    // It is in the file while the program still runs.
    const std::vector<rapidjson::Document> lines = lines_of(file);
    ASSERT_EQ(lines.size(), 1u);
    const rapidjson::Document& line = lines.front();
    EXPECT_STREQ(line["walk"].GetString(), "h200_relu.json.gz");
    EXPECT_STREQ(line["student"].GetString(), "Ada");
    EXPECT_STREQ(line["key"].GetString(), "lanes.fold");
    EXPECT_EQ(line["question"].GetString(), question);
    EXPECT_STREQ(line["answer"].GetString(), line["options"][0].GetString());
    EXPECT_STRNE(line["answer"].GetString(), line["right"].GetString());
    EXPECT_FALSE(line["correct"].GetBool());
    EXPECT_GT(line["seconds"].GetDouble(), 0);
  }
  desktop.key("3");  // four sectors
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.question_state == "answered" && !now.moving; }))
      << desktop.state();
  EXPECT_EQ(desktop.state().beat, 2);
  EXPECT_NE(desktop.state().title, question);
  // On to the next question, which is skipped: the step shows its answer first.
  desktop.key("Right");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 3 && now.question_state == "asked"; }))
      << desktop.state();
  desktop.key("Right");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 3 && now.question_state == "skipped"; }))
      << desktop.state();
  EXPECT_TRUE(lines_of(file).back()["answer"].IsNull());
  const Outcome outcome = run({"answers", file.string()});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("asked 1, answered 1, right 0 (0 %)"));
  EXPECT_THAT(outcome.out, HasSubstr("Ada: asked 2, answered 1, right 0"));
}

TEST_F(QuestionWindow, TurnedOffNothingIsAskedAndItStaysOff) {
  const Folder config;
  const std::vector<std::string> there = {"XDG_CONFIG_HOME=" + config.path().string()};
  {
    Desktop desktop(lanes({}), there);
    ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.question_state == "asked"; }, 60s))
        << desktop.state();
    desktop.key("q");
    ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.question.empty() && !now.questions; }))
        << desktop.state();
    EXPECT_FALSE(desktop.state().title.ends_with("?")) << desktop.state();
    desktop.key("Right");
    ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 3; })) << desktop.state();
    EXPECT_TRUE(desktop.state().question.empty());
  }
  Desktop desktop(lanes({}), there);
  ASSERT_TRUE(desktop.ready());
  EXPECT_FALSE(desktop.state().questions) << desktop.state();
  EXPECT_FALSE(std::filesystem::exists(config.path() / "warpwalk" / "answers.jsonl"));
}

TEST_F(QuestionWindow, WhereTheAnswerCannotBeKeptTheWindowSaysSoAndGoesOn) {
  Desktop desktop(lanes({"--answers", "/proc/nowhere/answers.jsonl"}));
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.question_state == "asked" && !now.moving; }, 60s))
      << desktop.state();
  desktop.key("1");
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.note_kind == "error"; })) << desktop.state();
  EXPECT_THAT(desktop.state().note, HasSubstr("answers cannot be kept")) << desktop.state();
  desktop.key("3");
  desktop.key("Return");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.question_state == "answered"; })) << desktop.state();
  desktop.key("Right");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 3; })) << desktop.state();
}

}  // namespace
}  // namespace warpwalk::testing
