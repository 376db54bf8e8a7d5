// A lesson that is left, visited from elsewhere or opened again: its step is kept, and there is a way back.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/lessons/lesson.h"
#include "core/platform/temporary_folder.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using ::testing::HasSubstr;

constexpr const char* streams_lesson = WARPWALK_SOURCE_DIR "/assets/lessons/waiting_in_a_stream.json";

bool lesson_shows(Driver& driver, std::string_view words) {
  const auto texts = driver.texts();
  return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

void next_step(Driver& driver) {
  driver.press(Key::right);
  driver.wait();
}

TEST(LessonKept, EscapeAsksBeforeItLeaves) {
  Driver driver;
  driver.open(streams_lesson);
  next_step(driver);
  driver.press(Key::escape);
  EXPECT_TRUE(driver.shell.opened().lesson);
  EXPECT_THAT(driver.shell.note().text, HasSubstr("Esc again leaves"));
  next_step(driver);  // the question is gone
  EXPECT_EQ(driver.shell.note().text, "");
  driver.press(Key::escape);
  EXPECT_TRUE(driver.shell.opened().lesson);
  driver.press(Key::escape);
  EXPECT_FALSE(driver.shell.opened().lesson);
  EXPECT_EQ(driver.shell.settings().kept_step(streams_lesson), 2u);
}

TEST(LessonKept, OffersToGoOnWhereItWasLeft) {
  Driver driver;
  driver.open(streams_lesson);
  EXPECT_FALSE(lesson_shows(driver, "Continue at step"));
  next_step(driver);
  next_step(driver);
  EXPECT_EQ(driver.shell.settings().kept_step(streams_lesson), 2u);
  driver.open(walk_file("relu_matmul"));
  ASSERT_FALSE(driver.shell.opened().lesson);
  for (const bool goes_on : {false, true}) {
    driver.open(streams_lesson);
    EXPECT_EQ(driver.shell.opened().lesson_step, 0u);
    EXPECT_TRUE(lesson_shows(driver, "Continue at step 3 (End)"));
    EXPECT_EQ(driver.shell.settings().kept_step(streams_lesson), 2u);
    if (goes_on) break;
    next_step(driver);  // from the beginning: the place stays until it is reached
    EXPECT_EQ(driver.shell.settings().kept_step(streams_lesson), 2u);
    EXPECT_TRUE(lesson_shows(driver, "Continue at step 3 (End)"));
  }
  driver.press(Key::end);
  driver.wait();
  EXPECT_EQ(driver.shell.opened().lesson_step, 2u);
  EXPECT_FALSE(lesson_shows(driver, "Continue at step"));
  driver.press(Key::left);
  driver.wait();
  EXPECT_EQ(driver.shell.settings().kept_step(streams_lesson), 1u);
  driver.press(Key::end);
  driver.wait();
  EXPECT_EQ(driver.shell.opened().lesson_step, 4u);
  driver.press(Key::home);
  driver.wait();
  EXPECT_EQ(driver.shell.settings().kept_step(streams_lesson), 0u);
}

// A lesson that has become shorter begins at its first step.
TEST(LessonKept, APlaceBeyondItsEndIsNotOffered) {
  Driver driver;
  driver.shell.settings().keep_step(streams_lesson, 99);
  driver.open(streams_lesson);
  EXPECT_EQ(driver.shell.opened().lesson_step, 0u);
  EXPECT_FALSE(lesson_shows(driver, "Continue at step"));
}

TEST(LessonKept, AnotherSceneHidesTheTextAndRightLeadsBack) {
  Driver driver;
  driver.open(streams_lesson);
  next_step(driver);
  const std::string text = driver.shell.opened().lesson->steps[1].text.substr(0, 30);
  const View step = driver.shell.opened().view;
  EXPECT_TRUE(lesson_shows(driver, text));
  const auto back = [&](Key key) {
    EXPECT_FALSE(lesson_shows(driver, text));
    EXPECT_TRUE(lesson_shows(driver, "returns to step 2"));
    driver.press(key);
    driver.wait();
    EXPECT_EQ(driver.shell.opened().lesson_step, 1u);
    EXPECT_EQ(driver.shell.opened().view.scene, step.scene);
    EXPECT_EQ(driver.shell.opened().view.moment.value, step.moment.value);
    EXPECT_TRUE(lesson_shows(driver, text));
  };
  driver.press(Key::down);
  driver.settle();
  EXPECT_NE(driver.shell.opened().view.scene, step.scene);
  back(Key::right);
  driver.press(U'e');  // a lab
  driver.settle();
  back(Key::left);
  driver.press(Key::up);  // the first beat of the same scene
  driver.settle();
  EXPECT_EQ(driver.shell.opened().view.scene, step.scene);
  back(Key::right);
  driver.press(U'.');  // a moment of the same scene
  EXPECT_TRUE(lesson_shows(driver, text));
  next_step(driver);
  EXPECT_EQ(driver.shell.opened().lesson_step, 2u);
}

// The lecturer's page announces the step of the lesson as the next picture, not the beat after the current one.
TEST(LessonKept, TheLecturerSeesTheWayBack) {
  Driver driver;
  driver.open(streams_lesson);
  const std::string title = driver.shell.opened().stage->title;
  driver.press(Key::down);
  driver.settle();
  driver.press(U'p');
  const LecturerPage page = driver.shell.lecturer_page();
  EXPECT_EQ(page.next_title, title);
  EXPECT_NE(page.note, driver.shell.opened().lesson->steps[0].note);
}

TEST(LessonKept, ComesBackAfterAWalkFromIt) {
  Driver driver;
  driver.open(streams_lesson);
  next_step(driver);
  driver.press(U'x');
  driver.press(Key::enter);
  driver.wait();
  ASSERT_TRUE(driver.shell.opened().document->unsaved) << driver.shell.note().text;
  EXPECT_FALSE(driver.shell.opened().lesson);
  driver.press(Key::escape);  // the page
  driver.press(Key::escape);  // its message
  EXPECT_TRUE(lesson_shows(driver, "Esc returns to step 2 of the lesson"));
  for (int i = 0; i < 3 && !driver.shell.opened().lesson; ++i) driver.press(Key::escape);
  driver.wait();
  ASSERT_TRUE(driver.shell.opened().lesson);
  EXPECT_EQ(driver.shell.opened().lesson_step, 1u);
  EXPECT_EQ(driver.shell.opened().document->file, driver.shell.opened().lesson->steps[1].view.file);
  EXPECT_FALSE(driver.shell.opened().document->unsaved);
  EXPECT_TRUE(lesson_shows(driver, "STEP 2 OF 5"));
  // Opening another file ends the detour.
  driver.press(U'x');
  driver.press(Key::enter);
  driver.wait();
  driver.open(walk_file("relu_matmul"));
  for (int i = 0; i < 4; ++i) driver.press(Key::escape);
  driver.wait();
  EXPECT_FALSE(driver.shell.opened().lesson);
}

}  // namespace
}  // namespace warpwalk::shell
