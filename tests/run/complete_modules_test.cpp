// Completes the modules of a GPU recording with fake tools that print recorded CUDA output or never end.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/ops/tensor/error.h"
#include "core/ptx/module.h"
#include "core/run/expression/describe_run.h"
#include "core/sass/elf/cubin.h"
#include "tests/run/walk_runs.h"
#include "tests/trace/support.h"

namespace warpwalk::testing {
namespace {

class CompleteModules : public ::testing::Test {
 protected:
  CompleteModules() {
    setenv("PATH", (folder_.path().string() + ":" + before_).c_str(), 1);
    trace::KernelRecord kernel;
    kernel.module = 0;
    kernel.entry = "relu";
    records_.kernels.push_back(kernel);
    records_.modules.emplace_back().name = "relu.ptx";
    tool("ptxas", "");
    tool("nvdisasm",
         "case $1 in -gi) kind=source;; *) kind=ptx;; esac\n"
         "cat " WARPWALK_SOURCE_DIR "/tests/run/data/relu_${kind}_lines.sass\n");
  }
  ~CompleteModules() override { setenv("PATH", before_.c_str(), 1); }

  void tool(const char* name, const std::string& script) const {
    const std::filesystem::path file = folder_.path() / name;
    std::ofstream(file) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }

  run::RunRequest request_ = request("relu(a)", {variable("a", {4})}, run::Target::cuda);
  trace::Records records_;

 private:
  trace::test::TemporaryFolder folder_;
  const std::string before_ = std::getenv("PATH");
};

TEST_F(CompleteModules, HavePtxSourceAndMachineCode) {
  const std::atomic<bool> cancel = false;
  request_.cancel = &cancel;
  complete_modules(request_, "9.0", records_);
  const trace::Module& module = records_.modules[0];
  EXPECT_THAT(module.ptx, ::testing::HasSubstr(".entry relu"));
  EXPECT_EQ(module.source_file, "kernels/relu.cu");
  EXPECT_THAT(module.sass, ::testing::HasSubstr("LDG.E R2"));
  EXPECT_GT(module.line_map.size(), 17u);
  const std::string bytes(module.cubin.begin(), module.cubin.end());
  const auto cubin = sass::parse_cubin(bytes);
  ASSERT_TRUE(cubin) << cubin.error();
  ASSERT_EQ(cubin->functions.size(), 1u);  // of three in the module
  EXPECT_EQ(cubin->functions[0].name, "relu");
  ASSERT_EQ(records_.sources.size(), 1u);
  EXPECT_EQ(records_.sources[0].what, "sass");
}

TEST_F(CompleteModules, WhoeverStopsTheRunDoesNotWaitForTheTools) {
  for (const char* const slow : {"nvdisasm", "ptxas"}) {
    tool(slow, "exec sleep 60\n");
    std::atomic<bool> cancel = false;
    request_.cancel = &cancel;
    const std::jthread soon([&cancel] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      cancel = true;
    });
    const auto began = std::chrono::steady_clock::now();
    EXPECT_THROW(complete_modules(request_, "9.0", records_), ops::OpError) << slow;
    EXPECT_LT(std::chrono::steady_clock::now(), began + std::chrono::seconds(20)) << slow;
    EXPECT_TRUE(records_.modules[0].sass.empty()) << slow;
  }
}

}  // namespace
}  // namespace warpwalk::testing
