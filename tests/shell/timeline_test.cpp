// The timeline's page by keys and by the pointer.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/app/golden_picture.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

class TimelinePage : public ::testing::Test {
 protected:
  bool shows(std::string_view words) {
    const auto texts = driver.texts();
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
  }
  Driver driver{1600, 900};
};

TEST_F(TimelinePage, OpensByAKeyAndByTheNamesOfTheStrip) {
  driver.open(walk_file("mlp_train"));
  driver.press(U't', true);
  EXPECT_EQ(driver.shell.sheet(), "timeline");
  EXPECT_TRUE(shows("GPU 0 stream 7"));
  driver.press(U't', true);
  EXPECT_EQ(driver.shell.sheet(), "");
  driver.click(60, 830);
  EXPECT_EQ(driver.shell.sheet(), "timeline");
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
}

TEST_F(TimelinePage, KeysGoFromSliceToSliceAndEnterFollows) {
  driver.open(walk_file("mlp_train"), "kernel:3");
  driver.press(U't', true);
  driver.press(U'z');
  driver.press(U's');
  EXPECT_TRUE(shows("KERNEL"));
  // The next work of the stream, and back.
  const trace::Trace& trace = driver.shell.opened().document->trace();
  trace::SliceId kernel = 0, next = trace::no_slice;
  for (int number = -1; number < 3; ++kernel) number += trace.slices.kind[kernel] == trace::SliceKind::kernel ? 1 : 0;
  --kernel;
  for (trace::SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace::is_gpu_work(trace.slices.kind[s]) && trace.slices.track[s] == trace.slices.track[kernel] &&
        trace.slices.start[s] > trace.slices.start[kernel] &&
        (next == trace::no_slice || trace.slices.start[s] < trace.slices.start[next]))
      next = s;
  driver.press(Key::right);
  driver.press(Key::left);
  driver.press(Key::right);
  driver.press(Key::enter);
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_EQ(driver.shell.opened().view.follow, story::follow_name(trace, next));
}

TEST_F(TimelinePage, ADragMarksARangeAndAClickOnNothingTakesItBack) {
  driver.open(walk_file("relu_matmul"));
  driver.press(U't', true);
  EXPECT_TRUE(shows("to mark a range of time"));
  driver.press(U'm');
  EXPECT_TRUE(shows("GPU 0 busy 100.0 %"));
  EXPECT_FALSE(shows("to mark a range of time"));
  driver.drag(400, 300, 900, 320);
  EXPECT_FALSE(shows("GPU 0 busy 100.0 %"));
  EXPECT_TRUE(shows("GPU 0 busy "));
  EXPECT_TRUE(shows("CPU, own time"));
  driver.click(900, 575);
  EXPECT_TRUE(shows("to mark a range of time"));
}

// A loader that calls time.sleep six times, 18.4 ms in all.
TEST_F(TimelinePage, WaitsOfThreadsAreARowOfTheirOwn) {
  driver.open(WARPWALK_SOURCE_DIR "/tests/analysis/delays/sleeping_loader.json.gz");
  driver.press(U't', true);
  driver.press(U'f');
  driver.drag(195, 300, 1575, 320);
  EXPECT_TRUE(shows("Threads wait"));
  EXPECT_TRUE(shows("18.4 ms"));
  driver.press(Key::escape);
  driver.open(walk_file("relu_matmul"));
  driver.press(U't', true);
  driver.press(U'f');
  driver.drag(195, 300, 1575, 320);
  EXPECT_TRUE(shows("CPU, own time"));
  EXPECT_FALSE(shows("Threads wait"));
}

TEST_F(TimelinePage, ArrowKeysChooseASliceIfNoneIsChosen) {
  driver.open(WARPWALK_SOURCE_DIR "/tests/trace/data/wild/11_snapshot_new_fields.snap_p5.pickle");
  driver.press(U't', true);
  ASSERT_EQ(driver.shell.sheet(), "timeline");
  EXPECT_TRUE(shows("arrow keys choose a slice"));
  driver.press(Key::down);
  EXPECT_FALSE(shows("arrow keys choose a slice"));
}

TEST_F(TimelinePage, ThreadsOfTwoProcessesWithOneNumberHaveTwoNames) {
  driver.open(WARPWALK_SOURCE_DIR "/tests/trace/data/wild/06_merged_ranks.json");
  driver.press(U't', true);
  EXPECT_TRUE(shows("[TP00] 700"));
  EXPECT_TRUE(shows("[TP01] 700"));
}

TEST_F(TimelinePage, AClickOnANameFoldsTheTrack) {
  driver.open(walk_file("relu_matmul"));
  driver.press(U't', true);
  EXPECT_TRUE(shows("aten::matmul"));
  driver.click(80, 92);
  EXPECT_FALSE(shows("aten::matmul"));  // the line says only when it was busy
  driver.click(80, 92);
  EXPECT_TRUE(shows("aten::matmul"));
}

TEST_F(TimelinePage, ZoomIsThatOfTheStripAndStaysInsideTheTrace) {
  driver.open(walk_file("relu_matmul"));
  driver.press(U't', true);
  for (int i = 0; i < 60; ++i) driver.press(U'w');
  EXPECT_TRUE(shows(" ns"));
  for (int i = 0; i < 80; ++i) driver.press(i % 2 == 0 ? U'd' : U's');
  const auto all = driver.texts();
  driver.press(U'f');
  EXPECT_EQ(driver.texts(), all);
}

TEST_F(TimelinePage, GoldenPicture) {
  driver.open(walk_file("mlp_train"), "kernel:3");
  driver.press(U't', true);
  driver.press(U'z');
  for (int i = 0; i < 9; ++i) driver.press(U's');
  driver.press(U'm');
  testing::expect_golden(driver.picture(),
                         {WARPWALK_SOURCE_DIR "/tests/shell/golden", "timeline-mlp_train", WARPWALK_TEST_OUTPUT},
                         driver.type_identity());
}

}  // namespace
}  // namespace warpwalk::shell
