// CUDA C++ of the Kernel lab is compiled by the verb `compile` in a child process, here with a stand-in for NVRTC.
#include "app/runs/compile_child.h"

#include <atomic>
#include <cstdlib>

#include <gtest/gtest.h>

namespace warpwalk::runs {
namespace {

class CompileChild : public ::testing::Test {
 protected:
  CompileChild() {
    if (const char* const value = std::getenv("LD_LIBRARY_PATH")) before_ = value;
    setenv("LD_LIBRARY_PATH", WARPWALK_FAKE_NVRTC, 1);
  }
  ~CompileChild() override {
    unsetenv("WARPWALK_FAKE_NVRTC");
    if (before_.empty())
      unsetenv("LD_LIBRARY_PATH");
    else
      setenv("LD_LIBRARY_PATH", before_.c_str(), 1);
  }
  const run::CudaCompiler compile_ = compiler_in_child(WARPWALK_PROGRAM);

 private:
  std::string before_;
};

TEST_F(CompileChild, GivesThePtxAndTheCompiler) {
  const auto compiled = compile_("// PTX\n", "k.cu", "9.0", nullptr);
  ASSERT_TRUE(std::holds_alternative<platform::CompiledCuda>(compiled))
      << std::get<platform::CudaFailure>(compiled).line;
  EXPECT_EQ(std::get<platform::CompiledCuda>(compiled).ptx, "// PTX\n");  // the stand-in returns the source
  EXPECT_EQ(std::get<platform::CompiledCuda>(compiled).compiler, "NVRTC 13.0");
}

TEST_F(CompileChild, GivesTheWholeLogWithoutItsTemporaryFolder) {
  const auto compiled = compile_("#error\n", "k.cu", "9.0", nullptr);
  ASSERT_TRUE(std::holds_alternative<platform::CudaFailure>(compiled));
  const auto messages = run::parse_compiler_log(std::get<platform::CudaFailure>(compiled).log, "k.cu");
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_TRUE(messages[0].warning);
  EXPECT_EQ(messages[1].with_place(), "line 3: identifier \"x\" is undefined");
}

TEST_F(CompileChild, ACompilerThatSaysNothingIsReportedInOneLine) {
  setenv("WARPWALK_FAKE_NVRTC", "silent", 1);
  const auto compiled = compile_("#error\n", "k.cu", "9.0", nullptr);
  ASSERT_TRUE(std::holds_alternative<platform::CudaFailure>(compiled));
  EXPECT_EQ(std::get<platform::CudaFailure>(compiled).line, "k.cu: NVRTC: stand-in fails");
}

TEST_F(CompileChild, CanBeCancelledAndMayNotStart) {
  const std::atomic<bool> cancel = true;
  const auto cancelled = compile_("// PTX\n", "k.cu", "9.0", &cancel);
  ASSERT_TRUE(std::holds_alternative<platform::CudaFailure>(cancelled));
  EXPECT_EQ(std::get<platform::CudaFailure>(cancelled).line, "k.cu: cancelled");
  const auto missing = compiler_in_child("/no/such/program")("", "k.cu", "9.0", nullptr);
  EXPECT_TRUE(std::holds_alternative<platform::CudaFailure>(missing));
}

}  // namespace
}  // namespace warpwalk::runs
