// The page "Kernels": its table by keys and mouse, the launches of a kernel, the roofline and the file.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "app/pages/kernels/kernels_state.h"
#include "app/pages/keymap.h"
#include "tests/app/golden_picture.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

class KernelsSheet : public ::testing::Test {
 protected:
  void open_page(const std::string& walk) { open_page_of(walk_file(walk)); }
  void open_page_of(const std::string& file) {
    driver.open(file);
    const auto at = std::ranges::find(pages::shortcuts(), pages::Action::kernels, &pages::Shortcut::action);
    ASSERT_NE(at, pages::shortcuts().end());
    driver.press(at->press.character, at->press.control);
  }
  bool shows(std::string_view words) {
    const auto texts = driver.texts();
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
  }
  // Whether the state of the window has this member.
  bool reports(const std::string& member) {
    driver.frame();
    return !driver.reports.empty() && driver.reports.back().find(member) != std::string::npos;
  }
  Driver driver{1280, 720};
};

TEST_F(KernelsSheet, OpensWithTheTableAndEscCloses) {
  open_page("mlp_train");
  EXPECT_EQ(driver.shell.sheet(), "kernels");
  EXPECT_TRUE(shows("Kernels"));
  EXPECT_TRUE(shows("NVIDIA H200"));
  EXPECT_TRUE(shows("theoretical"));
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
}

TEST_F(KernelsSheet, TypingFiltersAndSaysHowMany) {
  open_page("mlp_train");
  driver.press(U'/');
  driver.type("gemm");
  EXPECT_TRUE(shows(" of "));
  EXPECT_TRUE(shows("sgemm"));
  EXPECT_FALSE(shows("multiplies")) << "only matching rows are left";
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "kernels") << "Esc first ends the filter";
  EXPECT_TRUE(shows("multiplies"));
  driver.press(U'/');
  driver.type("no such kernel");
  EXPECT_TRUE(shows("0 of"));
  EXPECT_TRUE(shows("No kernel's name has"));
}

TEST_F(KernelsSheet, SOrdersByTheChosenColumnAndTurnsTheOrderRound) {
  open_page("mlp_train");
  EXPECT_TRUE(reports(R"("order":"total","descending":true)"));
  EXPECT_TRUE(reports(R"("row":"sgemm_largek_lds64")"));
  driver.press(Key::left);  // from total to the names
  driver.press(U's');
  EXPECT_TRUE(reports(R"("order":"name","descending":false)"));
  EXPECT_TRUE(reports(R"("row":"cutlass_80_simt_sgemm_64x64_8x5_nn_align1")"));
  driver.press(U's');
  EXPECT_TRUE(reports(R"("order":"name","descending":true)"));
  EXPECT_FALSE(reports(R"("row":"cutlass_80_simt_sgemm_64x64_8x5_nn_align1")"));
}

TEST_F(KernelsSheet, AClickOnAHeadOrders) {
  open_page("mlp_train");
  for (float x = 300; x < 800 && !reports(R"("order":"count")"); x += 20) driver.click(x, 96);
  EXPECT_TRUE(reports(R"("order":"count","descending":true)"));
}

TEST_F(KernelsSheet, EnterOpensTheLaunchesAndFollowsOne) {
  open_page("mlp_train");
  driver.press(Key::home);
  driver.press(Key::enter);
  EXPECT_TRUE(shows("line of Python"));
  EXPECT_TRUE(shows("All kernels"));
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "kernels") << "Esc goes back to the table";
  EXPECT_FALSE(shows("line of Python"));
  driver.press(Key::enter);
  driver.press(Key::down);
  driver.press(Key::enter);
  driver.settle();
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_TRUE(driver.shell.opened().view.follow.starts_with("kernel:")) << driver.shell.opened().view.follow;
}

TEST_F(KernelsSheet, TheRooflineSaysWhatItLeavesOut) {
  open_page("mlp_train");
  driver.press(U'r');
  EXPECT_TRUE(shows("FLOP per byte"));
  EXPECT_TRUE(shows("DRAM 4.8 TB/s"));
  EXPECT_TRUE(shows("derived from shapes"));
  EXPECT_TRUE(shows("not shown"));
  driver.press(U'r');
  EXPECT_FALSE(shows("DRAM 4.8 TB/s"));
}

