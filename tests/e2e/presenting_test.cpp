// The classroom: full screen, and the second window of the lecturer.
#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

#include "tests/e2e/desktop.h"

namespace warpwalk::testing {
namespace {

using namespace std::chrono_literals;

class Classroom : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = Display::missing(); !missing.empty()) GTEST_SKIP() << missing;
  }
};

constexpr int display_wide = 1920, display_high = 1080;
constexpr Geometry whole = {0, 0, display_wide, display_high};

// Windows move a moment after the state is reported.
bool becomes(const Desktop& desktop, const Geometry& geometry) {
  const auto give_up = Desktop::Clock::now() + 5s;
  while (Desktop::Clock::now() < give_up)
    if (desktop.geometry() == geometry) return true;
  return false;
}

// True if the program's picture reaches every corner of the display.
bool covers(const Desktop& desktop) {
  const auto give_up = Desktop::Clock::now() + 5s;
  while (Desktop::Clock::now() < give_up) {
    const auto image = desktop.display().screenshot();
    if (!image) return false;
    const std::uint32_t ground = image->at(2, display_high - 3);
    if (ground != 0xff000000u && image->at(display_wide - 3, display_high - 3) == ground &&
        image->at(display_wide - 3, 2) == ground)
      return true;
  }
  return false;
}

TEST_F(Classroom, F11FillsTheDisplayAndComesBack) {
  Desktop desktop({walk("relu_matmul"), "--present", "--questions", "off"}, {}, display_wide, display_high);
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  ASSERT_TRUE(desktop.state().presenting) << desktop.state();
  const Geometry before = desktop.geometry();
  EXPECT_EQ(before.width, 1600);
  desktop.key("F11");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.full_screen; })) << desktop.state();
  EXPECT_TRUE(becomes(desktop, whole)) << desktop.geometry();
  EXPECT_TRUE(covers(desktop));
  desktop.key("Right");  // it has the keyboard
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 2; })) << desktop.state();
  desktop.key("F11");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return !now.full_screen; })) << desktop.state();
  EXPECT_TRUE(becomes(desktop, before)) << desktop.geometry();
  desktop.key("F11");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.full_screen; })) << desktop.state();
  desktop.key("Escape");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return !now.full_screen && now.presenting; })) << desktop.state();
  EXPECT_TRUE(becomes(desktop, before)) << desktop.geometry();
  desktop.key("Right");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 3; })) << desktop.state();
}

TEST_F(Classroom, FullScreenFromTheStartKeepsTheSizeOfTheWindow) {
  Desktop desktop({walk("relu_matmul"), "--full-screen"}, {}, display_wide, display_high);
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  EXPECT_TRUE(desktop.state().full_screen) << desktop.state();
  EXPECT_TRUE(becomes(desktop, whole)) << desktop.geometry();
  desktop.key("Escape");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return !now.full_screen; })) << desktop.state();
  const auto give_up = Desktop::Clock::now() + 5s;
  while (Desktop::Clock::now() < give_up && desktop.geometry().width != 1600) continue;
  EXPECT_EQ(desktop.geometry().width, 1600);
  EXPECT_EQ(desktop.geometry().height, 900);
}

TEST_F(Classroom, KeysInEitherWindowAdvanceBoth) {
  Desktop desktop({walk("relu_matmul"), "--lecturer", "--questions", "off"}, {}, display_wide, display_high);
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  ASSERT_TRUE(desktop.state().lecturer) << desktop.state();
  const std::string second = desktop.other_window();
  ASSERT_NE(second, "");
  EXPECT_EQ(desktop.title(second), "Lecturer – warpwalk");
  desktop.key("Right");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 2; })) << desktop.state();
  desktop.focus_on(second);
  desktop.key("Right");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 3; })) << desktop.state();
  desktop.key("b");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.blank; })) << desktop.state();
  desktop.key("b");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return !now.blank; })) << desktop.state();
  // It follows the main window: both steps back change its picture.
  EXPECT_EQ(desktop.state().lecturer_shows, desktop.state().title);
  desktop.key("Left");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 2 && now.lecturer_shows == now.title; }))
      << desktop.state();
}

