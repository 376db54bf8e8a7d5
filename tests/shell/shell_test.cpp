#include "app/shell/shell.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

TEST(Shell, OpensAndIsAtRest) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  ASSERT_NE(driver.shell.document(), nullptr);
  ASSERT_TRUE(driver.shell.stage());
  EXPECT_EQ(driver.shell.stage()->scene, "boardroom");
  EXPECT_FALSE(driver.shell.moving());  // so that the window draws nothing
}

TEST(Shell, TellsTheFirstKeysOnce) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  for (const char* word : {"next", "back", "?"}) EXPECT_NE(driver.shell.note().find(word), std::string::npos) << word;
  driver.open(walk_file("mlp_train"));
  EXPECT_EQ(driver.shell.note(), "");
}

TEST(Shell, KeysWalkThroughAllScenesAndBack) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  std::vector<std::string> seen;
  for (int i = 0; i < 20; ++i) {
    seen.push_back(driver.shell.stage()->scene + std::to_string(driver.shell.stage()->beat));
    driver.press(i % 2 == 0 ? Key::right : Key::page_down);
    driver.settle();
  }
  EXPECT_EQ(driver.shell.stage()->scene, "map");
  EXPECT_EQ(driver.shell.stage()->beat, driver.shell.stage()->beats);
  const std::size_t places = 11;  // 5 beats of the boardroom, 6 of the map
  for (std::size_t i = places - 1; i-- > 0;) {
    driver.press(Key::left);
    driver.settle();
    EXPECT_EQ(driver.shell.stage()->scene + std::to_string(driver.shell.stage()->beat), seen[i]);
  }
}

// The same picture to the pixel: nothing of the way there stays behind.
TEST(Shell, SteppingOnAndBackShowsTheSamePicture) {
  Driver driver;
  driver.open(walk_file("two_streams"));
  driver.press(Key::right);
  driver.settle();
  const draw::Image before = driver.picture();
  for (int i = 0; i < 5; ++i) {
    driver.press(Key::right);
    driver.settle();
  }
  EXPECT_FALSE(driver.picture() == before);
  for (int i = 0; i < 5; ++i) driver.press(Key::left);
  driver.settle();
  EXPECT_TRUE(driver.picture() == before);
}

TEST(Shell, ManyKeysInOneFrameAllCount) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  draw::Input input;
  driver.press(Key::right);
  driver.press(Key::right);
  driver.press(Key::right);
  EXPECT_EQ(driver.shell.stage()->beat, 4);
  EXPECT_TRUE(driver.shell.moving());
}

TEST(Shell, SearchKeepsOnlyWhatHoldsTheText) {
  Driver driver;
  driver.open(walk_file("mlp_train"));
  const std::size_t all = driver.shell.outline().rows.size();
  ASSERT_EQ(all, 270u);
  driver.press(U'/');
  EXPECT_TRUE(driver.shell.outline().typing);
  EXPECT_EQ(driver.shell.outline().search.text, "");  // the key that opens it is not typed into it
  driver.type("RELU");
  EXPECT_EQ(driver.shell.outline().search.text, "RELU");
  const auto& rows = driver.shell.outline().rows;
  ASSERT_FALSE(rows.empty());
  EXPECT_LT(rows.size(), all);
  for (const std::uint32_t row : rows) {
    const std::string name(driver.shell.document()->trace().name(driver.shell.document()->outline.ops[row].slice));
    EXPECT_TRUE(name.find("relu") != std::string::npos || name.find("Relu") != std::string::npos) << name;
  }
  driver.press(Key::escape);
  driver.frame();
  EXPECT_EQ(driver.shell.outline().rows.size(), all);
}

TEST(Shell, ClickingAnOpFollowsIt) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  EXPECT_EQ(driver.shell.view().follow, "");
  // The outline's rows begin below its tabs, search field and head, 28 units each; aten::relu is the third.
  driver.click(120, 56 + 14 + 38 + 42 + 22 + 2 * 28 + 14);
  driver.settle();
  EXPECT_EQ(driver.shell.view().follow, "op:2");
  EXPECT_NE(driver.shell.stage()->title.find("aten::relu"), std::string::npos);
}