TEST_F(KernelsSheet, CtrlSWritesACsvFile) {
  const std::filesystem::path before = std::filesystem::current_path();
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "warpwalk_kernels_page";
  std::filesystem::create_directories(folder);
  open_page("mlp_train");
  std::filesystem::current_path(folder);
  driver.press(U's', true);
  const std::string text = file_text(folder / "mlp_train-kernels.csv");
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(text.starts_with("kernel,label,kind,launches,total_ns,")) << text.substr(0, 80);
  EXPECT_TRUE(shows("saved mlp_train-kernels.csv"));
}

TEST_F(KernelsSheet, ASmallWindowLeavesColumnsOut) {
  Driver small(960, 600);
  small.open(walk_file("mlp_train"));
  const auto at = std::ranges::find(pages::shortcuts(), pages::Action::kernels, &pages::Shortcut::action);
  small.press(at->press.character, at->press.control);
  const auto has = [](Driver& window, std::string_view word) {
    const auto texts = window.texts();
    return std::ranges::find(texts, word) != texts.end();
  };
  open_page("mlp_train");
  EXPECT_TRUE(has(driver, "mean"));
  EXPECT_TRUE(has(driver, "min"));
  EXPECT_TRUE(has(small, "mean"));
  EXPECT_FALSE(has(small, "min"));
}

TEST_F(KernelsSheet, ATraceWithoutGpuWorkSaysSo) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "warpwalk_no_kernels.json";
  std::ofstream(file) << R"({"schemaVersion": 1, "traceEvents": [
    {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 1, "dur": 5, "args": {}}]})";
  driver.open(file.string());
  const auto at = std::ranges::find(pages::shortcuts(), pages::Action::kernels, &pages::Shortcut::action);
  driver.press(at->press.character, at->press.control);
  EXPECT_TRUE(shows("No GPU work is in this trace."));
  EXPECT_TRUE(shows("Esc closes"));
  for (const char* const nothing : {"Enter launches", "Save CSV", "0 kernels"}) EXPECT_FALSE(shows(nothing)) << nothing;
  std::filesystem::remove(file);
}

// An old autograd profiler: times and names alone.
TEST_F(KernelsSheet, ATraceWithoutShapesOfLaunchesSaysSoOnce) {
  open_page_of(WARPWALK_SOURCE_DIR "/tests/trace/data/wild/04_legacy_autograd_profiler.legacy.json");
  EXPECT_TRUE(shows("1 kernel, 8 launches"));
  EXPECT_TRUE(shows("Grid, block, registers and shared memory: not recorded"));
}

TEST_F(KernelsSheet, ColumnsWithoutAValueMakeRoomForNames) {
  const auto has = [](Driver& window, std::string_view word) {
    const auto texts = window.texts();
    return std::ranges::find(texts, word) != texts.end();
  };
  open_page("h200_pytorch_training_step");  // without shapes of ops: neither FLOPs nor shares of peaks
  EXPECT_TRUE(has(driver, "regs"));
  EXPECT_FALSE(has(driver, "peak"));
  driver.press(Key::escape);
  open_page("mlp_train");
  EXPECT_TRUE(has(driver, "peak"));
}

TEST_F(KernelsSheet, GoldenPictureTable) {
  open_page("mlp_train");
  testing::expect_golden(driver.picture(),
                         {WARPWALK_SOURCE_DIR "/tests/shell/golden", "kernels-mlp_train", WARPWALK_TEST_OUTPUT},
                         driver.type_identity());
}

TEST_F(KernelsSheet, GoldenPictureRoofline) {
  open_page("mlp_train");
  driver.press(U'r');
  testing::expect_golden(driver.picture(),
                         {WARPWALK_SOURCE_DIR "/tests/shell/golden", "roofline-mlp_train", WARPWALK_TEST_OUTPUT},
                         driver.type_identity());
}

TEST(KernelFacts, SayWhatACompilerMadeTheKernelFrom) {
  compiled::Compiled made;
  for (const int line : {3, 4, 3}) {
    compiled::CompiledKernel& kernel = made.kernels.emplace_back();
    kernel.name = "triton_poi_fused_add_relu_0";
    kernel.python = {{"/home/user/net.py", line, "forward", "x = relu(x + 1)"}};
    kernel.ops = {"aten.add", "aten.relu"};
  }
  EXPECT_EQ(pages::compiled_fact(english(), made, "triton_poi_fused_add_relu_0"),
            "Compiled from net.py:3 (67 %), net.py:4 (33 %): aten.add, aten.relu fused");
  EXPECT_EQ(pages::compiled_fact(english(), made, "gemm"), "");
}

}  // namespace
}  // namespace warpwalk::shell
