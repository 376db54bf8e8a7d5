// Parses the output of "ptxas -v" from CUDA 13.0.
#include "core/platform/toolchain/ptxas.h"

#include <gtest/gtest.h>

namespace warpwalk::platform {
namespace {

constexpr std::string_view printed = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'where' for 'sm_90'
ptxas info    : Function properties for where
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 18 registers, used 0 barriers
ptxas info    : Compile time = 6.831 ms
ptxas info    : Compiling entry function 'where2' for 'sm_90'
ptxas info    : Function properties for where2
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 168 registers, used 1 barriers, 2048 bytes smem
ptxas info    : Compiling entry function 'silent' for 'sm_90'
ptxas info    : Compiling entry function 'last' for 'sm_90'
ptxas info    : Used 8 registers, used 0 barriers
)";

TEST(Ptxas, TheRegistersOfOneEntry) {
  EXPECT_EQ(parse_ptxas_registers(printed, "where"), 18);
  EXPECT_EQ(parse_ptxas_registers(printed, "where2"), 168);
  EXPECT_EQ(parse_ptxas_registers(printed, "last"), 8);
  EXPECT_EQ(parse_ptxas_registers(printed, "silent"), 0);
  EXPECT_EQ(parse_ptxas_registers(printed, "wher"), 0);
  EXPECT_EQ(parse_ptxas_registers("", "where"), 0);
}

}  // namespace
}  // namespace warpwalk::platform