TEST(Shell, KFollowsTheKernelThatTookLongest) {
  Driver driver;
  driver.open(walk_file("mlp_train"));
  driver.press(U'k');
  driver.settle();
  ASSERT_TRUE(driver.shell.view().follow.starts_with("kernel:"));
  const trace::Trace& trace = driver.shell.document()->trace();
  std::int64_t longest = 0;
  for (const trace::SliceId s : trace.kernel_order) longest = std::max(longest, trace.slices.duration[s]);
  const auto n = std::stoul(driver.shell.view().follow.substr(7));
  EXPECT_EQ(trace.slices.duration[trace.kernel_order[n]], longest);
}

TEST(Shell, TabReachesEverythingAndEnterChooses) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  std::string seen_follow;
  for (int i = 0; i < 60 && driver.shell.view().follow.empty(); ++i) {
    driver.press(Key::tab);
    if (i > 6) {  // past the route: rows of the outline come among the first
      driver.press(Key::enter);
      driver.settle();
    }
  }
  EXPECT_FALSE(driver.shell.view().follow.empty());
}

TEST(Shell, ABrokenFileLosesNothing) {
  const std::filesystem::path broken = std::filesystem::temp_directory_path() / "warpwalk_broken.json";
  std::ofstream(broken) << "not a trace";
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(Key::right);
  driver.settle();
  const View before = driver.shell.view();
  driver.drop(broken);
  std::filesystem::remove(broken);
  EXPECT_EQ(driver.shell.view(), before);
  EXPECT_NE(driver.shell.note().find("warpwalk_broken.json"), std::string::npos) << driver.shell.note();
}

TEST(Shell, PlayGoesOnByItselfAndStopsAtTheEnd) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(Key::space);
  EXPECT_TRUE(driver.shell.playing());
  for (int i = 0; i < 1000 && driver.shell.playing(); ++i) driver.frame(0.1);
  EXPECT_FALSE(driver.shell.playing());
  EXPECT_EQ(driver.shell.stage()->scene, "map");
  EXPECT_EQ(driver.shell.stage()->beat, driver.shell.stage()->beats);
}

TEST(Shell, ReducedMotionJumps) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'm');
  driver.press(Key::right);
  EXPECT_FALSE(driver.shell.moving());
  EXPECT_EQ(driver.shell.stage()->phase, 1);
}

TEST(Shell, CopiesTheCommandOfTheView) {
  Driver driver;
  driver.open(walk_file("relu_matmul"), "op:2");
  driver.press(Key::right);
  driver.settle();
  driver.press(U'l');
  EXPECT_EQ(driver.copied, "warpwalk " + walk_file("relu_matmul") + " --scene boardroom --at b2 --follow op:2");
}

TEST(Shell, SavesThePictureOfTheStage) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'c');
  EXPECT_EQ(driver.saved, "boardroom");
  EXPECT_EQ(driver.shell.note(), "saved boardroom.png");
}

TEST(Shell, PresentShowsTheStageAloneAndBlankNothing) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'p');
  driver.frame();
  EXPECT_TRUE(driver.shell.presenting());
  driver.press(U'b');
  const draw::Image blank = driver.picture();
  for (const std::uint32_t pixel : blank.pixels) ASSERT_EQ(pixel, blank.pixels.front());
  driver.press(Key::escape);
  driver.press(Key::escape);
  EXPECT_FALSE(driver.shell.presenting());
}

TEST(Shell, ThemesGoRound) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  EXPECT_EQ(driver.shell.theme().name, "dark");
  driver.press(U't');
  EXPECT_EQ(driver.shell.theme().name, "light");
  driver.press(U't');
  EXPECT_EQ(driver.shell.theme().name, "high-contrast");
  driver.press(U't');
  EXPECT_EQ(driver.shell.theme().name, "dark");
}

TEST(Shell, AWrongLinkSaysSoAndShowsSomething) {
  Driver driver;
  driver.open(walk_file("relu_matmul"), "op:99");
  ASSERT_TRUE(driver.shell.stage());
  EXPECT_EQ(driver.shell.note(), "op:99: this trace has op:0 to op:3");
}

TEST(Shell, WithoutATraceItInvites) {
  Driver driver;
  driver.frame();
  EXPECT_EQ(driver.shell.document(), nullptr);
  EXPECT_FALSE(driver.shell.moving());
}

}  // namespace
}  // namespace warpwalk::shell
