// Questions in the window: keys and pointer choose and commit, and each answer is reported once.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "app/answers/answer.h"
#include "core/platform/temporary_folder.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

/// A window over a recorded kernel, at the beat of the lanes that asks for the sectors.
class Questions : public ::testing::Test {
 protected:
  void SetUp() override {
    View view;
    view.file = walk_file("h200_relu");
    view.scene = "lanes";
    view.moment = {story::Moment::Kind::beat, 2, 1};
    driver.shell.open(view);
    driver.wait();
    ASSERT_TRUE(question()) << driver.shell.opened().stage->title;
    ASSERT_EQ(question()->key, "lanes.fold");
    ASSERT_TRUE(question()->asked());
  }
  const std::optional<story::Question>& question() const { return driver.shell.opened().stage->question; }
  int beat() const { return driver.shell.opened().stage->beat; }
  /// Gives one answer after another until one is right; returns how many were given.
  std::size_t answer_all() {
    const std::size_t before = driver.answered.size();
    for (char32_t key = U'1'; question() && question()->asked() && key <= U'9'; ++key) {
      driver.press(key);
      if (question()->chosen) driver.press(draw::Key::enter);
    }
    return driver.answered.size() - before;
  }

  Driver driver{1600, 900, true};
};

TEST_F(Questions, ADigitChoosesAndEnterCommits) {
  driver.press(U'2');
  EXPECT_EQ(question()->chosen, 1u);
  EXPECT_TRUE(question()->asked());
  driver.press(U'1');  // another mind
  EXPECT_EQ(question()->chosen, 0u);
  EXPECT_TRUE(driver.answered.empty());
  driver.press(draw::Key::enter);
  EXPECT_EQ(beat(), 2);
  ASSERT_EQ(driver.answered.size(), 1u);
  const answers::Answer& answer = driver.answered.front();
  EXPECT_EQ(answer.walk, "h200_relu.json.gz");
  EXPECT_EQ(answer.scene, "lanes");
  EXPECT_EQ(answer.beat, 2);
  EXPECT_EQ(answer.key, "lanes.fold");
  EXPECT_EQ(answer.chosen, 0u);
  EXPECT_NE(answer.right, 0u);  // one sector is not enough
  EXPECT_EQ(answer.options, question()->options);
  EXPECT_EQ(answer.question, question()->text);
  EXPECT_GE(answer.seconds, 0);
  EXPECT_EQ(answer.attempt, 1);
  // The reason is shown, and another option may be chosen.
  EXPECT_TRUE(question()->asked());
  EXPECT_FALSE(question()->why.empty());
  EXPECT_FALSE(question()->right);
  const std::vector<std::string> texts = driver.texts();
  EXPECT_NE(std::ranges::find(texts, question()->verdict), texts.end());
  driver.press(U'1');
  EXPECT_FALSE(question()->chosen);  // it was tried
  const std::size_t right = driver.answered[0].right;
  driver.press(U'1' + static_cast<char32_t>(right));
  driver.press(draw::Key::enter);
  EXPECT_EQ(question()->state, story::Question::State::answered);
  EXPECT_EQ(question()->chosen, right);
  ASSERT_EQ(driver.answered.size(), 2u);
  EXPECT_EQ(driver.answered[1].attempt, 2);
  EXPECT_EQ(driver.answered[1].chosen, right);
  EXPECT_EQ(driver.shell.opened().score.count(story::Score::Outcome::later), 1u);
  // Nothing changes it any more.
  driver.press(U'2');
  driver.press(draw::Key::enter);
  EXPECT_EQ(question()->chosen, right);
  EXPECT_EQ(driver.answered.size(), 2u);
}

// The score of a walk is that of its file.
TEST_F(Questions, AnotherFileBeginsWithoutAScore) {
  driver.press(draw::Key::enter);
  ASSERT_FALSE(question()->asked());
  EXPECT_EQ(driver.shell.opened().score.count(story::Score::Outcome::shown), 1u);
  driver.open(walk_file("relu_matmul"));
  EXPECT_TRUE(driver.shell.opened().score.empty());
}

