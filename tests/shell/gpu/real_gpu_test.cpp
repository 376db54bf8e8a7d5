// The window's shell on a machine with an NVIDIA GPU: keys go in, a run on that GPU comes out. Skipped elsewhere.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "app/draw/image.h"
#include "app/pages/observe/observe_page.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

// The last state that the window reported.
bool meaning(const Driver& driver, const std::string& key, const std::string& value) {
  const std::string words = "\"" + key + "\":\"" + value + "\"";
  return !driver.reports.empty() && driver.reports.back().find(words) != std::string::npos;
}

// For who wants to look.
void keep_picture(Driver& driver, const std::string& name) {
  const char* const folder = std::getenv("WARPWALK_PICTURES");
  if (folder == nullptr) return;
  EXPECT_TRUE(draw::write_png(driver.picture(), std::filesystem::path(folder) / (name + ".png")));
}

class RealGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP() << "there is no NVIDIA GPU here";
  }
};

TEST_F(RealGpu, AnExpressionIsRunOnItFromThePanelByKeysAlone) {
  Driver driver(1600, 900, false, "libnvidia-ml.so.1", WARPWALK_PROGRAM);
  driver.open(walk_file("two_streams"));
  driver.press(U'x');
  driver.wait();
  ASSERT_TRUE(meaning(driver, "no_cuda", "")) << driver.reports.back();
  for (int i = 0; i < 6; ++i) driver.press(draw::Key::tab);  // to the choice of the place
  for (int i = 0; i < 2; ++i) driver.press(draw::Key::right);
  ASSERT_TRUE(meaning(driver, "run_on", "cuda"));
  for (int i = 0; i < 2; ++i) driver.press(draw::Key::tab);
  driver.press(draw::Key::enter);
  ASSERT_TRUE(driver.shell.busy());
  driver.wait();
  ASSERT_TRUE(driver.shell.opened().document->unsaved) << driver.shell.note().text;
  EXPECT_EQ(driver.shell.note().text, "relu(a @ b): 256x64 f32, checked against the cpu · Ctrl+S saves the walk");
  const trace::Trace& trace = driver.shell.opened().document->trace();
  EXPECT_EQ(trace.kernel_order.size(), 2u);
  for (const trace::SliceId kernel : trace.kernel_order) EXPECT_GT(trace.slices.duration[kernel], 0);
  EXPECT_EQ(trace.records.time_origin(), trace::Origin::measured);
  keep_picture(driver, "run_on_gpu");
  driver.press(draw::Key::escape);
  driver.settle();
  keep_picture(driver, "walk_of_gpu");
}

TEST_F(RealGpu, ARunOnItCanBeCancelled) {
  Driver driver(1600, 900, false, "libnvidia-ml.so.1", WARPWALK_PROGRAM);
  driver.open(walk_file("two_streams"));
  driver.press(U'x');
  driver.wait();
  for (int i = 0; i < 6; ++i) driver.press(draw::Key::tab);
  for (int i = 0; i < 2; ++i) driver.press(draw::Key::right);
  for (int i = 0; i < 2; ++i) driver.press(draw::Key::tab);
  driver.press(draw::Key::enter);
  for (int i = 0; i < 5; ++i) driver.frame();
  driver.press(draw::Key::escape);
  driver.wait();
  EXPECT_FALSE(driver.shell.opened().document->unsaved);
  EXPECT_FALSE(driver.shell.busy());
}

TEST_F(RealGpu, WhatItDoesNowIsShown) {
  Driver driver(1600, 900, false, "libnvidia-ml.so.1");
  driver.open(walk_file("relu_matmul"));
  driver.press(U'u');
  for (int i = 0; i < 100; ++i) {
    driver.frame();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const std::shared_ptr<const instrumentation::GpuSnapshot> held = driver.shell.page<pages::ObservePage>().gpus();
  const instrumentation::GpuSnapshot& watch = *held;
  ASSERT_FALSE(watch.gpus.empty()) << watch.error;
  EXPECT_GT(watch.gpus[0].points.size(), 2u);
  EXPECT_TRUE(watch.gpus[0].now.memory_total && watch.gpus[0].now.power_mw && watch.gpus[0].now.sm_clock_mhz);
  keep_picture(driver, "gpu_now");
}

}  // namespace
}  // namespace warpwalk::shell
