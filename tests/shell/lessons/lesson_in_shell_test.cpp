// Lessons in the window: going through their steps, their questions and score, and files that are broken.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/platform/temporary_folder.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using ::testing::HasSubstr;

// While presenting, the words of a step are projected.
TEST(LessonInTheShell, ProjectsTheWordsOfAStep) {
  const platform::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "own.json";
  std::ofstream(file) << R"({"warpwalk_lesson": 1, "steps": [
      {"file": "relu_matmul.json.gz", "scene": "boardroom", "at": "launch", "text": "First line.\nMy second line."}]})";
  Driver driver(1280, 720);
  driver.open(file.string());
  driver.settle();
  driver.press(U'n');  // the strip with the same words
  const auto lines = [&] { return std::ranges::count(driver.texts(), std::string("My second line.")); };
  EXPECT_EQ(lines(), 0);
  driver.press(U'p');
  driver.settle();
  ASSERT_TRUE(driver.shell.presentation().on());
  EXPECT_EQ(lines(), 1);
}

TEST(LessonInTheShell, NextAndBackGoThroughItsStepsAndFiles) {
  Driver driver;
  driver.open(std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons/waiting_in_a_stream.json");
  ASSERT_TRUE(driver.shell.opened().lesson);
  const std::size_t steps = driver.shell.opened().lesson->steps.size();
  const auto here = [&] {
    View view = driver.shell.opened().view;
    view.moment.phase = 1;
    return view;
  };
  std::vector<View> seen;
  for (std::size_t i = 0; i < steps; ++i) {
    EXPECT_EQ(driver.shell.opened().lesson_step, i);
    EXPECT_EQ(driver.shell.opened().document->file, driver.shell.opened().lesson->steps[i].view.file);
    seen.push_back(here());
    driver.press(Key::right);
    driver.wait();
  }
  EXPECT_EQ(driver.shell.opened().lesson_step, steps - 1);  // the last one stays
  for (std::size_t i = steps - 1; i-- > 0;) {
    driver.press(Key::left);
    driver.wait();
    EXPECT_EQ(here(), seen[i]) << i;
  }
  const auto shows = [&](std::string_view words) {
    const auto texts = driver.texts();
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(shows("STEP 1 OF 5"));
  driver.press(Key::escape);
  driver.press(Key::escape);
  EXPECT_FALSE(driver.shell.opened().lesson);
  driver.settle();
  EXPECT_FALSE(shows("SPEAKER NOTE"));  // the strip goes with the lesson
  driver.press(Key::right);             // now through the beats again
  driver.settle();
  EXPECT_NE(here(), seen[0]);
}

// At the end of a lesson, its score.
TEST(LessonInTheShell, EndsWithTheScoreOfItsQuestions) {
  const platform::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "own.json";
  const auto step = [](std::string_view scene, std::string_view at) {
    return R"({"file": "relu_matmul.json.gz", "scene": ")" + std::string(scene) + R"(", "at": ")" + std::string(at) +
           R"(", "question": {"text": "Which?", "options": ["a", "b"], "right": 1}})";
  };
  std::ofstream(file) << R"({"warpwalk_lesson": 1, "steps": [)" << step("warehouse", "b1") << ", "
                      << step("boardroom", "b2") << R"(, {"scene": "boardroom", "at": "b3"}]})";
  Driver driver(1280, 720, true);
  driver.open(file.string());
  driver.settle();
  driver.press(U'1');
  driver.press(Key::enter);
  driver.press(Key::right);
  driver.settle();
  driver.press(U'2');
  driver.press(Key::enter);
  driver.press(U'1');
  driver.press(Key::enter);
  driver.press(Key::right);
  driver.settle();
  EXPECT_THAT(driver.shell.opened().stage->score, HasSubstr("1 of 2 right on the first try, 1 after another try"));
  const std::vector<std::string> texts = driver.texts();
  EXPECT_NE(std::ranges::find(texts, driver.shell.opened().stage->score), texts.end());
  driver.press(Key::left);
  EXPECT_EQ(driver.shell.opened().stage->score, "");
}

