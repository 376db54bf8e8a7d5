// The Kernel lab in the window: GPU and caches of a launch, and the launches of a CUDA program.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/pages/kernel_lab/kernel_lab_page.h"
#include "core/platform/temporary_folder.h"
#include "core/platform/toolchain/clang.h"
#include "core/run/kernel_lab/launch_statement.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using ::testing::HasSubstr;

constexpr std::string_view two_launches = R"(#include <cstdio>
__constant__ float factor;
struct Vector { int n; float* at; };
__global__ void fill(Vector v) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < v.n) v.at[i] = i; }
__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i];
}
int main() {
  float *x, *y, two = 2;
  cudaMalloc(&x, 400);
  cudaMalloc(&y, 400);
  cudaMemcpyToSymbol(factor, &two, sizeof two);
  fill<<<2, 64>>>(Vector{100, x});
  scale<<<4, 32>>>(x, y, 100);
  float result[100];
  cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%g\n", result[99]);
}
)";

class KernelLabProgram : public ::testing::Test {
 protected:
  KernelLabProgram() : driver(1600, 900, false, "libno-such-nvml.so.1", WARPWALK_PROGRAM) {
    driver.open(walk_file("relu_matmul"));
  }
  const pages::KernelLabState& state() const { return driver.shell.page<pages::KernelLabPage>().state(); }
  const pages::LabVersion& version(std::size_t number = 0) const { return state().versions[number]; }
  std::string statement(std::string_view word) const { return run::statement_value(version().launch.text(), word); }
  bool shows(std::string_view words) {
    std::string all;  // a text of several lines is several texts
    for (const std::string& text : driver.texts()) all.append(text).append(" ");
    return all.find(words) != std::string::npos;
  }
  std::filesystem::path file(const std::string& name, std::string_view text) {
    std::ofstream(folder.path() / name) << text;
    return folder.path() / name;
  }
  void run_it() {
    driver.press_control(Key::enter);
    driver.wait();
  }
  platform::TemporaryFolder folder;
  Driver driver;
};

TEST_F(KernelLabProgram, GpuAndCachesAreChosenAndUndone) {
  driver.press(U'j');
  driver.press(U'o', true);
  driver.press(Key::down);
  driver.press(Key::enter);  // the race, which comes compiled
  driver.wait();
  const std::string before = version().launch.text();
  driver.press(U'u', true);
  EXPECT_EQ(state().list, pages::LabList::gpus);
  EXPECT_TRUE(shows("a100: NVIDIA A100"));
  EXPECT_TRUE(shows("never compared with measured launches"));
  driver.press(Key::enter);  // the first one
  EXPECT_EQ(statement("gpu"), hardware().devices.front().id);
  EXPECT_TRUE(shows("GPU: " + hardware().devices.front().id));
  driver.press(U'e', true);
  EXPECT_EQ(statement("caches"), "warm");
  EXPECT_TRUE(shows("Caches: warm"));
  run_it();
  ASSERT_TRUE(version().run) << state().note;
  EXPECT_EQ(version().run->device.id, hardware().devices.front().id);
  EXPECT_EQ(version().run->caches(), gpu::CacheStart::warm);
  EXPECT_TRUE(shows("on " + hardware().devices.front().name));
  EXPECT_TRUE(shows("caches warm."));
  driver.press(U'z', true);  // in the launch, where the focus is
  EXPECT_EQ(statement("caches"), "");
  EXPECT_TRUE(shows("These figures are of the previous text"));
  driver.press(U'z', true);
  EXPECT_EQ(version().launch.text(), before);
  driver.press(U'u', true);
  driver.press(Key::escape);
  EXPECT_EQ(state().list, pages::LabList::none);
  EXPECT_EQ(version().launch.text(), before);
}

