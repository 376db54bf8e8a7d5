// Moving through a walk with real keys and a real mouse: steps, cycles, ops, scenes, sliders and lessons.
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/e2e/window.h"

namespace warpwalk::testing {
namespace {

using namespace std::chrono_literals;

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
  Desktop desktop({walk("relu_matmul"), "--questions", "off"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const auto step = [&](const char* name, int beat) {
    desktop.key(name);
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.beat == beat && !now.moving; })) << desktop.state();
  };
  step("Right", 2);
  step("Right", 3);
  // Two beats forward and back, so that the hint of the start is in neither picture.
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

TEST_F(Window, WhatAChangeWouldGainOpensATraceWithAWayBack) {
  Desktop desktop({walk("mlp_train"), "--questions", "off"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const std::string file = desktop.state().file;
  desktop.key("shift+y");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "what_if" && !now.busy; }))
      << desktop.state();
  desktop.key("End");
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.sheet.empty() && now.file != file; }))
      << desktop.state();
  EXPECT_EQ(desktop.state().scene, "lab/overview");
  desktop.key("shift+y");
  EXPECT_TRUE(desktop.wait_for([&](const State& now) { return now.sheet == "what_if" && now.file == file; }))
      << desktop.state();
}

TEST_F(Window, KeysFasterThanFramesAllCount) {
  Desktop desktop({walk("relu_matmul"), "--questions", "off", "--route", "all"});
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
  desktop.key("Return");  // follows the first match
  ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.follow != before; })) << desktop.state();
  EXPECT_TRUE(desktop.state().follow.starts_with("op:")) << desktop.state();

  // Any other row: Tab goes to the list, the arrows move in it, Enter follows.
  const std::string first = desktop.state().follow;
  for (int i = 0; i < 40 && desktop.state().focus != "outline.list"; ++i) {
    const std::string last = desktop.state().focus;
    desktop.key("Tab");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.focus != last; })) << desktop.state();
  }
  ASSERT_EQ(desktop.state().focus, "outline.list") << desktop.state();
  desktop.key("Down");
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.follow != first; })) << desktop.state();
  EXPECT_EQ(desktop.state().scene, "boardroom") << "the arrow changed the scene as well";
}

TEST_F(Window, AnotherOpIsFollowedByMouseAlone) {
  Desktop desktop({walk("mlp_train")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const std::string before = desktop.state().follow;
  // Clicks down the outline until a row is hit.
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

TEST_F(Window, ALessonPlaysFromStepToStep) {
  Desktop desktop({std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons/waiting_in_a_stream.json"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const std::string first = desktop.state().place();
  for (int i = 0; i < 3; ++i) {
    const std::string last = desktop.state().place();
    desktop.key("Next");  // the key that presentation remotes send
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.place() != last && !now.moving; }))
        << desktop.state();
  }
  EXPECT_TRUE(desktop.state().file.ends_with("mlp_train.json.gz")) << desktop.state();
  for (int i = 0; i < 3; ++i) {
    const std::string last = desktop.state().place();
    desktop.key("Prior");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.place() != last && !now.moving; }))
        << desktop.state();
  }
  EXPECT_EQ(desktop.state().place(), first);
}

TEST_F(Window, ASliderIsMovedByMouseAndByKeysAndGivenBack) {
  Desktop desktop({walk("relu_matmul"), "--scene", "sm", "--at", "b4", "--questions", "off"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  EXPECT_EQ(desktop.state().controls, "{}");
  // Clicks along the row of controls until a slider is hit.
  bool set = false;
  for (int y = 760; y > 660 && !set; y -= 8) {
    desktop.click(380, y);
    set = desktop.wait_for([](const State& now) { return now.controls.find("sm.registers") != std::string::npos; }, 1s);
  }
  ASSERT_TRUE(set) << desktop.state();
  desktop.key("r");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.controls == "{}"; })) << desktop.state();
  for (int i = 0; i < 80 && desktop.state().focus != "control.sm.registers"; ++i) {
    const std::string last = desktop.state().focus;
    desktop.key("Tab");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.focus != last; })) << desktop.state();
  }
  const int beat = desktop.state().beat;
  desktop.key("Left");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.controls.find("sm.registers") != std::string::npos; }))
      << desktop.state();
  EXPECT_EQ(desktop.state().beat, beat) << "the arrow was the beats' as well";
}