// Shift+H: how a class answered. Nothing is shown before the question is answered.
TEST_F(Questions, TheCountsOfAClassAreShownOnceItIsAnswered) {
  driver.press(U'1');
  driver.press(draw::Key::enter);
  const answers::Answer wrong = driver.answered.front();
  const platform::TemporaryFolder folder;
  std::vector<std::filesystem::path> files;
  for (std::size_t i = 0; i < 5; ++i) {
    answers::Answer answer = wrong;
    answer.session = "s" + std::to_string(i);
    if (i < 3) answer.chosen = wrong.right;
    files.push_back(folder.path() / (answer.session + ".jsonl"));
    std::ofstream(files.back()) << answers::json_line(answer) << "\n";
  }
  const auto shows = [&](std::string_view words) {
    return std::ranges::any_of(driver.texts(), [&](const std::string& text) { return text.find(words) != text.npos; });
  };
  driver.drop(files);
  EXPECT_EQ(driver.shell.sheet(), "counts");
  EXPECT_TRUE(question()->asked());
  EXPECT_TRUE(shows("This question is not answered yet."));
  EXPECT_FALSE(shows("(60 %)"));
  driver.press(draw::Key::right);  // shows the answer
  EXPECT_EQ(driver.shell.sheet(), "counts");
  ASSERT_FALSE(question()->asked());
  EXPECT_TRUE(shows("right: 3 (60 %)"));
  EXPECT_TRUE(shows("2 (40 %)"));
  EXPECT_TRUE(shows("5 first answers, counted in 5 files of answers"));
  driver.press(U'H');
  EXPECT_EQ(driver.shell.sheet(), "");
  driver.press(U'p');
  driver.press(U'H');
  EXPECT_TRUE(driver.shell.presentation().on());
  EXPECT_TRUE(shows("right: 3 (60 %)"));
}

