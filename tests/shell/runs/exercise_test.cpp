// The exercises in the window: their list, an exercise, hints, what is kept between two starts, and, where there is a
// compiler, a grade.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/pages/exercise/exercise_page.h"
#include "core/platform/toolchain/compile_cuda.h"
#include "core/run/exercise/attempt.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

class Exercises : public ::testing::Test {
 protected:
  Exercises() { driver.open(walk_file("relu_matmul")); }
  const pages::ExerciseState& state() const { return driver.shell.page<pages::ExercisePage>().state(); }
  bool shows(std::string_view words) {
    const auto texts = driver.texts();
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
  }
  Driver driver;
};

TEST_F(Exercises, AreListedInTheOrderOfTheCourse) {
  driver.press(U'J');
  EXPECT_EQ(driver.shell.sheet(), "exercise");
  ASSERT_EQ(state().all.size(), 20u);
  for (std::size_t i = 0; i < state().all.size(); ++i)
    EXPECT_EQ(state().all[i].exercise.order, static_cast<int>(i) + 1) << state().all[i].exercise.name;
  EXPECT_TRUE(state().listing);
  EXPECT_TRUE(shows("1. The tail of the array"));
  EXPECT_TRUE(shows("not tried yet"));
  driver.press(Key::down);
  driver.press(Key::enter);
  EXPECT_FALSE(state().listing);
  EXPECT_EQ(state().open, 1u);
  EXPECT_EQ(state().source.text(), state().all[1].exercise.starter);
  driver.press(Key::escape);
  EXPECT_TRUE(state().listing);
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
}

TEST_F(Exercises, CtrlEnterPressesNoButton) {
  driver.press(U'J');
  driver.press(Key::enter);
  driver.press(U'x');
  for (int i = 0; i < 20 && state().memory.focus != "exercise.reset"; ++i) driver.press(Key::tab);
  ASSERT_EQ(state().memory.focus, "exercise.reset");
  driver.press_control(Key::enter);
  EXPECT_EQ(state().source.text(), "x" + state().all[0].exercise.starter);
}

TEST_F(Exercises, HintsComeOneByOneAndTheStarterComesBack) {
  driver.press(U'J');
  driver.press(Key::enter);
  const auto& exercise = state().all[0].exercise;
  EXPECT_TRUE(shows("TASK"));
  EXPECT_FALSE(shows("1. Take n = 1000"));
  driver.press(U'h', true);
  EXPECT_TRUE(shows("1. Take n = 1000"));
  for (int i = 0; i < 5; ++i) driver.press(U'h', true);
  EXPECT_EQ(state().all[0].work.hints, exercise.hints.size());
  EXPECT_TRUE(shows("These are all hints."));
  driver.press(U'x');  // a letter is typed, not a shortcut
  EXPECT_EQ(state().source.text(), "x" + exercise.starter);
  driver.press(Key::escape);
  driver.press(Key::enter);
  EXPECT_EQ(state().source.text(), "x" + exercise.starter);
}

TEST_F(Exercises, TheNextAndThePreviousOneHaveKeysAndButtons) {
  driver.press(U'J');
  driver.press(Key::enter);
  EXPECT_TRUE(shows("Next"));
  EXPECT_FALSE(shows("Previous"));  // of the first one
  driver.press(U'x');
  driver.press(U'j', true);
  EXPECT_EQ(state().open, 1u);
  EXPECT_TRUE(shows("Previous"));
  EXPECT_EQ(state().source.text(), state().all[1].exercise.starter);
  driver.press(U'k', true);
  EXPECT_EQ(state().open, 0u);
  EXPECT_EQ(state().source.text(), "x" + state().all[0].exercise.starter);  // it was kept
  driver.press(U'k', true);
  EXPECT_EQ(state().open, 0u);
  for (std::size_t i = 0; i < state().all.size(); ++i) driver.press(U'j', true);
  EXPECT_EQ(state().open + 1, state().all.size());
}

TEST_F(Exercises, TheLabLeadsToTheExerciseThatItShows) {
  View view = driver.shell.opened().view;
  view.scene = "lab/exercise";
  view.controls.set("lab/exercise.exercise", 2);
  driver.shell.open(view);
  driver.wait();
  if (driver.shell.sheet() != "exercise") driver.press(U'J');
  EXPECT_EQ(driver.shell.sheet(), "exercise");
  EXPECT_FALSE(state().listing);
  EXPECT_EQ(state().open, 2u);
}

