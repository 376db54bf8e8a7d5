// The release in the output of "ptxas --version" of CUDA 13.0.
#include "core/platform/toolchain/ptxas.h"

#include <gtest/gtest.h>

namespace warpwalk::platform {
namespace {

TEST(Ptxas, ItsRelease) {
  EXPECT_EQ(parse_ptxas_release("ptxas: NVIDIA (R) Ptx optimizing assembler\n"
                                "Copyright (c) 2005-2025 NVIDIA Corporation\n"
                                "Built on Wed_Aug_20_01:55:12_PM_PDT_2025\n"
                                "Cuda compilation tools, release 13.0, V13.0.88\n"),
            "13.0");
  EXPECT_EQ(parse_ptxas_release("release 12.9"), "12.9");
  EXPECT_EQ(parse_ptxas_release("release of something"), "");
  EXPECT_EQ(parse_ptxas_release(""), "");
}

}  // namespace
}  // namespace warpwalk::platform