TEST_F(KernelLabProgram, AnUnknownGpuIsMarkedAtItsLine) {
  driver.drop(file("k.ptx", ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n"));
  driver.press(Key::tab);
  driver.press_control(Key::end);
  driver.type("gpu h900");
  driver.wait();
  ASSERT_EQ(version().messages.size(), 1u);
  EXPECT_THAT(version().messages[0].message, HasSubstr("h900 is not known; known are "));
  EXPECT_EQ(version().messages[0].text, run::Diagnostic::Text::launch);
}

TEST_F(KernelLabProgram, ALaunchOfAProgramRunsWithItsRealInputs) {
  if (!platform::find_clang()) GTEST_SKIP() << "no clang is installed";
  driver.drop(file("two.cu", two_launches));
  EXPECT_EQ(driver.shell.sheet(), "kernel");
  driver.wait();
  ASSERT_EQ(state().list, pages::LabList::launches) << state().note;
  EXPECT_TRUE(shows("1: fill(Vector)"));
  EXPECT_TRUE(shows("grid 4, block 32"));
  driver.press(Key::down);
  driver.press(Key::enter);
  driver.wait();
  EXPECT_THAT(version().launch.text(), HasSubstr("kernel scale\ngrid   4\nblock  32\ncaches warm\n\n"
                                                 "x: f32[100] recorded\ny: f32[100]\nn: i32 100\n"
                                                 "variable factor: f32[1] recorded\n"));
  run_it();
  ASSERT_TRUE(version().run) << state().note;
  EXPECT_TRUE(version().run->findings.empty());
  const auto& bytes = version().run->loaded.launch.buffers[1].bytes;
  float last = 0;
  std::memcpy(&last, bytes.data() + 396, 4);
  EXPECT_EQ(last, 198);
  EXPECT_FALSE(version().run->costs.lines.empty());

  // Walked like any run, at its lines.
  driver.press(U'g', true);
  driver.wait();
  EXPECT_EQ(driver.shell.opened().view.scene, "schedulers");
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "kernel");

  // The other launch, without running the program's compiler again; its struct has the address.
  driver.press(U'j', true);
  EXPECT_EQ(state().list, pages::LabList::launches);
  driver.press(Key::enter);
  driver.wait();
  EXPECT_THAT(version().launch.text(), HasSubstr("kernel fill\n"));
  EXPECT_THAT(version().launch.text(), HasSubstr("v.8: f32[100]\n"));
  run_it();
  ASSERT_TRUE(version().run) << version().messages.front().with_place();
  EXPECT_TRUE(version().run->findings.empty());

  // A changed kernel is compiled as a part of the program.
  driver.press_control(Key::home);
  driver.type("// changed\n");
  run_it();
  ASSERT_TRUE(version().run) << version().messages.front().with_place();
  EXPECT_TRUE(version().up_to_date());
}

TEST_F(KernelLabProgram, AProgramThatDoesNotCompileHasItsErrorsAtTheirLines) {
  if (!platform::find_clang()) GTEST_SKIP() << "no clang is installed";
  driver.drop(file("bad.cu", "__global__ void k() {}\nint main() {\n  k<<<1, 1>>>(;\n}\n"));
  driver.wait();
  EXPECT_EQ(state().list, pages::LabList::none);
  EXPECT_THAT(state().note, HasSubstr("bad.cu: line 3"));
  ASSERT_FALSE(version().messages.empty());
  EXPECT_EQ(version().messages[0].line, 3u);
}

TEST(KernelLabWithoutChildren, SaysThatAProgramCannotBeRunHere) {
  platform::TemporaryFolder folder;
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  std::ofstream(folder.path() / "two.cu") << two_launches;
  driver.drop(folder.path() / "two.cu");
  const auto& state = driver.shell.page<pages::KernelLabPage>().state();
  EXPECT_THAT(state.note, HasSubstr("on a desktop"));
  EXPECT_THAT(state.versions[0].launch.text(), HasSubstr("kernel fill\n"));  // made up
}

}  // namespace
}  // namespace warpwalk::shell
