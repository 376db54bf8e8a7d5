// The architectures for which NVRTC and ptxas compile. `ptxas -arch=sm_90` refuses PTX with `.target sm_90a`.
#include "core/platform/toolchain/architecture.h"

#include <gtest/gtest.h>

namespace warpwalk::platform {
namespace {

TEST(Architecture, OwnInstructionsHaveASuffixSince90) {
  EXPECT_EQ(own_architecture("7.5"), "75");
  EXPECT_EQ(own_architecture("8.9"), "89");
  EXPECT_EQ(own_architecture("9.0"), "90a");
  EXPECT_EQ(own_architecture("10.0"), "100a");
  EXPECT_EQ(own_architecture("12.0"), "120a");
}

TEST(Architecture, TheTargetOfPtx) {
  EXPECT_EQ(target_of("// made by hand\n.version 8.0\n.target sm_90a\n.address_size 64\n"), "sm_90a");
  EXPECT_EQ(target_of("/* .target sm_75 */ .version 8.0 .target sm_80, debug\n"), "sm_80");
  EXPECT_EQ(target_of(".version 8.0"), "");
  EXPECT_EQ(target_of("/* no end"), "");
  EXPECT_EQ(target_of(""), "");
}

TEST(Architecture, PtxIsCompiledForItsTarget) {
  const auto compiled_for = [](const std::string& target, std::string_view capability) {
    return architecture_for(".version 9.0\n.target " + target + "\n", capability);
  };
  EXPECT_EQ(compiled_for("sm_80", "9.0"), "sm_90");
  EXPECT_EQ(compiled_for("sm_90", "9.0"), "sm_90");
  EXPECT_EQ(compiled_for("sm_90a", "9.0"), "sm_90a");
  EXPECT_EQ(compiled_for("sm_120a", "12.0"), "sm_120a");
  EXPECT_EQ(architecture_for("no PTX", "8.6"), "sm_86");
}

TEST(Architecture, PtxForOneGpuRunsOnNoOther) {
  EXPECT_EQ(target_mismatch("sm_90", "10.0"), "");
  EXPECT_EQ(target_mismatch("sm_90a", "9.0"), "");
  EXPECT_EQ(target_mismatch("sm_100f", "10.3"), "");
  EXPECT_EQ(target_mismatch("sm_a", "9.0"), "");  // while it is typed
  EXPECT_EQ(target_mismatch("sm_100a", "9.0"),
            "its .target is sm_100a, which only GPUs of compute capability 10.0 run; this GPU has 9.0");
  EXPECT_EQ(target_mismatch("sm_90a", "8.0"),
            "its .target is sm_90a, which only GPUs of compute capability 9.0 run; this GPU has 8.0");
  EXPECT_EQ(
      target_mismatch("sm_103f", "10.0"),
      "its .target is sm_103f, which only GPUs of compute capability 10.3 and of its family run; this GPU has 10.0");
}

}  // namespace
}  // namespace warpwalk::platform