TEST_F(Classroom, NOpensTheLecturersWindowAndClosingItKeepsTheMainOne) {
  Desktop desktop({walk("relu_matmul"), "--questions", "off"}, {}, display_wide, display_high);
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("n");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.notes && !now.lecturer; })) << desktop.state();
  desktop.key("p");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.presenting; })) << desktop.state();
  EXPECT_EQ(desktop.other_window(1s), "");
  desktop.key("n");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.lecturer; })) << desktop.state();
  const std::string second = desktop.other_window();
  ASSERT_NE(second, "");
  desktop.focus_on(second);
  desktop.key("n");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return !now.lecturer && now.presenting; })) << desktop.state();
  EXPECT_TRUE(desktop.program().running());
  ASSERT_TRUE(desktop.focus_on_main());
  desktop.key("Right");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 2; })) << desktop.state();
}

// A display with two monitors of 1280x720, of which the left one is primary.
constexpr Geometry left_screen = {0, 0, 1280, 720}, right_screen = {1280, 0, 1280, 720};

bool is_on(const Geometry& window, const Geometry& screen) {
  return window.x >= screen.x && window.x + window.width <= screen.x + screen.width;
}

TEST_F(Classroom, TheStageIsOnTheScreenThatIsNotPrimaryAndAKeySwapsThem) {
  Desktop desktop({walk("relu_matmul"), "--full-screen", "--lecturer", "--questions", "off"},
                  {"LD_LIBRARY_PATH=" WARPWALK_TWO_MONITORS}, 2560, 720);
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const std::string second = desktop.other_window();
  ASSERT_NE(second, "");
  EXPECT_TRUE(becomes(desktop, right_screen)) << desktop.geometry();
  EXPECT_TRUE(is_on(desktop.geometry(second), left_screen)) << desktop.geometry(second);
  desktop.key("shift+s");
  EXPECT_TRUE(becomes(desktop, left_screen)) << desktop.geometry();
  EXPECT_TRUE(is_on(desktop.geometry(second), right_screen)) << desktop.geometry(second);
  desktop.key("shift+s");
  EXPECT_TRUE(becomes(desktop, right_screen)) << desktop.geometry();
  EXPECT_TRUE(is_on(desktop.geometry(second), left_screen)) << desktop.geometry(second);
  // At the end, the window leaves the projector.
  desktop.key("p");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return !now.presenting && now.full_screen; })) << desktop.state();
  EXPECT_TRUE(becomes(desktop, left_screen)) << desktop.geometry();
}

TEST_F(Classroom, TheLecturersWindowHasTheListOfSteps) {
  Desktop desktop({walk("relu_matmul"), "--full-screen", "--present", "--questions", "off"},
                  {"LD_LIBRARY_PATH=" WARPWALK_TWO_MONITORS}, 2560, 720);
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("ctrl+l");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.lecturer; })) << desktop.state();
  const std::string second = desktop.other_window();
  ASSERT_NE(second, "");
  EXPECT_TRUE(is_on(desktop.geometry(second), left_screen)) << desktop.geometry(second);
  EXPECT_EQ(desktop.state().sheet, "");  // no composer on the stage
  desktop.key("Down");
  desktop.key("Down");
  desktop.key("Return");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 3; })) << desktop.state();
  // A click in that window goes to a step as well: the fifth row.
  desktop.key("ctrl+l");
  std::this_thread::sleep_for(300ms);
  const Geometry window = desktop.geometry(second);
  desktop.click(window.x + 200, window.y + 84 + 24 + 26 + 4 * 30 + 15);
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 5; })) << desktop.state();
}

TEST_F(Classroom, WithBothWindowsOpenOnlyTheClockCostsTime) {
  Desktop desktop({walk("relu_matmul"), "--lecturer", "--questions", "off"}, {}, 1280, 720);
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  ASSERT_NE(desktop.other_window(), "");
  // The kernel is simulated in the background at first.
  double used = 4;
  for (int i = 0; i < 20 && used > 0.3; ++i) {
    const double before = desktop.cpu_seconds();
    std::this_thread::sleep_for(4s);
    used = desktop.cpu_seconds() - before;
  }
  std::printf("CPU time in 4 s: %.3f s\n", used);
  EXPECT_LT(used, 0.3);  // four ticks, drawn by llvmpipe
}

}  // namespace
}  // namespace warpwalk::testing
