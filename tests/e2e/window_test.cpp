// The program as a person meets it: its window, real keys, a real mouse, and what it says that it shows.
#include <set>

#include <gtest/gtest.h>

#include "tests/e2e/desktop.h"

namespace warpwalk::testing {
namespace {

using namespace std::chrono_literals;

class Window : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = Display::missing(); !missing.empty()) GTEST_SKIP() << missing;
  }
};

std::size_t colours_of(const draw::Image& image) {
  return std::set<std::uint32_t>(image.pixels.begin(), image.pixels.end()).size();
}

// Waits for the screen, which comes a moment after the state.
bool shows(const Desktop& desktop, const std::function<bool(const draw::Image&)>& condition) {
  const auto give_up = Desktop::Clock::now() + 5s;
  while (Desktop::Clock::now() < give_up) {
    const auto image = desktop.display().screenshot();
    if (image && condition(*image)) return true;
  }
  return false;
}

TEST_F(Window, TheFirstStartShowsTheDefaultWalk) {
  Desktop desktop;
  ASSERT_TRUE(desktop.wait_for([](const State& state) { return !state.scene.empty(); })) << desktop.program().error();
  const double seconds = std::chrono::duration<double>(Desktop::Clock::now() - desktop.started()).count();
  std::printf("from the start to the first scene: %.2f s\n", seconds);
  RecordProperty("seconds_to_first_scene", std::to_string(seconds));
  EXPECT_LT(seconds, 5);  // a tenth of that where nothing else runs
  const State state = desktop.state();
  EXPECT_TRUE(state.file.ends_with("relu_matmul.json.gz")) << state;
  EXPECT_EQ(state.scene, "boardroom") << state;
  EXPECT_EQ(state.beat, 1) << state;
  EXPECT_GT(state.beats, 1) << state;
  EXPECT_FALSE(state.presenting) << state;
  EXPECT_FALSE(state.note.empty()) << state;  // the keys that lead to all others
  EXPECT_TRUE(shows(desktop, [](const draw::Image& image) { return image.width == 1600 && colours_of(image) > 50; }));
}

TEST_F(Window, NStepsOnAndNBackComeToTheSameState) {
  Desktop desktop({walk("two_streams")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  std::vector<std::string> places = {desktop.state().place()};
  for (int i = 0; i < 7; ++i) {
    desktop.key("Right");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.place() != places.back() && !now.moving; }))
        << desktop.state();
    places.push_back(desktop.state().place());
  }
  for (std::size_t i = places.size() - 1; i-- > 0;) {
    desktop.key("Left");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.place() == places[i] && !now.moving; }))
        << desktop.state() << "\nand not " << places[i];
  }
}

TEST_F(Window, SteppingBackShowsTheSamePixels) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const auto step = [&](const char* name, int beat) {
    desktop.key(name);
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.beat == beat && !now.moving; })) << desktop.state();
  };
  step("Right", 2);
  step("Right", 3);
  // Two beats on and back, so that the line of greeting is gone from both pictures.
  step("Left", 2);
  draw::Image before;
  ASSERT_TRUE(shows(desktop, [&](const draw::Image& image) {
    const bool still = image == before;
    before = image;
    return still;
  }));
  step("Right", 3);
  EXPECT_TRUE(shows(desktop, [&](const draw::Image& image) { return image != before; }));
  step("Left", 2);
  EXPECT_TRUE(shows(desktop, [&](const draw::Image& image) { return image == before; }));
}

TEST_F(Window, KeysFasterThanFramesAllCount) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.display().xdotool({"key", "--delay", "1", "Right", "Right", "Right"});
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 4 && !now.moving; })) << desktop.state();
}

TEST_F(Window, SearchLeavesTheRowsThatHoldTheText) {
  Desktop desktop({walk("mlp_train")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const int all = desktop.state().rows;
  ASSERT_GT(all, 100) << desktop.state();
  desktop.key("slash");
  desktop.type("relu");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.search == "relu"; })) << desktop.state();
  EXPECT_TRUE(desktop.wait_for([&](const State& now) { return now.rows > 0 && now.rows < all / 4; }))
      << desktop.state();
  EXPECT_EQ(desktop.state().beat, 1) << "the letters were keys as well";
  desktop.key("BackSpace");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.search == "rel"; })) << desktop.state();
  desktop.key("Escape");
  EXPECT_TRUE(desktop.wait_for([&](const State& now) { return now.search.empty() && now.rows == all; }))
      << desktop.state();
}