TEST_F(Window, TheLanesGoFromInstructionToInstructionAndBack) {
  Desktop desktop({walk("h200_relu"), "--scene", "lanes", "--at", "c900", "--questions", "off"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  // The warp of the followed number, once that is found.
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.title.ends_with("of block 2"); }, 60s))
      << desktop.state();
  desktop.key("comma");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.at != "c900"; })) << desktop.state();
  std::vector<std::string> cycles = {desktop.state().at};
  for (int i = 0; i < 3; ++i) {
    desktop.key("period");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.at != cycles.back(); })) << desktop.state();
    cycles.push_back(desktop.state().at);
  }
  for (std::size_t i = cycles.size() - 1; i-- > 0;) {
    desktop.key("comma");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.at == cycles[i]; })) << desktop.state();
  }
}

// Among the schedulers: cycles forward and back, and from event to event.
TEST_F(Window, CyclesGoForwardAndBackByKeys) {
  Desktop desktop({walk("h200_relu"), "--scene", "schedulers", "--at", "c900"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  // The warp of the followed number, once that is found.
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.title == "Cycle 900: warp 0 of block 2"; }, 60s))
      << desktop.state();
  const std::string start = desktop.state().title;
  for (const char* const cycle : {"c901", "c902", "c903"}) {
    desktop.key("period");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.at == cycle; })) << desktop.state();
  }
  for (const char* const cycle : {"c902", "c901", "c900"}) {
    desktop.key("comma");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.at == cycle; })) << desktop.state();
  }
  EXPECT_EQ(desktop.state().title, start);
  desktop.key("bracketright");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.at != "c900"; })) << desktop.state();
  const std::string next = desktop.state().at;
  EXPECT_GT(std::stoi(next.substr(1)), 900);
  desktop.key("bracketright");
  ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.at != next; })) << desktop.state();
  desktop.key("bracketleft");
  EXPECT_TRUE(desktop.wait_for([&](const State& now) { return now.at == next; })) << desktop.state();
}

// Every beat of every scene of a recorded walk with the Right key only, and back with the mouse only.
class WholeWalk : public Window, public ::testing::WithParamInterface<const char*> {};

TEST_P(WholeWalk, ByKeysAloneAndBackByMouseAlone) {
  Desktop desktop({walk(GetParam()), "--questions", "off", "--route", "all"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("m");  // turns animations off, which is faster
  std::vector<std::string> places = {desktop.state().place()};
  std::set<std::string> scenes;
  while (true) {
    scenes.insert(desktop.state().scene);
    desktop.key("Right");
    if (!desktop.wait_for([&](const State& now) { return now.place() != places.back(); }, 1s)) break;
    places.push_back(desktop.state().place());
  }
  EXPECT_EQ(scenes.size(), 8u);
  EXPECT_GT(places.size(), 20u);
  EXPECT_EQ(desktop.state().scene, "map");
  EXPECT_EQ(desktop.state().beat, desktop.state().beats);
  // The back button, somewhere above the time strip.
  int button = 0;
  for (int y = 830; y > 700 && button == 0; y -= 12) {
    desktop.click(88, y);
    if (desktop.wait_for([&](const State& now) { return now.place() == places[places.size() - 2]; }, 1s)) button = y;
    if (!desktop.state().sheet.empty()) desktop.key("Escape");  // the names left of the strip open the timeline
  }
  ASSERT_NE(button, 0) << desktop.state();
  for (std::size_t i = places.size() - 2; i-- > 0;) {
    desktop.click(88, button);
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.place() == places[i]; })) << desktop.state();
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, WholeWalk, ::testing::Values("relu_matmul", "two_streams", "mlp_train"));

}  // namespace
}  // namespace warpwalk::testing