TEST_F(Exercises, ARunIsJudgedWithReasons) {
  const auto compiled = platform::compile_cuda_text("__global__ void k() {}\n", "k.cu", {}, "9.0");
  if (!std::holds_alternative<platform::CompiledCuda>(compiled))
    GTEST_SKIP() << "there is no compiler for CUDA C++ here";
  driver.press(U'J');
  driver.press(Key::enter);
  driver.press_control(Key::enter);
  driver.wait();
  ASSERT_TRUE(state().outcome);
  EXPECT_EQ(state().outcome->error, "");
  EXPECT_FALSE(state().outcome->grade.passed);
  EXPECT_TRUE(shows("Yes: it compiles"));
  EXPECT_TRUE(shows("No: the sanitizer found an access out of bounds in line "));
  EXPECT_FALSE(shows("Next exercise"));
  EXPECT_TRUE(shows("just past the end of buffer `celsius`"));
  EXPECT_FALSE(state().marks().empty());
  EXPECT_EQ(state().all[0].work.attempts.size(), 1u);
  EXPECT_TRUE(shows("1: 2 of 4 criteria"));
  // The guard, before the line with the access.
  for (int i = 0; i < 3; ++i) driver.press(Key::down);
  for (const char c : std::string("if (i >= n) return;")) driver.press(static_cast<char32_t>(c));
  EXPECT_TRUE(shows("These verdicts are of the previous text"));
  driver.press_control(Key::enter);
  driver.wait();
  EXPECT_TRUE(state().outcome->grade.passed);
  EXPECT_TRUE(shows("Solved: all criteria are met."));
  EXPECT_TRUE(shows("Yes: the sanitizer found no races and no other errors"));
  EXPECT_TRUE(shows("Next exercise"));
  EXPECT_TRUE(state().all[0].work.solved());
  driver.press(U'j', true);
  EXPECT_EQ(state().open, 1u);
  EXPECT_FALSE(shows("Next exercise"));  // it is not solved yet
}

// PTX needs no compiler; what is run is handed in as a text.
TEST_F(Exercises, PtxIsJudgedAndHandedInAsText) {
  driver.press(U'J');
  driver.press(Key::enter);
  driver.press(U'a', true);
  std::istringstream lines(file_text(WARPWALK_SOURCE_DIR "/assets/exercises/tail_guard/starter.ptx"));
  for (std::string line; std::getline(lines, line);) {
    line.resize(std::min(line.find("//"), line.size()));
    std::ranges::replace(line, '\t', ' ');
    driver.type(line + " ");
  }
  driver.press(U's', true);
  driver.type("Ada L.");
  driver.press(Key::tab);
  driver.press(Key::tab);
  driver.press(Key::enter);
  EXPECT_TRUE(shows("Run this text first"));
  driver.press_control(Key::enter);
  driver.wait();
  ASSERT_TRUE(state().outcome);
  EXPECT_EQ(state().outcome->error, "");
  EXPECT_TRUE(shows("No: the sanitizer found an access out of bounds"));
  driver.press(U's', true);  // closes the field, which is still open
  driver.press(U's', true);
  driver.press(Key::tab);
  driver.press(Key::tab);
  driver.press(Key::enter);
  EXPECT_TRUE(driver.copied.starts_with("warpwalk-attempt.")) << driver.copied;
  const auto attempt = run::find_attempt("mine: " + driver.copied + "\n");
  ASSERT_TRUE(attempt && *attempt);
  EXPECT_EQ((*attempt)->student, "Ada L.");
  EXPECT_EQ((*attempt)->exercise, "tail_guard");
  EXPECT_EQ((*attempt)->source, state().source.text());
}

// The starter of the race is faster than any right kernel. It is no mark on the scale, and a version that passes stands
// between what is accepted and the best known one.
TEST_F(Exercises, AWrongStarterIsNoMarkOfTheOwnPlace) {
  const auto compiled = platform::compile_cuda_text("__global__ void k() {}\n", "k.cu", {}, "9.0");
  if (!std::holds_alternative<platform::CompiledCuda>(compiled))
    GTEST_SKIP() << "there is no compiler for CUDA C++ here";
  driver.press(U'J');
  for (int i = 0; i < 4; ++i) driver.press(Key::down);
  driver.press(Key::enter);
  ASSERT_EQ(state().all[state().open].exercise.name, "race");
  driver.press(U'a', true);
  // In one line, as it can be typed.
  std::istringstream lines(file_text(WARPWALK_SOURCE_DIR "/tests/exercises/race/v4.cu"));
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with('#')) driver.type(line.substr(0, line.find("//")) + " ");
  driver.press_control(Key::enter);
  driver.wait();
  ASSERT_TRUE(state().outcome);
  EXPECT_TRUE(state().outcome->grade.passed);
  EXPECT_FALSE(state().outcome->starter_right);
  EXPECT_TRUE(shows("accepted: at most"));
  EXPECT_TRUE(shows("best known: "));
  EXPECT_FALSE(shows("starter: "));
  EXPECT_FALSE(shows("times as fast as the starter"));
}

}  // namespace
}  // namespace warpwalk::shell
