// The lecturer's window: its list of steps, its times, its signs; and what is drawn on the stage by hand.
#include "app/shell/lecturer.h"

#include <chrono>
#include <filesystem>
#include <fstream>

#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::string three_steps() {
  const std::filesystem::path file = std::filesystem::path(WARPWALK_TEST_OUTPUT) / "three_steps.json";
  std::ofstream(file) << R"({"warpwalk_lesson": 1, "title": "Three", "steps": [
    {"file": "relu_matmul.json.gz", "scene": "boardroom", "at": "b1", "note": "one"},
    {"scene": "boardroom", "at": "b2", "note": "two"},
    {"scene": "sm", "at": "b1", "note": "three"}]})";
  return file.string();
}

TEST(StepListOfALesson, OpensInTheLecturersWindowAndLeadsToAStep) {
  Driver driver;
  driver.open(three_steps());
  driver.press(U'p');
  driver.press(U'l', true);
  EXPECT_TRUE(driver.shell.presentation().lecturer());
  EXPECT_EQ(driver.shell.sheet(), "");
  ASSERT_TRUE(driver.shell.presentation().steps().shown());
  const std::vector<StepRow> rows = driver.shell.presentation().steps().rows();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].title, driver.shell.opened().stage->title);
  const std::vector<std::string> texts = driver.lecturer_texts();
  for (const StepRow& row : rows) EXPECT_THAT(texts, Contains(row.title));
  EXPECT_THAT(texts, Not(Contains("one")));  // the list stands in place of the note
  driver.press(Key::down);
  driver.press(Key::down);
  EXPECT_EQ(driver.shell.opened().lesson_step, 0u);
  driver.press(Key::enter);
  driver.settle();
  EXPECT_EQ(driver.shell.opened().lesson_step, 2u);
  EXPECT_EQ(driver.shell.opened().stage->title, rows[2].title);
  EXPECT_FALSE(driver.shell.presentation().steps().shown());
  driver.press(U'l', true);
  EXPECT_EQ(driver.shell.presentation().steps().chosen(), 2u);
  driver.press(Key::escape);
  EXPECT_FALSE(driver.shell.presentation().steps().shown());
  EXPECT_TRUE(driver.shell.presentation().on());
}

TEST(StepListOfALesson, AClickGoesToAStep) {
  Driver driver;
  driver.open(three_steps());
  driver.press(U'p');
  driver.press(U'l', true);
  driver.lecturer_texts();
  draw::Input click;
  click.mouse = {200, 84 + 24 + 26 + 1.5f * 30};  // the second row
  click.mouse_pressed = true;
  driver.lecturer_texts(click);
  driver.settle();
  EXPECT_EQ(driver.shell.opened().lesson_step, 1u);
}

// A list that nobody sees takes no keys.
TEST(StepListOfALesson, TakesKeysOnlyWhileItCanBeSeen) {
  Driver driver;
  driver.open(three_steps());
  driver.press(U'p');
  driver.press(U'l', true);
  driver.shell.presentation().set_lecturer_visible(false);
  driver.press(Key::down);
  EXPECT_NE(driver.shell.opened().view.scene, "boardroom");
}

TEST(StepListOfAWalk, HasItsBeats) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'p');
  driver.press(U'l', true);
  const std::vector<StepRow>& rows = driver.shell.presentation().steps().rows();
  ASSERT_GT(rows.size(), 20u);
  const std::string third = rows[2].title;
  driver.press(Key::down);
  driver.press(Key::down);
  driver.press(Key::enter);
  driver.settle();
  EXPECT_EQ(driver.shell.opened().stage->title, third);
}

TEST(LecturerTimes, CountForTheStepThatIsShown) {
  StepClock clock;
  const StepClock::Clock::time_point start;
  const auto at = [&](int seconds) { return start + std::chrono::seconds(seconds); };
  clock.restart(start);
  clock.on_step("a", at(0));
  clock.on_step("a", at(40));
  clock.on_step("b", at(60));
  clock.on_step("a", at(70));
  clock.on_step("a", at(75));
  EXPECT_EQ(clock.seconds("a"), 65);
  EXPECT_EQ(clock.seconds("b"), 10);
  EXPECT_EQ(clock.seconds("c"), 0);
  clock.restart(at(80));
  clock.on_step("a", at(81));
  EXPECT_EQ(clock.seconds("a"), 1);
  EXPECT_EQ(minutes_text(65), "1:05");
  EXPECT_EQ(minutes_text(3725), "1:02:05");
}

