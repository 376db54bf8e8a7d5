// Running expressions and kernels in the window, with real keys.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/e2e/window.h"

namespace warpwalk::testing {
namespace {

using namespace std::chrono_literals;

TEST_F(Window, AnExpressionIsRunByKeysAloneAndItsWalkSaved) {
  Desktop desktop({walk("relu_matmul"), "--questions", "off"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("x");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "run"; })) << desktop.state();
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.file == "unsaved walk"; })) << desktop.state();
  EXPECT_THAT(desktop.state().note, ::testing::HasSubstr("relu(a @ b): 256x64 f32, checked against the cpu"))
      << desktop.state();
  EXPECT_EQ(desktop.title(), "relu(a @ b) (not saved) – warpwalk");
  desktop.key("Return");  // walks it
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet.empty(); })) << desktop.state();
  desktop.key("Right");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 2; })) << desktop.state();
  desktop.key("ctrl+s");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.file == "warpwalk-run.json.gz" && now.beat == 2; }))
      << desktop.state();
  EXPECT_EQ(std::ranges::count(desktop.home().names(), "warpwalk-run.json.gz"), 1);
}

// Opens the run panel, waits for the search for a GPU, and goes to the choice of the target.
void go_to_places(Desktop& desktop) {
  desktop.key("x");
  ASSERT_TRUE(
      desktop.wait_for([](const State& now) { return now.sheet == "run" && now.no_cuda != "looking for a GPU"; }, 20s))
      << desktop.state();
  for (int i = 0; i < 6; ++i) desktop.key("Tab");
  desktop.key("Right");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.run_on == "cpu"; })) << desktop.state();
  desktop.key("Right");
}

TEST_F(Window, AKernelIsEditedRunAndWalkedByKeysAndItsTextIsStillThere) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("j");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "kernel"; })) << desktop.state();
  desktop.key("ctrl+o");
  desktop.key("Down");  // below the followed kernel: the race
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.lab_file == "race.cu"; })) << desktop.state();
  const int bytes = desktop.state().lab_bytes;

  // An error in the launch is reported at its line, and gone when it is undone.
  desktop.key("Tab");
  desktop.key("ctrl+Home");
  desktop.key("Down");
  desktop.key("End");
  desktop.type(" x 0");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.lab_said.starts_with("line 2: "); }))
      << desktop.state();
  for (int i = 0; i < 4; ++i) desktop.key("BackSpace");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.lab_said.empty(); })) << desktop.state();

  desktop.key("ctrl+Return");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.lab_findings == 1; }, 30s)) << desktop.state();
  desktop.key("ctrl+g");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet.empty() && now.scene == "schedulers"; }))
      << desktop.state();
  EXPECT_TRUE(desktop.state().file.starts_with("race.cu")) << desktop.state();
  desktop.key("Down");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.scene == "lanes"; })) << desktop.state();
  desktop.key("Escape");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "kernel"; })) << desktop.state();
  EXPECT_EQ(desktop.state().lab_bytes, bytes) << desktop.state();
  EXPECT_EQ(desktop.state().lab_findings, 1) << desktop.state();
  EXPECT_TRUE(desktop.state().file.ends_with("relu_matmul.json.gz")) << desktop.state();
  desktop.key("Escape");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.sheet.empty(); })) << desktop.state();
}

TEST_F(Window, WithoutAGpuCudaIsNoChoiceAndTheReasonIsSaid) {
  // On a machine with a GPU, a fake driver without devices hides the real one.
  Desktop desktop({walk("relu_matmul")}, {"LD_LIBRARY_PATH=" WARPWALK_FAKE_DRIVER, "WARPWALK_FAKE_CUDA=no device"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  ASSERT_NO_FATAL_FAILURE(go_to_places(desktop));
  const bool built =
      std::filesystem::exists(std::filesystem::path(WARPWALK_PROGRAM).parent_path() / "libwarpwalk_cuda.so");
  EXPECT_EQ(desktop.state().no_cuda, built ? "no usable GPU (" WARPWALK_FAKE_DRIVER
                                             "/libcuda.so.1: no CUDA-capable device is detected (error 100))"
                                           : "no CUDA kernels built (libwarpwalk_cuda.so is not beside the program)");
  desktop.key("Tab");
  ASSERT_TRUE(desktop.settled());
  EXPECT_EQ(desktop.state().run_on, "cpu") << desktop.state();
  desktop.key("Tab");
  desktop.key("Return");  // the sheet still works
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.file == "unsaved walk"; })) << desktop.state();
}

TEST_F(Window, ARunOnCudaThatTheDriverRefusesIsSaidInOneLineAndLosesNothing) {
  if (!std::filesystem::exists(std::filesystem::path(WARPWALK_PROGRAM).parent_path() / "libwarpwalk_cuda.so"))
    GTEST_SKIP() << "libwarpwalk_cuda.so is not built here";
  Desktop desktop({walk("relu_matmul"), "--at", "b3"},
                  {"LD_LIBRARY_PATH=" WARPWALK_FAKE_DRIVER ":" WARPWALK_FAKE_CUPTI});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const std::string before = desktop.state().place();
  ASSERT_NO_FATAL_FAILURE(go_to_places(desktop));
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.run_on == "cuda"; })) << desktop.state();
  desktop.key("Tab");
  desktop.key("Tab");
  desktop.key("Return");
  // This fake driver has a version and a GPU, and nothing else that the CUDA runtime needs.
  ASSERT_TRUE(desktop.wait_for([](const State& now) {
    return now.run_said.starts_with("no usable GPU: CUDA reports ");
  })) << desktop.state();
  EXPECT_EQ(desktop.state().place(), before);
  EXPECT_EQ(desktop.state().sheet, "run");
}

TEST_F(Window, ALineIsEditedWithCaretSelectionAndClipboard) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("x");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "run" && now.run == "relu(a @ b)"; }))
      << desktop.state();
  const auto becomes = [&](const std::string& text) {
    EXPECT_TRUE(desktop.wait_for([&](const State& now) { return now.run == text; })) << desktop.state();
  };
  for (int i = 0; i < 5; ++i) desktop.key("shift+Left");  // "@ b)" and the space before it
  desktop.key("ctrl+x");
  becomes("relu(a");
  desktop.key("Home");
  desktop.key("ctrl+v");
  becomes(" @ b)relu(a");
  desktop.key("Delete");
  becomes(" @ b)elu(a");
  desktop.key("ctrl+a");
  desktop.key("e");
  becomes("e");
}

TEST_F(Window, OnARealGpuAnExpressionIsRunByKeysAlone) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  ASSERT_NO_FATAL_FAILURE(go_to_places(desktop));
  if (!desktop.state().no_cuda.empty()) GTEST_SKIP() << desktop.state().no_cuda;
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.run_on == "cuda"; })) << desktop.state();
  desktop.key("Tab");
  desktop.key("Tab");
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.file == "unsaved walk"; }, 60s)) << desktop.state();
  EXPECT_EQ(desktop.state().run_said, "relu(a @ b): 256x64 f32, checked against the cpu") << desktop.state();
}

}  // namespace
}  // namespace warpwalk::testing
