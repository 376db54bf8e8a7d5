// The sheet that says why the GPU is idle: found by one key, its gaps by keys and mouse.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/app/golden_picture.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

class IdleSheet : public ::testing::Test {
 protected:
  bool shows(std::string_view words) {
    const auto texts = driver.texts();
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
  }
  Driver driver{1280, 720};
};

TEST_F(IdleSheet, TheVerdictIsOneKeyAway) {
  driver.open(walk_file("mlp_train"));
  driver.press(U'y');
  EXPECT_EQ(driver.shell.sheet(), "idle");
  EXPECT_TRUE(shows("Launch-bound: 60.9 %"));
  EXPECT_TRUE(shows("625.8 µs"));
  driver.press(U'y');
  EXPECT_EQ(driver.shell.sheet(), "");
  driver.press(U'y');
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
}

TEST_F(IdleSheet, EnterGoesToTheLaunchThatEndedTheGap) {
  driver.open(walk_file("mlp_train"));
  driver.press(U'y');
  for (int row = 0; row < 3; ++row) driver.press(Key::down);
  driver.press(Key::enter);
  driver.settle();
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_EQ(driver.shell.opened().view.scene, "boardroom");
  EXPECT_EQ(driver.shell.opened().view.follow, "kernel:38");
  EXPECT_EQ(driver.shell.opened().stage->title, "cudaLaunchKernel sends the launch");
}

TEST_F(IdleSheet, ARowIsClicked) {
  driver.open(walk_file("mlp_train"));
  driver.press(U'y');
  const View before = driver.shell.opened().view;
  // Some gaps end with what no op launched.
  for (float y = 340; y < 480 && driver.shell.opened().view.follow == before.follow; y += 22) {
    if (driver.shell.sheet() != "idle") driver.press(U'y');
    driver.click(600, y);
    driver.settle();
  }
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_NE(driver.shell.opened().view.follow, before.follow);
}

TEST_F(IdleSheet, TheIdleTimeOfTheKernelsTabLeadsToIt) {
  driver.open(walk_file("mlp_train"));
  driver.click(180, 75);  // the tab
  for (float y = 120; y < 180 && driver.shell.sheet() == ""; y += 10) driver.click(60, y);
  EXPECT_EQ(driver.shell.sheet(), "idle");
}

TEST_F(IdleSheet, WithoutGapsItSaysSo) {
  driver.open(walk_file("h200_relu"));
  driver.press(U'y');
  EXPECT_TRUE(shows("Busy: kernels compute 100.0 %"));
  EXPECT_TRUE(shows("never without work"));
  driver.press(Key::enter);
  EXPECT_EQ(driver.shell.sheet(), "idle") << "there is nowhere to go";
}

TEST_F(IdleSheet, WithoutGpuWorkOnlyEscIsOffered) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "warpwalk_no_idle.json";
  std::ofstream(file) << R"({"schemaVersion": 1, "traceEvents": [
    {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 1, "dur": 5, "args": {}}]})";
  driver.open(file.string());
  driver.press(U'y');
  EXPECT_TRUE(shows("No GPU work with a time"));
  EXPECT_TRUE(shows("Esc closes"));
  EXPECT_FALSE(shows("Enter goes there"));
  std::filesystem::remove(file);
}

TEST_F(IdleSheet, CausesAreNotCut) {
  driver.open(WARPWALK_SOURCE_DIR "/tests/analysis/delays/sleeping_loader.json.gz");
  driver.press(U'y');
  std::size_t whole = 0;
  for (const std::string& text : driver.texts()) {
    if (!text.starts_with("CPU slept")) continue;
    EXPECT_EQ(text, "CPU slept or was blocked");
    ++whole;
  }
  EXPECT_GE(whole, 2u);  // below the bar, and of gaps
}

TEST_F(IdleSheet, GoldenPicture) {
  driver.open(walk_file("mlp_train"));
  driver.press(U'y');
  driver.settle();
  testing::expect_golden(driver.picture(),
                         {WARPWALK_SOURCE_DIR "/tests/shell/golden", "idle-mlp_train", WARPWALK_TEST_OUTPUT},
                         driver.type_identity());
}

}  // namespace
}  // namespace warpwalk::shell
