// Nothing private is ever on the projected stage: no note, no right answer before the class has given one, no path.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include "app/pages/keymap.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// Words that nothing else has. The options of the question are for the class; the reasons tell which one is right.
constexpr std::string_view folder_word = "wombat", note_word = "zebra", why_word = "quagga", wrong_word = "okapi";

std::string private_lesson() {
  const std::filesystem::path folder = std::filesystem::path(WARPWALK_TEST_OUTPUT) / folder_word;
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "lesson.json";
  std::ofstream(file) << R"({"warpwalk_lesson": 1, "title": "For the class", "steps": [
    {"file": "relu_matmul.json.gz", "scene": "boardroom", "at": "b1", "note": "zebra one", "question":
      {"text": "Which one?", "options": ["first", "second"], "right": 2, "why": "quagga", "wrong": ["okapi", ""]}},
    {"scene": "boardroom", "at": "b2", "note": "zebra two"},
    {"scene": "sm", "at": "b1", "note": "zebra three"}]})";
  return file.string();
}

class PresentingSafely : public ::testing::Test {
 protected:
  PresentingSafely() : driver(1280, 720, true) {
    driver.open(private_lesson());
    driver.press(U'p');
  }

  const Presentation& presentation() { return driver.shell.presentation(); }
  bool asked() {
    const auto& question = driver.shell.opened().stage->question;
    return question && question->asked();
  }

  // Presenting, at the first step, with its question.
  void start_again() {
    for (int i = 0; i < 5 && !driver.shell.sheet().empty(); ++i) driver.press(Key::escape);
    if (!presentation().on()) driver.press(U'p');
    driver.shell.presentation().set_blank(false);
    driver.shell.presentation().steps().hide();
    if (!driver.shell.opened().lesson) driver.open(private_lesson());
    if (!driver.shell.opened().predictions.asking) driver.press(U'q');
    driver.press(Key::end);  // from another scene, Home leads to the first step only if it is not that of the lesson
    driver.press(Key::home);
    driver.press(U'r');
    ASSERT_TRUE(presentation().on());
    const auto& stage = *driver.shell.opened().stage;
    ASSERT_TRUE(asked()) << driver.shell.opened().lesson_step << " " << stage.scene << " " << stage.beat << " "
                         << (stage.question ? story::name_of(stage.question->state) : "none");
  }

  void expect_nothing_private(const std::string& after) {
    const std::vector<std::string> texts = driver.texts();
    if (!presentation().on()) return;
    for (const std::string& text : texts) {
      EXPECT_THAT(text, Not(HasSubstr(std::string(note_word)))) << after;
      EXPECT_THAT(text, Not(HasSubstr(std::string(folder_word)))) << after;
      if (asked()) {
        EXPECT_THAT(text, Not(AnyOf(HasSubstr(std::string(why_word)), HasSubstr(std::string(wrong_word))))) << after;
      }
    }
  }

  Driver driver;
};

TEST_F(PresentingSafely, EveryKeyShowsNothingPrivate) {
  for (const pages::Shortcut& shortcut : pages::shortcuts()) {
    const std::string key = "after " + pages::key_label(shortcut, english());
    SCOPED_TRACE("the key before the one " + key);
    start_again();
    driver.press(shortcut.press);
    expect_nothing_private(key);
    driver.frame(5);  // its motion ends
    driver.press(Key::down);
    driver.press(Key::enter);
    expect_nothing_private(key + ", Down, Enter");
  }
}

TEST_F(PresentingSafely, TheMouseShowsNothingPrivate) {
  start_again();
  for (float y = 20; y < 720; y += 100)
    for (float x = 40; x < 1280; x += 200) {
      driver.click(x, y);
      expect_nothing_private(std::to_string(x) + ", " + std::to_string(y));
    }
}

// Otherwise the tests above could not fail.
TEST_F(PresentingSafely, TheLecturersWindowHasAllOfIt) {
  start_again();
  driver.press(U'n');
  EXPECT_THAT(driver.lecturer_texts(), Contains(HasSubstr(std::string(note_word))));
  EXPECT_THAT(driver.lecturer_texts(), Contains(HasSubstr(std::string(why_word))));
  EXPECT_FALSE(driver.shell.opened().lesson->steps.front().note.empty());
}

TEST_F(PresentingSafely, TheAnswerIsThereOnceItIsGiven) {
  start_again();
  driver.press(U'2');
  EXPECT_THAT(driver.texts(), Not(Contains(HasSubstr(std::string(why_word)))));
  driver.press(Key::enter);
  driver.settle();
  EXPECT_THAT(driver.texts(), Contains(HasSubstr(std::string(why_word))));
}

// The frame in which presenting ends is drawn on the projector: it is empty. Then notes need their key.
TEST_F(PresentingSafely, TheEndShowsNothingPrivateEither) {
  for (const pages::Shortcut& shortcut : pages::shortcuts()) {
    if (shortcut.action != pages::Action::present && shortcut.action != pages::Action::kernel_lab &&
        shortcut.action != pages::Action::exercises)
      continue;
    start_again();
    EXPECT_THAT(driver.texts_after(shortcut.press), ::testing::IsEmpty()) << shortcut.what;
    EXPECT_FALSE(presentation().on()) << shortcut.what;
    EXPECT_THAT(driver.texts(), Not(Contains(HasSubstr(std::string(note_word))))) << shortcut.what;
  }
}

TEST_F(PresentingSafely, ADroppedKernelEndsItWithAnEmptyFrame) {
  start_again();
  const std::filesystem::path file = std::filesystem::path(WARPWALK_TEST_OUTPUT) / folder_word / "dropped.cu";
  std::ofstream(file) << "__global__ void k(float* x) { x[0] = 1; }\n";
  EXPECT_THAT(driver.texts_after_drop(file), ::testing::IsEmpty());
  EXPECT_FALSE(presentation().on());
}

TEST_F(PresentingSafely, WhatIsNotForTheClassIsRefusedAndOnlyTheLecturerIsTold) {
  for (const char32_t key : {U'i', U'o', U'O', U'/'}) {
    start_again();
    driver.press(key);
    EXPECT_EQ(driver.shell.sheet(), "");
    EXPECT_TRUE(presentation().on());
    const std::string refused = english().text("note", "private", {{"key", "P"}});
    EXPECT_EQ(driver.shell.note().text, refused);
    EXPECT_THAT(driver.lecturer_texts(), Contains(refused));
    EXPECT_THAT(driver.texts(), Not(Contains(refused)));
  }
}

TEST(PresentingForAClass, HasNoNotesAndNoLecturersWindow) {
  Driver driver(1280, 720, true, "libno-such-nvml.so.1", {}, english(), {}, true);
  driver.open(private_lesson());
  EXPECT_THAT(driver.texts(), Not(Contains(HasSubstr(std::string(note_word)))));
  driver.press(U'p');
  for (const bool control : {false, true}) {
    driver.press(control ? U'l' : U'n', control);
    EXPECT_FALSE(driver.shell.presentation().lecturer());
  }
}

}  // namespace
}  // namespace warpwalk::shell