TEST_F(Window, AnotherOpIsFollowedByKeysAlone) {
  Desktop desktop({walk("mlp_train")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const std::string before = desktop.state().follow;
  desktop.key("slash");
  desktop.type("aten::relu");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.search == "aten::relu"; })) << desktop.state();
  desktop.key("Return");
  bool at_row = false;
  for (int i = 0; i < 40 && !at_row; ++i) {
    const std::string last = desktop.state().focus;
    desktop.key("Tab");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.focus != last; })) << desktop.state();
    at_row = desktop.state().focus.starts_with("outline.row.");
  }
  ASSERT_TRUE(at_row) << desktop.state();
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.follow != before; })) << desktop.state();
  EXPECT_TRUE(desktop.state().follow.starts_with("op:")) << desktop.state();
}

TEST_F(Window, AnotherOpIsFollowedByMouseAlone) {
  Desktop desktop({walk("mlp_train")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const std::string before = desktop.state().follow;
  // Down the outline on the left, until a row was hit.
  constexpr int in_outline = 120, step = 28;
  bool followed = false;
  for (int y = 260; y < 660 && !followed; y += step) {
    desktop.click(in_outline, y);
    followed = desktop.wait_for([&](const State& now) { return now.follow != before; }, 1s);
  }
  ASSERT_TRUE(followed) << desktop.state();
  EXPECT_TRUE(desktop.state().follow.starts_with("op:")) << desktop.state();
}

TEST_F(Window, KFollowsTheLongestKernel) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("k");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.follow == "kernel:0"; })) << desktop.state();
}

TEST_F(Window, PPresentsAndBBlanks) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("p");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.presenting && !now.blank; })) << desktop.state();
  EXPECT_TRUE(shows(desktop, [](const draw::Image& image) { return colours_of(image) > 50; }));
  desktop.key("b");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.blank; })) << desktop.state();
  EXPECT_TRUE(shows(desktop, [](const draw::Image& image) { return colours_of(image) == 1; }));
  desktop.key("b");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return !now.blank; })) << desktop.state();
  desktop.key("Escape");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return !now.presenting; })) << desktop.state();
}

TEST_F(Window, TChangesTheTheme) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  EXPECT_EQ(desktop.state().theme, "dark");
  desktop.key("t");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.theme == "light"; })) << desktop.state();
  EXPECT_TRUE(shows(desktop, [](const draw::Image& image) {
    return std::count(image.pixels.begin(), image.pixels.end(), 0xffffffffu) > 200000;  // its ground
  }));
}

TEST_F(Window, CSavesThePicture) {
  Desktop desktop({walk("relu_matmul"), "--at", "b3"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("c");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.note.find(".png") != std::string::npos; }))
      << desktop.state();
  std::vector<std::string> pictures;
  for (const std::string& name : desktop.home().names())
    if (name.ends_with(".png")) pictures.push_back(name);
  ASSERT_EQ(pictures.size(), 1u);
  EXPECT_NE(desktop.state().note.find(pictures[0]), std::string::npos) << desktop.state();
  const auto picture = draw::read_png(desktop.home().at(pictures[0]));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->width, 1920);
  EXPECT_GT(colours_of(*picture), 50u);
}

TEST_F(Window, ABrokenFileIsSaidAndTheWindowStays) {
  const Folder folder;
  Desktop desktop({folder.file("broken.json", "this is no trace")});
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.note.find("broken.json") != std::string::npos; }))
      << desktop.state() << desktop.program().error();
  EXPECT_TRUE(desktop.program().running());
  EXPECT_TRUE(shows(desktop, [](const draw::Image& image) { return colours_of(image) > 10; }));
}

TEST_F(Window, WithoutADisplayIsOneLineAndStatusTwo) {
  const Outcome outcome = run({}, {"DISPLAY=:4242", "WAYLAND_DISPLAY="});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
  EXPECT_NE(outcome.error.find("warpwalk render"), std::string::npos) << outcome.error;
}

TEST_F(Window, DoctorNamesWhatDrawsInIt) {
  const Display display(800, 600);
  const Outcome outcome = run({"doctor"}, {"DISPLAY=" + display.name(), "WAYLAND_DISPLAY=", "LIBGL_ALWAYS_SOFTWARE=1"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.out.starts_with("display  ok       OpenGL ")) << outcome.out;
}

}  // namespace
}  // namespace warpwalk::testing