TEST_F(Questions, AnswersAreHandedInWithAName) {
  driver.press(U'h', true);
  EXPECT_EQ(driver.shell.sheet(), "hand_in");
  const std::vector<std::string> texts = driver.texts();
  EXPECT_TRUE(std::ranges::any_of(texts, [](const std::string& text) { return text.find("No question was") == 0; }));
  driver.press(draw::Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
}

TEST_F(Questions, AKeyForAnOptionThatIsNotThereChoosesNothing) {
  ASSERT_LT(question()->options.size(), 9u);
  driver.press(U'9');
  EXPECT_FALSE(question()->chosen);
  EXPECT_TRUE(question()->asked());
}

TEST_F(Questions, TheNextStepShowsTheAnswerBeforeItGoesOn) {
  driver.press(draw::Key::right);
  EXPECT_EQ(beat(), 2);
  EXPECT_EQ(question()->state, story::Question::State::skipped);
  ASSERT_EQ(driver.answered.size(), 1u);
  EXPECT_FALSE(driver.answered.front().chosen);
  driver.press(draw::Key::right);
  EXPECT_EQ(beat(), 3);
  EXPECT_EQ(driver.answered.size(), 1u);
  driver.press(draw::Key::left);
  EXPECT_EQ(question()->state, story::Question::State::skipped);  // it is not asked twice
}

TEST_F(Questions, AChosenOptionCountsWhenThePersonGoesOn) {
  driver.press(U'3');
  driver.press(draw::Key::right);
  ASSERT_EQ(driver.answered.size(), 1u);
  EXPECT_EQ(driver.answered.front().chosen, 2u);
}

TEST_F(Questions, TheRevealIsAMotion) {
  driver.press(draw::Key::enter);
  EXPECT_TRUE(driver.shell.moving());
  driver.settle();
  EXPECT_FALSE(driver.shell.moving());
}

TEST_F(Questions, PlayingWaitsForAnAnswer) {
  driver.press(draw::Key::left);
  driver.press(draw::Key::space);
  for (int i = 0; i < 600 && beat() < 2; ++i) driver.frame(0.05);
  ASSERT_EQ(beat(), 2);
  for (int i = 0; i < 200; ++i) driver.frame(0.05);
  EXPECT_EQ(beat(), 2);
  EXPECT_TRUE(question()->asked());
  answer_all();
  for (int i = 0; i < 200 && beat() == 2; ++i) driver.frame(0.05);
  EXPECT_EQ(beat(), 3);
}

TEST_F(Questions, RAsksTheQuestionsOfTheSceneAgain) {
  driver.press(draw::Key::enter);
  ASSERT_FALSE(question()->asked());
  driver.press(U'r');
  EXPECT_TRUE(question()->asked());
  driver.press(U'1');
  driver.press(draw::Key::enter);
  ASSERT_EQ(driver.answered.size(), 2u);
  EXPECT_EQ(driver.answered.back().attempt, 2);
}

TEST_F(Questions, QTurnsThemOff) {
  driver.press(U'q');
  EXPECT_FALSE(question());
  EXPECT_FALSE(driver.shell.settings().questions);
  driver.press(draw::Key::right);
  EXPECT_EQ(beat(), 3);
  EXPECT_TRUE(driver.answered.empty());
  driver.press(U'q');
  driver.press(draw::Key::left);
  EXPECT_TRUE(question() && question()->asked());
}

TEST_F(Questions, APointerChoosesAndASecondClickCommits) {
  // Clicks along the row of options until one is hit.
  float y = 780;
  for (; y > 500 && !question()->chosen; y -= 12) driver.click(380, y);
  ASSERT_TRUE(question()->chosen);
  driver.click(380, y + 12);
  ASSERT_EQ(driver.answered.size(), 1u);
  const bool right = driver.answered.front().chosen == driver.answered.front().right;
  EXPECT_EQ(question()->asked(), !right);
  EXPECT_EQ(question()->tried.size(), right ? 0u : 1u);
}

TEST_F(Questions, WhileTabIsElsewhereEnterIsNoAnswer) {
  driver.press(draw::Key::tab);
  ASSERT_FALSE(driver.shell.opened().stage->question->chosen);
  driver.press(draw::Key::enter);
  EXPECT_TRUE(driver.answered.empty());
}

TEST_F(Questions, AnAnswerThatCannotBeKeptIsReportedOnceAndLosesNothing) {
  driver.answer_error = "answers.jsonl: answers cannot be kept: No space left on device";
  driver.press(draw::Key::enter);
  EXPECT_EQ(driver.shell.note().text, driver.answer_error);
  EXPECT_EQ(driver.shell.note().kind, panels::Note::Kind::error);
  driver.press(draw::Key::right);
  driver.press(draw::Key::right);  // the answer of the next question
  EXPECT_EQ(driver.answered.size(), 2u);
  EXPECT_EQ(driver.shell.note().text, "");
}

TEST_F(Questions, TheQuestionAndItsOptionsAreDrawnAndNotCut) {
  const std::vector<std::string> texts = driver.texts();
  const auto drawn = [&](const std::string& text) { return std::ranges::find(texts, text) != texts.end(); };
  for (const std::string& option : question()->options) EXPECT_TRUE(drawn(option)) << option;
  EXPECT_TRUE(drawn(question()->hint));
  EXPECT_TRUE(drawn(question()->text));
}

TEST_F(Questions, AlsoWhilePresenting) {
  driver.press(U'p');
  driver.press(U'2');
  driver.press(draw::Key::enter);
  EXPECT_EQ(driver.answered.size(), 1u);
  const std::vector<std::string> texts = driver.texts();
  EXPECT_NE(std::ranges::find(texts, question()->verdict), texts.end());
}

}  // namespace
}  // namespace warpwalk::shell
