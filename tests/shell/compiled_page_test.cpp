// The page of what torch.compile and Triton have written: opened by a file, its kernels by keys, in the Kernel lab.
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/pages/compiled.h"
#include "app/pages/kernel_lab/kernel_lab_page.h"
#include "core/platform/temporary_folder.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using ::testing::Contains;
using ::testing::HasSubstr;

const std::string entries = WARPWALK_SOURCE_DIR "/tests/compiled/data";

TEST(CompiledInTheWindow, EnterLeadsToTheKernelLabAndEscBack) {
  Driver driver{1280, 720};
  driver.open(walk_file("relu_matmul"));
  driver.drop(entries);
  driver.wait();
  EXPECT_EQ(driver.shell.sheet(), "compiled");
  EXPECT_THAT(driver.texts(), Contains(HasSubstr("Compiled kernels: 4.")));
  EXPECT_THAT(driver.texts(), Contains("add_kernel"));
  driver.press(Key::down);
  EXPECT_THAT(driver.texts(), Contains("ttir → ptx → cubin"));
  driver.press(Key::up);
  driver.press(Key::enter);
  EXPECT_EQ(driver.shell.sheet(), "kernel");
  EXPECT_EQ(driver.shell.page<pages::KernelLabPage>().state().versions.front().opened.name, "add_kernel");
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "compiled");
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
}

TEST(CompiledInTheWindow, GraphBreaksAndRecompilationsSayWhy) {
  const platform::TemporaryFolder folder;
  const auto log = folder.path() / "dedicated_log_torch_trace_x.log";
  std::ofstream(log) << R"(V1130 12:00:00.000000 1 a.py:1] {"artifact": {"name": "dynamo_graph_break_reason", )"
                        R"("encoding": "string"}, "frame_id": 3, "frame_compile_id": 0, "has_payload": "x"})"
                        "\n\tGraph break in user code at /home/user/net.py:7\n\tGraph Break Reason: Call to "
                        "`torch._dynamo.graph_break()`\n";
  Driver driver{1280, 720};
  driver.open(walk_file("relu_matmul"));
  driver.drop(log);
  driver.wait();
  EXPECT_EQ(driver.shell.sheet(), "compiled");
  EXPECT_THAT(driver.texts(), Contains("Graph break in compilation 3/0"));
  EXPECT_THAT(driver.texts(), Contains(HasSubstr("net.py:7")));
  EXPECT_THAT(driver.texts(), Contains(HasSubstr("Call to `torch._dynamo.graph_break()`")));
}

}  // namespace
}  // namespace warpwalk::shell