/// Two questions, about two files.
constexpr std::string_view two_questions = R"({"warpwalk_lesson": 1, "steps": [
    {"file": "relu_matmul.json.gz", "scene": "warehouse", "at": "b1",
     "question": {"text": "Which?", "options": ["a", "b"], "right": 1}},
    {"file": "two_streams.json.gz", "scene": "warehouse", "at": "b1",
     "question": {"text": "And which?", "options": ["a", "b"], "right": 1}}]})";

void answer_first_option(Driver& driver) {
  ASSERT_TRUE(driver.shell.opened().stage->question && driver.shell.opened().stage->question->asked());
  driver.press(U'1');
  driver.press(Key::enter);
  driver.settle();
}

void leave_lesson(Driver& driver) {
  for (int i = 0; i < 4 && driver.shell.opened().lesson; ++i) driver.press(Key::escape);  // messages go first
  driver.settle();
  ASSERT_FALSE(driver.shell.opened().lesson);
}

// The score belongs to one lesson, with all of its files, or to one walk.
TEST(LessonInTheShell, TheScoreEndsWithIt) {
  const platform::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "own.json";
  std::ofstream(file) << two_questions;
  Driver driver(1280, 720, true);
  const story::Score& score = driver.shell.opened().score;
  const auto right = [&] { return score.count(story::Score::Outcome::first_try); };
  driver.open(file.string());
  answer_first_option(driver);
  EXPECT_EQ(right(), 1u);
  driver.press(Key::right);
  driver.wait();
  ASSERT_EQ(driver.shell.opened().document->file.filename(), "two_streams.json.gz");
  EXPECT_EQ(right(), 1u);
  answer_first_option(driver);
  EXPECT_EQ(right(), 2u);
  leave_lesson(driver);
  EXPECT_TRUE(score.empty());

  driver.open(file.string());
  answer_first_option(driver);
  EXPECT_EQ(right(), 1u);
  driver.open(file.string());  // from the beginning
  EXPECT_TRUE(score.empty());
  answer_first_option(driver);
  EXPECT_EQ(right(), 1u);
  const std::filesystem::path broken = folder.path() / "broken.json";
  std::ofstream(broken) << "{";
  driver.open(broken.string());
  EXPECT_TRUE(driver.shell.opened().lesson) << "a file that cannot be read loses nothing";
  EXPECT_EQ(right(), 1u);
  driver.open(walk_file("mlp_train"));
  ASSERT_FALSE(driver.shell.opened().lesson);
  EXPECT_TRUE(score.empty());
}

// Which beats the arrow keys go through is the person's choice.
TEST(LessonInTheShell, KeepsTheRoute) {
  for (const bool first : {true, false}) {
    SCOPED_TRACE(first);
    Driver driver;
    View view;
    view.file = walk_file("relu_matmul");
    view.first_route = first;
    driver.shell.open(view);
    driver.wait();
    driver.drop(std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons/waiting_in_a_stream.json");
    driver.wait();
    ASSERT_TRUE(driver.shell.opened().lesson);
    EXPECT_EQ(driver.shell.opened().view.first_route, first);
    driver.press(Key::right);
    driver.wait();
    EXPECT_EQ(driver.shell.opened().lesson_step, 1u);
    EXPECT_EQ(driver.shell.opened().view.first_route, first);
    leave_lesson(driver);
    EXPECT_EQ(driver.shell.opened().view.first_route, first);
  }
}

TEST(LessonInTheShell, PlaysByItselfToItsEnd) {
  Driver driver;
  driver.open(std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons/first_walk.json");
  driver.press(Key::space);
  for (int i = 0; i < 5000 && driver.shell.playing(); ++i) driver.frame(0.1);
  EXPECT_FALSE(driver.shell.playing());
  EXPECT_EQ(driver.shell.opened().lesson_step + 1, driver.shell.opened().lesson->steps.size());
}

TEST(LessonInTheShell, ABrokenOneLosesNothing) {
  const auto file = std::filesystem::temp_directory_path() / ("lesson." + std::to_string(getpid()) + ".json");
  std::ofstream(file) << R"({"warpwalk_lesson": 1, "steps": [{"file": "nothing"}]})";
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  const View before = driver.shell.opened().view;
  driver.drop(file);
  std::filesystem::remove(file);
  EXPECT_EQ(driver.shell.opened().view, before);
  EXPECT_THAT(driver.shell.note().text, HasSubstr("step 1: the file nothing"));
}

}  // namespace
}  // namespace warpwalk::shell
