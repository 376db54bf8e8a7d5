// "Who wrote this?" in the window: its keys, and a click on an element of the Kernel lab's results.
#include <algorithm>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/pages/kernel_lab/kernel_lab_page.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/lanes/asked_control.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using ::testing::StartsWith;

const story::Stage& stage_in(const Driver& driver) { return *driver.shell.opened().stage; }

TEST(ShellAsked, KeysAskAndGoBack) {
  Driver driver(1600, 900, true);
  driver.open(walk_file("h200_relu_matmul_inside"));
  // Elsewhere there is no instruction to ask about.
  driver.press(U'B');
  driver.settle();
  EXPECT_EQ(stage_in(driver).scene, "boardroom");
  while (stage_in(driver).scene != "schedulers") driver.press(Key::down);
  driver.wait();
  driver.settle();
  const View schedulers = driver.shell.opened().view;
  driver.press(U'B');
  driver.wait();
  driver.settle();
  EXPECT_EQ(stage_in(driver).scene, "lanes");
  EXPECT_THAT(stage_in(driver).title, StartsWith("Who wrote "));
  driver.press(Key::backspace);
  driver.settle();
  EXPECT_EQ(driver.shell.opened().view.scene, schedulers.scene);
  EXPECT_EQ(driver.shell.opened().view.controls, schedulers.controls);
  // Nothing was asked before.
  driver.press(Key::backspace);
  EXPECT_EQ(driver.shell.opened().view.scene, schedulers.scene);
  // The same key stops asking.
  driver.press(U'B');
  driver.settle();
  driver.press(U'B');
  driver.settle();
  EXPECT_FALSE(driver.shell.opened().view.controls.get("lanes", "asked"));
}

// The beat about the followed number shows an instruction, too: the one that adds the product, in the lane that adds.
TEST(ShellAsked, TheGrowingNumberCanBeAskedAbout) {
  Driver driver(1280, 720, true);
  driver.open(walk_file("h200_relu_matmul_inside"));
  View view = driver.shell.opened().view;
  view.scene = "lanes";
  const story::Scene& lanes = *story::find_scene("lanes");
  const pages::Opened& opened = driver.shell.opened();
  const std::vector<story::Beat> beats = lanes.beats(opened.document->trace(), opened.walk);
  const auto at = std::ranges::find(beats, story::sum_beat_key, &story::Beat::key);
  ASSERT_NE(at, beats.end());
  view.moment = {story::Moment::Kind::beat, at - beats.begin() + 1, 1};
  driver.shell.open(view);
  driver.wait();
  driver.settle();
  ASSERT_EQ(stage_in(driver).key, story::sum_beat_key);
  const View sum = driver.shell.opened().view;
  driver.press(U'B');
  driver.wait();
  driver.settle();
  EXPECT_EQ(stage_in(driver).key, "any");
  EXPECT_THAT(stage_in(driver).title, ::testing::ContainsRegex("^Who wrote R[0-9]+ of lane"));
  EXPECT_EQ(driver.shell.opened().view.controls.get("lanes", "asked"), story::AskedAbout::result);
  EXPECT_TRUE(driver.shell.opened().view.controls.get("lanes", "asked_lane"));
  driver.press(Key::backspace);
  driver.settle();
  EXPECT_EQ(driver.shell.opened().view.controls, sum.controls);
  EXPECT_EQ(stage_in(driver).key, story::sum_beat_key);
}

// Where it cannot be asked, the message is whole and says where it can.
TEST(ShellAsked, ARefusalIsWhole) {
  Driver driver(1280, 720, true);
  driver.open(walk_file("relu_matmul"));
  View view = driver.shell.opened().view;
  view.scene = "boardroom";
  view.moment = {story::Moment::Kind::beat, 1, 1};
  driver.shell.open(view);
  driver.wait();
  driver.press(U'B');
  std::string all;
  for (const std::string& text : driver.texts()) all += text + " ";
  EXPECT_THAT(all, ::testing::HasSubstr("Shift+B asks who wrote a value."));
  EXPECT_THAT(all, ::testing::HasSubstr("that show an instruction."));
  EXPECT_EQ(stage_in(driver).scene, "boardroom");
}

TEST(ShellAsked, AClickOnAnElementOfAResultGoesToItsWriter) {
  Driver driver(1600, 900, true);
  driver.open(walk_file("relu_matmul"));
  driver.press(U'j');
  driver.press(U'o', true);
  driver.press(Key::down);
  driver.press(Key::enter);
  driver.wait();
  driver.press_control(Key::enter);
  driver.wait();
  // The results are at the right, below the launch.
  for (float y = 400; y < 880 && driver.shell.sheet() == "kernel"; y += 9)
    for (float x = 1120; x < 1500 && driver.shell.sheet() == "kernel"; x += 9) driver.click(x, y);
  ASSERT_EQ(driver.shell.sheet(), "");
  driver.wait();
  driver.settle();
  EXPECT_EQ(stage_in(driver).scene, "lanes");
  EXPECT_EQ(driver.shell.opened().view.controls.get("lanes", "asked"), story::AskedAbout::buffer);
  EXPECT_THAT(stage_in(driver).title, ::testing::ContainsRegex("wrote byte [0-9,]+ of"));
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "kernel");
}

}  // namespace
}  // namespace warpwalk::shell