std::vector<std::string> texts_of_page(Driver& driver, const std::function<void(LecturerPage&)>& change) {
  LecturerPage page = driver.shell.lecturer_page();
  change(page);
  return driver.texts_of(1040, 680, [&](draw::Canvas& canvas) { paint_lecturer(canvas, page, english()); });
}

TEST(LecturerTimes, ArePlannedAndUsedOfTheStepAndOfTheLesson) {
  Driver driver;
  driver.open(three_steps());
  driver.press(U'p');
  const std::vector<std::string> texts = texts_of_page(driver, [](LecturerPage& page) {
    page.live.step_seconds = 100;
    page.live.total_seconds = 754;
    page.step_minutes = 1.5;
    page.total_minutes = 45;
  });
  for (const char* const text : {"1:40", "of 1.5 min", "12:34", "of 45 min"}) EXPECT_THAT(texts, Contains(text));
}

TEST(LecturerSigns, TheBlankScreenIsSaid) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'p');
  const std::string sign = english().text("lecturer", "blank_band");
  EXPECT_THAT(driver.lecturer_texts(), Not(Contains(sign)));
  driver.press(U'b');
  EXPECT_THAT(driver.lecturer_texts(), Contains(sign));
  EXPECT_THAT(driver.texts(), ::testing::IsEmpty());
}

TEST(LecturerSigns, ThisBeatAndTheNextOneAreSeenSmall) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'p');
  const LecturerPage& page = driver.shell.lecturer_page();
  ASSERT_NE(page.shown, nullptr);
  ASSERT_NE(page.following, nullptr);
  // The title stands in the card and once more in the picture.
  const std::vector<std::string> texts = driver.lecturer_texts();
  EXPECT_GE(std::ranges::count(texts, page.shown->title), 2);
  EXPECT_GE(std::ranges::count_if(
                texts, [&](const std::string& text) { return page.following->title.starts_with(text.substr(0, 12)); }),
            2);
}

TEST(LecturerType, IsEnlargedByKeys) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'+', true);
  EXPECT_EQ(driver.shell.presentation().lecturer_zoom(), 1);  // nothing is presented
  driver.press(U'p');
  driver.press(U'+', true);
  EXPECT_GT(driver.shell.presentation().lecturer_zoom(), 1.1f);
  driver.press(U'-', true);
  driver.press(U'-', true);
  EXPECT_LT(driver.shell.presentation().lecturer_zoom(), 0.9f);
}

// Points of the picture that have a colour.
int pixels_of(const draw::Image& image, ImU32 colour) {
  return static_cast<int>(std::ranges::count(image.pixels, colour));
}

TEST(PenOnTheStage, DrawsUntilTheNextStep) {
  Driver driver(640, 360);
  driver.open(walk_file("relu_matmul"));
  driver.press(U'P');
  EXPECT_EQ(driver.shell.presentation().pen().tool(), StagePen::Tool::none);  // nothing is presented
  driver.press(U'p');
  const ImU32 ink = driver.shell.theme().launch;
  const int before = pixels_of(driver.picture(), ink);
  driver.press(U'P');
  driver.drag(100, 300, 300, 340);
  EXPECT_GT(pixels_of(driver.picture(), ink), before + 400);
  // The stage below does not get the click.
  EXPECT_EQ(driver.shell.opened().stage->beat, 1);
  driver.press(Key::right);
  driver.settle();
  EXPECT_FALSE(driver.shell.presentation().pen().has_lines());
  EXPECT_EQ(driver.shell.presentation().pen().tool(), StagePen::Tool::pen);  // it stays in the hand
  driver.drag(100, 300, 300, 340);
  EXPECT_TRUE(driver.shell.presentation().pen().has_lines());
  driver.press(U'E');
  EXPECT_FALSE(driver.shell.presentation().pen().has_lines());
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.presentation().pen().tool(), StagePen::Tool::none);
  EXPECT_TRUE(driver.shell.presentation().on());
}

TEST(PenOnTheStage, ThePointerIsWhereTheMouseIs) {
  Driver driver(640, 360);
  driver.open(walk_file("relu_matmul"));
  driver.press(U'p');
  driver.press(U'L');
  const ImU32 ink = driver.shell.theme().launch;
  driver.point(600, 340);
  driver.frame();
  EXPECT_EQ(driver.picture().at(600, 340), ink);
  driver.point(500, 340);
  driver.frame();
  EXPECT_NE(driver.picture().at(600, 340), ink);
  driver.press(U'L');
  EXPECT_NE(driver.picture().at(500, 340), ink);
}

}  // namespace
}  // namespace warpwalk::shell
