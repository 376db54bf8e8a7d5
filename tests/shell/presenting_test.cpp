// Presenting: the stage alone for the class, and the page for the lecturer.
#include <algorithm>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/shell/frame.h"
#include "app/shell/lecturer.h"
#include "core/story/scene_list.h"
#include "tests/app/golden_picture.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

bool any_holds(const std::vector<std::string>& texts, std::string_view part) {
  return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

TEST(Presenting, TheSpeakersNoteIsNeverOnTheProjectedPicture) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'n');
  const std::string head = english().text("speaker", "head");
  EXPECT_TRUE(any_holds(driver.texts(), head));  // in the window it is
  driver.press(U'p');
  EXPECT_FALSE(any_holds(driver.texts(), head));
  ASSERT_FALSE(driver.shell.opened().stage->note.empty());
  for (int i = 0; i < 2; ++i) {
    driver.press(U'n');
    EXPECT_EQ(driver.shell.presentation().lecturer(), i == 0);
    EXPECT_FALSE(any_holds(driver.texts(), driver.shell.opened().stage->note.substr(0, 16)));
  }
}

TEST(Presenting, TheLecturersWindowEndsWithIt) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.shell.presentation().set_lecturer(true);
  EXPECT_FALSE(driver.shell.presentation().lecturer());  // nothing is presented
  for (const bool escape : {true, false}) {
    driver.press(U'p');
    driver.press(U'n');
    ASSERT_TRUE(driver.shell.presentation().lecturer());
    if (escape)
      driver.press(Key::escape);
    else
      driver.press(U'p');
    EXPECT_FALSE(driver.shell.presentation().on());
    EXPECT_FALSE(driver.shell.presentation().lecturer());
  }
}

TEST(Presenting, F11AsksForTheFullScreenFromAnySheetAndEscLeavesItFirst) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'p');
  driver.press(U'?');
  driver.press(Key::f11);
  EXPECT_TRUE(driver.shell.presentation().full_screen());
  driver.press(U'?');
  driver.press(Key::escape);
  EXPECT_FALSE(driver.shell.presentation().full_screen());
  EXPECT_TRUE(driver.shell.presentation().on());
}

TEST(Presenting, TheClockCountsFromTheStartAndYSetsItToZero) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  driver.press(U'p');
  EXPECT_EQ(driver.shell.presentation().seconds(), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  EXPECT_GE(driver.shell.presentation().seconds(), 1);
  EXPECT_GE(driver.shell.lecturer_page().live.total_seconds, 1);
  driver.press(U'z');
  EXPECT_EQ(driver.shell.presentation().seconds(), 0);
  EXPECT_EQ(clock_text(3600 + 2 * 60 + 3), "1:02:03");
}

TEST(LecturerPage, NamesThisBeatAndTheNextOne) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'p');
  const std::string first = driver.shell.opened().stage->title;
  const LecturerPage page = driver.shell.lecturer_page();
  EXPECT_EQ(page.title, first);
  EXPECT_EQ(page.note, driver.shell.opened().stage->note);
  EXPECT_THAT(page.page, ::testing::HasSubstr(" 1 of "));
  driver.press(Key::right);
  driver.settle();
  EXPECT_EQ(driver.shell.opened().stage->title, page.next_title);
  EXPECT_EQ(driver.shell.opened().stage->sentence, page.next_sentence);
  EXPECT_EQ(driver.shell.lecturer_page().title, page.next_title);
  driver.press(Key::end);
  driver.settle();
  EXPECT_EQ(driver.shell.lecturer_page().next_title, "");
}

// The class is asked; the lecturer sees which answer is right.
TEST(LecturerPage, HasTheQuestionWithItsRightAnswer) {
  for (const bool asking : {true, false}) {
    Driver driver(1600, 900, asking);
    driver.open(walk_file("pytorch_relu_matmul"));
    driver.press(U'p');
    bool found = false;
    for (int i = 0; i < 60 && !found; ++i) {
      const LecturerPage page = driver.shell.lecturer_page();
      if (page.question) {
        found = true;
        EXPECT_TRUE(page.question->right) << page.question->key;
        EXPECT_FALSE(page.question->text.empty());
        EXPECT_GE(page.question->options.size(), 2u);
        if (asking && driver.shell.opened().stage->question) {
          EXPECT_TRUE(driver.shell.opened().stage->question->asked());
        }
      }
      driver.press(Key::right);
      driver.settle();
    }
    EXPECT_TRUE(found) << asking;
  }
}

// "On the screen" has what is on the screen: the question, not the title with the answer.
TEST(LecturerPage, ShowsTheScreenAsItIsWhileAQuestionIsAsked) {
  Driver driver(1600, 900, true);
  driver.open(walk_file("pytorch_relu_matmul"));
  driver.press(U'p');
  ASSERT_TRUE(driver.shell.opened().stage->question && driver.shell.opened().stage->question->asked());
  const LecturerPage asked = driver.shell.lecturer_page();
  EXPECT_EQ(asked.title, driver.shell.opened().stage->title);
  EXPECT_EQ(asked.sentence, driver.shell.opened().stage->sentence);
  driver.press(Key::right);
  driver.settle();
  const LecturerPage answered = driver.shell.lecturer_page();
  EXPECT_EQ(answered.title, driver.shell.opened().stage->title);
  EXPECT_NE(answered.title, asked.title);
}

TEST(LecturerPage, FollowsTheStepsOfALesson) {
  for (const char* const name : {"first_walk", "the_machine"}) {
    Driver driver;
    driver.open(WARPWALK_SOURCE_DIR "/assets/lessons/" + std::string(name) + ".json");
    driver.press(U'p');
    const lessons::Lesson& lesson = *driver.shell.opened().lesson;
    for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
      const LecturerPage page = driver.shell.lecturer_page();
      EXPECT_EQ(driver.shell.opened().stage->scene, lesson.steps[step].view.scene);
      EXPECT_EQ(page.note, lesson.steps[step].note);
      EXPECT_THAT(page.lesson, ::testing::HasSubstr(lesson.title));
      EXPECT_EQ(page.next_title.empty(), step + 1 == lesson.steps.size());
      driver.press(Key::right);
      driver.wait();
      if (step + 1 < lesson.steps.size()) {
        EXPECT_EQ(driver.shell.opened().stage->title, page.next_title) << name << " " << step;
      }
    }
  }
}

TEST(LecturerPage, GoldenPicture) {
  Driver driver;
  driver.open(WARPWALK_SOURCE_DIR "/assets/lessons/first_walk.json");
  driver.press(U'p');
  LecturerPage page = driver.shell.lecturer_page();
  page.live = {.time_of_day = "14:05:09", .step_seconds = 100, .total_seconds = 12 * 60 + 34};
  page.step_minutes = 3;
  page.total_minutes = 45;
  const auto opened = draw::Offscreen::open({});
  ASSERT_TRUE(opened) << opened.error();
  draw::Offscreen& offscreen = **opened;
  const draw::Image now = offscreen.draw(1040, 680, driver.shell.theme().ground, [&](ImDrawList& list) {
    draw::Canvas canvas(list, offscreen.fonts(), driver.shell.theme(), 1040, 680);
    paint_lecturer(canvas, page, english());
  });
  testing::expect_golden(now, {WARPWALK_SOURCE_DIR "/tests/shell/golden", "lecturer", WARPWALK_TEST_OUTPUT},
                         offscreen.fonts().identity.text);
}

}  // namespace
}  // namespace warpwalk::shell
