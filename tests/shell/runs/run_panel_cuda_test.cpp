// An expression run on cuda from the window with keys; a script replaces the program that the window starts.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/chrome/writer.h"
#include "core/trace/read/read_trace.h"
#include "tests/shell/driver.h"
#include "tests/shell/fake_program.h"

namespace warpwalk::shell {
namespace {

std::string text_of_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Tab from the expression to the choice of the target.
void go_to_places(Driver& driver) {
  for (int i = 0; i < 6; ++i) driver.press(draw::Key::tab);  // shapes and types of a and b, the seed
}

// The last state that the window reported.
bool meaning(const Driver& driver, const std::string& key, const std::string& value) {
  const std::string words = "\"" + key + "\":\"" + value + "\"";
  return !driver.reports.empty() && driver.reports.back().find(words) != std::string::npos;
}

TEST(RunPanelCuda, CudaWaitsForTheLookAndSaysWhatIsMissing) {
  const FakeProgram program("exit 3\n", R"(until [ -f "$here/go" ]; do sleep 0.01; done
echo '{"checks": [{"name": "driver", "ok": false, "found": "libcuda.so.1 not found", "costs": "no GPU"}]}' > "$report"
)");
  Driver driver(1600, 900, false, "none", program.path());
  driver.open(walk_file("relu_matmul"));
  driver.press(U'x');
  EXPECT_TRUE(meaning(driver, "no_cuda", "looking for a GPU")) << driver.reports.back();
  EXPECT_TRUE(driver.shell.busy());
  go_to_places(driver);
  for (int i = 0; i < 2; ++i) driver.press(draw::Key::right);
  EXPECT_TRUE(meaning(driver, "run_on", "cpu"));
  std::ofstream(program.file("go")) << "go";
  driver.wait();
  EXPECT_TRUE(meaning(driver, "no_cuda", "no usable GPU (libcuda.so.1 not found)")) << driver.reports.back();
  driver.press(draw::Key::right);
  EXPECT_TRUE(meaning(driver, "run_on", "cpu"));
}

TEST(RunPanelCuda, OnCudaByKeysAloneAndItsWalkIsSaved) {
  const FakeProgram program(FakeProgram::walks(FakeProgram::good_report()));
  Driver driver(1600, 900, false, "none", program.path());
  driver.open(walk_file("two_streams"));
  driver.press(U'x');
  driver.wait();
  EXPECT_TRUE(meaning(driver, "no_cuda", "")) << driver.reports.back();
  go_to_places(driver);
  for (int i = 0; i < 2; ++i) driver.press(draw::Key::right);
  EXPECT_TRUE(meaning(driver, "run_on", "cuda"));
  driver.press(draw::Key::tab);
  driver.press(draw::Key::enter);  // gradients
  driver.press(draw::Key::tab);
  driver.press(draw::Key::enter);
  EXPECT_TRUE(driver.shell.busy());
  driver.wait();
  EXPECT_THAT(program.text_of("words"), ::testing::HasSubstr("\n--gradients\n"));
  EXPECT_TRUE(driver.shell.opened().document->unsaved) << driver.shell.note().text;
  EXPECT_EQ(driver.shell.note().text, "relu(a @ b): 256x64 f32, checked against the cpu · Ctrl+S saves the walk");
  EXPECT_EQ(driver.shell.opened().document->trace().records.expression, "relu(a @ b)");
  driver.press(draw::Key::escape);
  driver.walk_saved_to = (std::filesystem::path(::testing::TempDir()) / "run_panel_cuda.json.gz").string();
  driver.press(U's', true);
  driver.wait();
  EXPECT_EQ(driver.shell.opened().document->file, driver.walk_saved_to);
  // It is the walk that the run wrote, unchanged.
  const trace::Trace saved = trace::read_trace(driver.walk_saved_to).trace;
  const std::string again = driver.walk_saved_to + ".again.json", first = driver.walk_saved_to + ".first.json";
  ASSERT_TRUE(trace::write_trace(saved, again));
  ASSERT_TRUE(trace::write_trace(trace::read_trace(walk_file("h200_relu_matmul")).trace, first));
  EXPECT_EQ(text_of_file(again), text_of_file(first));
  for (const std::string& file : {driver.walk_saved_to, again, first}) std::remove(file.c_str());
}

TEST(RunPanelCuda, WhatIsWrongOnCudaIsSaidInPlaceAndLosesNothing) {
  const FakeProgram program(R"(cat >&2 <<'END'
warpwalk: column 10 of `relu(a @ b)`: b is not to its liking; hint: write c
END
exit 2
)");
  Driver driver(1600, 900, false, "none", program.path());
  driver.open(walk_file("two_streams"), "kernel:1");
  const std::string before = driver.shell.opened().view.scene;
  driver.press(U'x');
  driver.wait();
  const draw::Image empty = driver.picture();
  go_to_places(driver);
  for (int i = 0; i < 2; ++i) driver.press(draw::Key::right);
  for (int i = 0; i < 2; ++i) driver.press(draw::Key::tab);
  driver.press(draw::Key::enter);
  driver.wait();
  EXPECT_EQ(driver.shell.note().text, "b is not to its liking");
  EXPECT_TRUE(meaning(driver, "run_said", "b is not to its liking")) << driver.reports.back();
  EXPECT_EQ(driver.shell.sheet(), "run");
  EXPECT_FALSE(driver.shell.busy());
  EXPECT_FALSE(driver.shell.opened().document->unsaved);
  EXPECT_EQ(driver.shell.opened().view.follow, "kernel:1");
  EXPECT_EQ(driver.shell.opened().view.scene, before);
  // The error is shown below the expression until the form is changed.
  const auto marked = [](const draw::Image& image) {
    std::size_t pixels = 0;
    for (const std::uint32_t pixel : image.pixels) pixels += pixel == draw::dark_theme().launch;
    return pixels;
  };
  EXPECT_GT(marked(driver.picture()), marked(empty));
  driver.press(draw::Key::left);  // nothing here
  for (int i = 0; i < 2; ++i) driver.press(draw::Key::tab);
  driver.press(U' ');
  driver.type("+ a");
  EXPECT_TRUE(meaning(driver, "run_said", "")) << driver.reports.back();
}

TEST(RunPanelCuda, EscCancelsARunOnCuda) {
  const FakeProgram program("echo $$ > \"$here/number\"; exec sleep 60\n");
  Driver driver(1600, 900, false, "none", program.path());
  driver.open(walk_file("two_streams"));
  driver.press(U'x');
  driver.wait();
  go_to_places(driver);
  for (int i = 0; i < 2; ++i) driver.press(draw::Key::right);
  for (int i = 0; i < 2; ++i) driver.press(draw::Key::tab);
  driver.press(draw::Key::enter);
  ASSERT_TRUE(program.has_written("number"));
  EXPECT_TRUE(driver.shell.busy());
  driver.press(draw::Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "run");
  driver.wait();
  EXPECT_EQ(driver.shell.note().text, "the run was cancelled");
  EXPECT_FALSE(driver.shell.opened().document->unsaved);
  EXPECT_TRUE(program.has_ended("number"));
}

}  // namespace
}  // namespace warpwalk::shell
